public import Projections
public import Rates
public import TripEvents
import TripTracking

extension Snapshot {
    /// Returns the tables of rates of the program and of the ledger.
    ///
    /// - Parameter issued: A report that is made again: the table of the program that it goes by
    ///   stands in the place of those that come with this program.
    /// - Returns: The tables.
    /// - Throws: `.damaged`, `.inputOutput`; the latter also if the report's table cannot be read.
    public func rates(asIn issued: ReportIssued? = nil) throws(LedgerError) -> LoadedRates {
        try asking {
            // Rates are for the whole ledger: no group loads any.
            let decisions = try BookRows(over: store).decisions(on: .rates)
                .filter { $0.group == nil }.sorted()
            let loaded = decisions.compactMap { decision -> RatesLoaded? in
                guard case .ratesLoaded(let loaded) = decision.event.body else { return nil }
                return loaded
            }
            guard let issued else { return LoadedRates(loaded) }
            let table = try RateTable(issuedWith: issued)
            return LoadedRates(loaded, programTables: table.map { [$0] } ?? [])
        }
    }

    /// Returns what trips come to by the rates of a jurisdiction, and what was paid beside them.
    ///
    /// - Parameters:
    ///   - claim: the claim, without trips.
    ///   - localDay: on which day a trip counts.
    /// - Returns: the lines, and the trips on its days that go on and are not counted yet.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func finish(
        _ claim: consuming Claim,
        localDay: LocalDay
    ) throws -> (result: ClaimResult, unfinished: UnfinishedTrips) {
        let needed = claim.neededDays
        let period = LocalPeriod(
            from: needed.lowerBound,
            to: needed.upperBound,
            localDay: localDay
        )
        let (_, overlaps) = try relateTrips(into: ()) { _, _ in }
        var unfinished = UnfinishedTrips()
        var expenses = ExpensesOfTrips(try expenses())
        try readTrips(TripFilter(period: period, isOldestFirst: true)) { row in
            let booked = row.booked
            if booked.counts, !overlaps.leaveOut(booked.id) {
                let trip = ClaimTrip(booked, localDay: localDay)
                claim.add(trip)
                for expense in expenses.take(of: booked, trip) {
                    claim.add(ClaimExpense(expense), of: trip)
                }
            } else if booked.status == .active,
                claim.days.contains(localDay.day(of: booked.trip.startedAt))
            {
                unfinished.add(booked.id, of: booked.trip.source, from: booked.trip.startedAt)
            }
            return true
        }
        for (expense, trip) in expenses.rest {
            if let trip {
                claim.add(ClaimExpense(expense), of: trip)
            } else {
                let day = expense.day(localDay)
                claim.add(ClaimExpense(expense), vehicle: expense.expense.vehicle, on: day)
            }
        }
        return (claim.finish(), unfinished)
    }
}

extension ClaimTrip {
    /// The custom field that says how many passengers were taken along of whom rates know.
    public static let passengersField = "passengers"

    /// The most passengers of one trip.
    private static let mostPassengers: Int64 = 99

    /// Creates the trip that rates see.
    ///
    /// - Parameters:
    ///   - booked: the trip as booked.
    ///   - localDay: on which day it counts.
    public init(_ booked: BookedTrip, localDay: LocalDay) {
        self.init(
            day: localDay.day(of: booked.trip.startedAt),
            distance: booked.claimedDistance,
            tripClass: booked.tripClass,
            vehicle: booked.details.vehicle,
            passengers: Self.passengers(of: booked),
            origin: DistanceOrigin(of: booked),
            gaps: booked.adjusted == nil ? booked.trip.gaps.count : 0,
            gapDistance: booked.adjusted == nil ? booked.trip.gaps.distance : .zero
        )
    }

    private static func passengers(of booked: BookedTrip) -> Int64 {
        guard case .number(let number)? = booked.details.fields?[passengersField],
            let count = number.units(places: 0)
        else { return 0 }
        return min(max(0, count), mostPassengers)
    }
}

extension DistanceOrigin {
    /// Finds where the distance of a trip comes from.
    fileprivate init(of booked: BookedTrip) {
        if booked.adjusted != nil {
            self = .adjusted
        } else if booked.flags.contains(.odometer) {
            self = .odometer
        } else {
            self = booked.isMeasured ? .measured : .reported
        }
    }
}

extension VehicleBook {
    /// What rates know of the registered vehicles, by their names.
    public var claimVehicles: [NameKey: ClaimVehicle] {
        Dictionary(
            vehicles.map { vehicle in
                let registration = vehicle.registration
                let known = ClaimVehicle(
                    kind: registration.kind,
                    fiscalPower: registration.fiscalPower.map(Int.init),
                    isElectric: registration.isElectric ?? false
                )
                return (NameKey(vehicle.name), known)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

/// Finds the expenses of each trip while trips are read in order of their starts.
///
/// An expense is of the trip that it names. If that one has gone, because trips were merged or
/// split or late data moved their ends, it is of the only trip that was under way when the one that
/// it names had started. Trips of another group than the expense's do not count for it.
struct ExpensesOfTrips {
    /// The trip that an expense may be of.
    private enum Candidate {
        case one(ClaimTrip)
        case several
    }

    private var named: [TripID: [RecordedExpense]] = [:]
    private let unnamed: [RecordedExpense]

    /// The expenses of trips, in order of the starts that they name, with their candidates.
    private var starts: [(startedAt: Timestamp, trip: TripID, expense: RecordedExpense)] = []
    private var candidates: [TripID: Candidate] = [:]

    /// Begins with all expenses that stand.
    init(_ book: ExpenseBook) {
        unnamed = book.expenses.filter { $0.expense.trip == nil }
        for expense in book.expenses {
            guard let trip = expense.expense.trip else { continue }
            if named[trip] == nil, let startedAt = expense.expense.tripStartedAt {
                starts.append((startedAt.timestamp, trip, expense))
            }
            named[trip, default: []].append(expense)
        }
        starts.sort { ($0.startedAt, $0.trip) < ($1.startedAt, $1.trip) }
    }

    /// Takes the expenses that name a trip, and notes which others may be of it.
    mutating func take(of booked: BookedTrip, _ trip: ClaimTrip) -> [RecordedExpense] {
        let (start, end) = (booked.trip.startedAt.timestamp, booked.trip.endedAt?.timestamp)
        for place in starts[firstIndex(from: start)...] {
            guard place.startedAt <= end ?? start else { break }
            guard place.expense.concerns(booked.trip.group) else { continue }
            candidates[place.trip] = candidates[place.trip] == nil ? .one(trip) : .several
        }
        guard let all = named.removeValue(forKey: booked.id) else { return [] }
        let others = all.filter { !$0.concerns(booked.trip.group) }
        named[booked.id] = others.isEmpty ? nil : others
        return all.filter { $0.concerns(booked.trip.group) }
    }

    /// The expenses that name no trip that was read, each with the one that it is of instead.
    var rest: [(expense: RecordedExpense, trip: ClaimTrip?)] {
        let gone = named.sorted { $0.key < $1.key }
            .flatMap { id, expenses in
                let trip: ClaimTrip? =
                    if case .one(let trip)? = candidates[id] { trip } else { nil }
                return expenses.map { (expense: $0, trip: trip) }
            }
        return gone + unnamed.map { ($0, nil) }
    }

    /// Returns the first of the starts that is not before a time.
    private func firstIndex(from time: Timestamp) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle].startedAt < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ClaimExpense {
    /// Creates what rates see of an expense.
    init(_ recorded: RecordedExpense) {
        let expense = recorded.expense
        self.init(kind: expense.kind, amount: expense.amount, currency: expense.currency)
    }
}
