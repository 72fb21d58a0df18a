public import Projections
public import TripEvents

/// A requirement with its state in a log.
public struct CheckedRequirement: Sendable {
    /// The requirement.
    public let requirement: LogRequirement

    /// The state of the requirement in the ledger.
    public let state: LogRequirement.State

    /// The trips that are concerned.
    public let concerns: [Completeness.Concern]

    /// The vehicles that are concerned.
    public let vehicles: [String]

    /// For a requirement that a log covers some weeks, the days that it covers, of the vehicle with
    /// the fewest; `nil` for any other requirement, and without trips.
    public let coveredDays: Int?

    /// Checks what a jurisdiction asks for.
    ///
    /// - Parameters:
    ///   - jurisdiction: whose requirements.
    ///   - log: what the trips lack.
    ///   - period: the days.
    ///   - book: what is known of vehicles.
    /// - Returns: one for each requirement, in their order.
    public static func all(
        of jurisdiction: LogJurisdiction,
        _ log: Completeness,
        in period: LocalPeriod,
        _ book: VehicleBook
    ) -> [CheckedRequirement] {
        LogRequirement.all(of: jurisdiction)
            .map { CheckedRequirement($0, log, in: period, book) }
    }

    private init(
        _ requirement: LogRequirement,
        _ log: Completeness,
        in period: LocalPeriod,
        _ book: VehicleBook
    ) {
        self.requirement = requirement
        var concerns: [Completeness.Concern] = []
        var vehicles: [String] = []
        var coveredDays: Int?
        // A requirement that no trip contradicts is met only if there are trips.
        let met: LogRequirement.State = log.trips > 0 ? .met : .cannotTell
        switch requirement.test {
        case .fixed(let fixed): state = fixed
        case .recordedOfEveryTrip: state = met
        case .trips(let checks, let open, let classes):
            concerns = log.concerns(checks, but: classes)
            let left = log.concerns(open, but: classes)
            state = concerns.isEmpty ? (left.isEmpty ? met : .cannotTell) : .missing
            if concerns.isEmpty { concerns = left }
        case .vehicles(let datum):
            vehicles = log.vehicles.filter { !Self.has(datum, book.vehicle(named: $0)) }
            // If trips name no vehicle, it is open which vehicle's data are required.
            if vehicles.isEmpty { concerns = log.concerns([.noVehicle], but: []) }
            state = vehicles.isEmpty ? (concerns.isEmpty ? met : .cannotTell) : .missing
        case .readings:
            vehicles = log.vehicles.filter { !Self.isRead($0, at: period, book) }
            let isOpen = period.from == nil || period.to == nil
            state = isOpen ? .cannotTell : vehicles.isEmpty ? met : .missing
        case .everyTrip:
            concerns = log[.unrecordedBefore]
            vehicles = log.vehiclesWithRest
            let isMissing = !concerns.isEmpty || !vehicles.isEmpty
            // Without an odometer, nothing shows that a trip is missing.
            if !isMissing { vehicles = log.vehicles.filter { !Self.isRead($0, at: period, book) } }
            let isSeen = vehicles.isEmpty && log[.noVehicle].isEmpty
            state = isMissing ? .missing : isSeen ? met : .cannotTell
        case .weeks(let weeks):
            let covered = log.coveredDays { Self.readingDays(of: $0, in: period, book) }
            let short = covered.filter { $0.days < weeks * 7 }
            // No day tells whether a car stood still or its trips were left out.
            let broken = covered.filter { $0.daysWithoutBreak < weeks * 7 }
            vehicles = (short.isEmpty ? broken : short).compactMap { $0.vehicle }
            coveredDays = covered.map { $0.days }.min()
            state = short.isEmpty ? (broken.isEmpty ? met : .cannotTell) : .missing
        }
        self.concerns = concerns
        self.vehicles = vehicles
        self.coveredDays = coveredDays
    }

    /// The command that helps; `nil` if nothing is to be done, or no command does it.
    public var help: String? {
        switch (state, requirement.test) {
        case (.met, _): nil
        case (.cannotTell, .vehicles) where !concerns.isEmpty: "ledger edit TRIP --vehicle NAME"
        default: requirement.help
        }
    }

    private static func has(_ datum: LogRequirement.Datum, _ vehicle: RegisteredVehicle?) -> Bool {
        guard let registration = vehicle?.registration else { return false }
        return switch datum {
        case .plate: registration.plate != nil
        case .makeAndModel: registration.make != nil && registration.model != nil
        case .inService: registration.inServiceSince != nil
        case .engine:
            registration.engine != nil || registration.isElectric == true
                || registration.kind == .bicycle
        // The rates of mopeds do not go by it.
        case .fiscalPower:
            registration.fiscalPower != nil || registration.kind == .bicycle
                || registration.kind == .moped
        }
    }

    /// Whether the odometer of a vehicle was read on the first day or the one before it, and on the
    /// last day or the one after it.
    private static func isRead(
        _ vehicle: String,
        at period: LocalPeriod,
        _ book: VehicleBook
    ) -> Bool {
        guard let from = period.from?.daysSince1970, let to = period.to?.daysSince1970 else {
            return false
        }
        let days = book.readings(of: vehicle)
            .map { period.localDay.daysSince1970(of: $0.readAt) }
        return days.contains { (from - 1...from).contains($0) }
            && days.contains { (to...to + 1).contains($0) }
    }

    /// The days of a period on which the odometer of a vehicle was read.
    private static func readingDays(
        of vehicle: String,
        in period: LocalPeriod,
        _ book: VehicleBook
    ) -> [CivilDate] {
        book.readings(of: vehicle).filter { period.contains($0.readAt) }
            .map { period.localDay.day(of: $0.readAt) }
    }
}
