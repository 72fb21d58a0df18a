public import Projections
public import Rates
public import TripEvents
import TripTracking

extension Snapshot {
    /// Returns the tables of rates of the program and of the ledger.
    ///
    /// - Parameter issued: A report that is made again: the program's table that it used replaces
    ///   those that come with this program.
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

    /// Returns the money for trips at the rates of a jurisdiction, and what was paid beside them.
    ///
    /// - Parameters:
    ///   - claim: the claim, without trips.
    ///   - localDay: on which day a trip counts.
    /// - Returns: the lines, the trips on its days that go on and are not counted yet, and the
    ///   trips of expenses that name none.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func finish(
        _ claim: consuming Claim,
        localDay: LocalDay
    ) throws -> (result: ClaimResult, unfinished: UnfinishedTrips, paidOn: [ExpenseID: TripID]) {
        let needed = claim.neededDays
        let period = LocalPeriod(
            from: needed.lowerBound,
            to: needed.upperBound,
            localDay: localDay
        )
        let (_, overlaps) = try relateTrips(into: ()) { _, _ in }
        let staying = claim.paysDays ? try waysAfterWhichCarsStayed(needed, overlaps, localDay) : []
        var unfinished = UnfinishedTrips()
        let drivers = try drivers()
        var expenses = ExpensesOfTrips(try expenses(), overlaps, vehicles: try vehicles())
        let filter = TripFilter(includesUncounted: true, period: period, isOldestFirst: true)
        try readTrips(filter) { row in
            let booked = overlaps.filled(row.booked)
            var trip = ClaimTrip(booked, localDay: localDay)
            trip.driver = drivers.driver(of: booked)
            if staying.contains(booked.id), trip.alone == .open { trip.alone = .half }
            if booked.counts, !overlaps.leaveOut(booked.id) {
                claim.add(trip)
                if overlaps.isContradicted(row.booked) { claim.addContradicted(trip) }
                for expense in expenses.take(of: booked, trip) {
                    claim.add(ClaimExpense(expense), of: trip)
                }
            } else if booked.status == .active,
                claim.days.contains(localDay.day(of: booked.trip.startedAt)),
                claim.driver.map({ trip.driver.hasSameBytes(as: $0) }) ?? true
            {
                unfinished.add(booked.id, of: booked.trip.source, from: booked.trip.startedAt)
            } else if booked.isOtherWay, !overlaps.leaveOut(booked.id) {
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
        for (kind, amount, trip) in expenses.payments {
            claim.add(kind, amount: amount, of: trip)
        }
        return (claim.finish(), unfinished, expenses.tripsByTime)
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
    /// Whether it was a way to work that counts nowhere because it was made by rail or bicycle.
    fileprivate var isOtherWay: Bool {
        uncountedReason == .notByCar && tripClass == .commute
            && (mode == .rail || mode == .bicycle)
    }

    /// The means of transport, if it is known to be neither the vehicle nor a car.
    ///
    /// For a trip that counts, a mode that the rules derive does not override a named vehicle.
    fileprivate var otherMeans: TravelMode? {
        switch details.mode ?? (details.vehicle == nil || !counts ? trip.mode : nil) {
        case .bus: .bus
        case .rail: .rail
        case .bicycle: .bicycle
        case .foot: .foot
        case .car, .unsure, nil: nil
        }
    }
}

extension ClaimTrip {
    /// The custom field that says how many passengers for whom rates pay were taken along.
    private static let passengersField = "passengers"

    /// What else that field is called, in small letters.
    private static let passengersNames: Set = [
        passengersField, "passenger", "passagiers", "passagier", "meerijders", "meerijder",
        "mitfahrer", "mitfahrende", "mitfahrerinnen", "passagers", "passager",
    ]

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
            mode: booked.otherMeans,
            passengers: Self.passengers(of: booked) ?? 0,
            alone: Self.lone(booked),
            origin: DistanceOrigin(of: booked),
            gaps: booked.adjusted == nil ? booked.trip.gaps.count : 0,
            gapDistance: booked.adjusted == nil ? booked.trip.gaps.distance : .zero
        )
        hasUnreadPassengers = Self.passengers(of: booked) == nil
        startedAt = booked.trip.startedAt.timestamp
        endedAt = booked.trip.endedAt?.timestamp
    }

    /// Returns how many passengers a trip had, from a field of any type; `nil` if the value is not
    /// a number of passengers, or fields of several names have different values.
    private static func passengers(of booked: BookedTrip) -> Int64? {
        guard let fields = booked.details.fields else { return 0 }
        if let value = fields[passengersField] { return passengers(saidBy: value) }
        let said = fields.all.filter { passengersNames.contains($0.key.lowercased()) }
            .map { passengers(saidBy: $0.value) }
        guard let first = said.first else { return 0 }
        return said.allSatisfy { $0 == first } ? first : nil
    }

    private static func passengers(saidBy value: CustomValue) -> Int64? {
        let count: Int64? =
            switch value {
            case .null, .boolean(false): 0
            case .number(let number): number.units(places: 0)
            case .text(let text): passengers(saidBy: text.filter { $0 != " " })
            case .boolean(true): nil
            }
        return count.flatMap { (0...mostPassengers).contains($0) ? $0 : nil }
    }

    private static func passengers(saidBy text: String) -> Int64? {
        text.isEmpty ? 0 : Int64(text)
    }

    /// Returns how much a way to work counts if it is the only one of its day, as far as the trip
    /// itself tells: a reported trip is taken for all that was driven.
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
                    engine: registration.engine.map(Int.init),
                    driver: registration.driver
                )
                return (NameKey(vehicle.name), known)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
