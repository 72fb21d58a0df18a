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
            let decisions = try TripBook(over: store).decisions(on: .rates)
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
        let staying = claim.paysDays ? try waysAfterWhichCarsStayed(needed, overlaps, localDay) : []
        var unfinished = UnfinishedTrips()
        var expenses = ExpensesOfTrips(try expenses(), overlaps)
        let filter = TripFilter(includesUncounted: true, period: period, isOldestFirst: true)
        try readTrips(filter) { row in
            let booked = overlaps.filled(row.booked)
            var trip = ClaimTrip(booked, localDay: localDay)
            if staying.contains(booked.id), trip.alone == .open { trip.alone = .half }
            if booked.counts, !overlaps.leaveOut(booked.id) {
                claim.add(trip)
                if overlaps.isContradicted(row.booked) { claim.addContradicted(trip) }
                for expense in expenses.take(of: booked, trip) {
                    claim.add(ClaimExpense(expense), of: trip)
                }
                for (kind, amount) in expenses.payments(in: booked) {
                    claim.add(kind, amount: amount, of: trip)
                }
            } else if booked.status == .active,
                claim.days.contains(localDay.day(of: booked.trip.startedAt))
            {
                unfinished.add(booked.id, of: booked.trip.source, from: booked.trip.startedAt)
            } else if booked.isByBusOrRail {
                claim.addOther(trip)
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

    /// Returns the ways to work after which the car stayed until another day's trip, which may be
    /// one of the next month.
    private func waysAfterWhichCarsStayed(
        _ days: ClosedRange<CivilDate>,
        _ overlaps: TripOverlaps,
        _ localDay: LocalDay
    ) throws -> Set<TripID> {
        let later = CivilDate(year: days.upperBound.year, month: 12, day: 31) ?? days.upperBound
        let period = LocalPeriod(
            from: days.lowerBound,
            to: later.year < 9_000 ? CivilDate(daysSince1970: later.daysSince1970 + 31) : later,
            localDay: localDay
        )
        var ways = LoneWays()
        try readTrips(TripFilter(period: period, isOldestFirst: true)) { row in
            guard row.booked.counts, !overlaps.leaveOut(row.booked.id) else { return true }
            let booked = overlaps.filled(row.booked)
            ways.take(booked, on: localDay.day(of: booked.trip.startedAt))
            return true
        }
        return ways.staying
    }
}

extension BookedTrip {
    /// Whether it counts nowhere because it was made by bus or rail, and was a way to work.
    fileprivate var isByBusOrRail: Bool {
        status == .abandoned && tripClass == .commute && (mode == .bus || mode == .rail)
    }
}

extension ClaimTrip {
    /// The custom field that says how many passengers were taken along of whom rates know.
    public static let passengersField = "passengers"

    /// The custom field by which a person says whether a way to work was the only one of its day.
    public static let oneWayField = "one_way"

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
            passengers: Self.passengers(of: booked) ?? 0,
            alone: Self.lone(booked),
            origin: DistanceOrigin(of: booked),
            gaps: booked.adjusted == nil ? booked.trip.gaps.count : 0,
            gapDistance: booked.adjusted == nil ? booked.trip.gaps.distance : .zero
        )
        hasUnreadPassengers = Self.passengers(of: booked) == nil
    }

    /// Returns how many passengers a trip had, in a field of whatever type; `nil` if what is said
    /// is no whole number.
    private static func passengers(of booked: BookedTrip) -> Int64? {
        let said: Int64? =
            switch booked.details.fields?[passengersField] {
            case nil, .null, .boolean(false): 0
            case .number(let number): number.units(places: 0)
            case .text(let text): Int64(text.filter { $0 != " " })
            case .boolean(true): nil
            }
        return said.map { min(max(0, $0), mostPassengers) }
    }

    /// Returns what a way to work counts if it is the only one of its day, as far as the trip alone
    /// says it: what a person reported is all that was driven.
    private static func lone(_ booked: BookedTrip) -> LoneWay {
        if case .boolean(let isAlone)? = booked.details.fields?[oneWayField] {
            return isAlone ? .half : .whole
        }
        return booked.isMeasured ? .open : .half
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
                    isElectric: registration.isElectric ?? false,
                    fuel: registration.fuel,
                    engine: registration.engine.map(Int.init)
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

    /// The kinds of expenses of which a trip has one of its own.
    private var kinds: [TripID: Set<ExpenseKind>] = [:]

    /// Begins with all expenses that stand; those of a trip that is left out are of the one that
    /// counts in its place.
    init(_ book: ExpenseBook, _ overlaps: TripOverlaps) {
        unnamed = book.expenses.filter { $0.expense.trip == nil }
        for expense in book.expenses {
            guard let said = expense.expense.trip else { continue }
            let trip = overlaps.counted(insteadOf: said) ?? said
            kinds[trip, default: []].insert(expense.expense.kind)
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

    /// Returns what another program's table says in fields of a trip that was paid for it; of a
    /// kind of which an expense was recorded, nothing.
    func payments(in booked: BookedTrip) -> [(kind: ExpenseKind, amount: ExactDecimal)] {
        guard booked.details.fields != nil else { return [] }
        let named: [(String, ExpenseKind)] = [("tolls", .toll), ("parking", .parking)]
        return named.compactMap { name, kind in
            let said: ExactDecimal? =
                switch booked.details.fields?[name] {
                case .number(let number): number
                case .text(let text): ExactDecimal(literal: text)
                case .boolean, .null, nil: nil
                }
            guard let said, said.doubleValue > 0, kinds[booked.id]?.contains(kind) != true else {
                return nil
            }
            return (kind, said)
        }
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
        let quantity = expense.quantityUnit == .kilowattHours ? expense.quantity : nil
        let units = quantity?.units(places: 6)
        microKilowattHours = units.flatMap { $0 < Self.mostQuantity ? $0 : nil }
        isAtHome = expense.place.map { Self.namesOfHome.contains($0.lowercased()) } ?? false
    }

    /// More millionths of a kilowatt-hour than are added.
    private static let mostQuantity: Int64 = 1_000_000_000_000

    /// What people call the saved place where they live, in small letters.
    private static let namesOfHome: Set = [
        "home", "zuhause", "zu hause", "daheim", "thuis", "maison", "domicile",
    ]
}
