import Geodesy
public import Projections
import Tables
public import TripEvents
import TripTracking

/// Something that a trip in a mileage log lacks, or that a reader may question; the raw value is
/// the name in JSON.
public enum CompletenessCheck: String, CaseIterable, Sendable {
    /// A trip for business, or of another class that needs a purpose, names no purpose.
    case noPurpose = "no_purpose"

    /// It has no class.
    case unclassified

    /// Its class does not say how much of it was private.
    case mixed

    /// It names no vehicle.
    case noVehicle = "no_vehicle"

    /// A trip for business names no client.
    case noClient = "no_client"

    /// Nothing says where it started.
    case noStart = "no_start"

    /// Only a position says where it started.
    case startPositionOnly = "start_position_only"

    /// Nothing says the street and the number where it started.
    case noStartAddress = "no_start_address"

    /// Nothing says where it ended.
    case noEnd = "no_end"

    /// Only a position says where it ended.
    case endPositionOnly = "end_position_only"

    /// Nothing says the street and the number where it ended.
    case noEndAddress = "no_end_address"

    /// The odometer's reading is not known at one end or both.
    case noOdometer = "no_odometer"

    /// Nothing was ever entered about it.
    case noEntry = "no_entry"

    /// The first of its details was entered late.
    case lateEntry = "late_entry"

    /// Its purpose was entered late, with its other details or after them.
    case latePurpose = "late_purpose"

    /// Its details were changed late.
    case lateChange = "late_change"

    /// Parts of the way were not measured.
    case gaps

    /// A way before it was not recorded.
    case unrecordedBefore = "unrecorded_before"

    /// A person set its distance.
    case adjusted

    /// It was not measured.
    case reported

    /// It was made of several trips.
    case merged

    /// It ended where it began, as far as its places and addresses tell.
    case endsWhereItBegan = "ends_where_it_began"

    /// Another recorder was in the car.
    case overlapping
}

extension MileageLine {
    /// Whether a street and a number say where it started.
    fileprivate var startsAtAddress: Bool { originAddress != nil || Self.isAddress(origin) }

    /// Whether a street and a number say where it ended.
    fileprivate var endsAtAddress: Bool { destinationAddress != nil || Self.isAddress(destination) }

    /// Whether it ended where it began: at the same address, at what has the same name or, where
    /// only positions are known, near the first one.
    fileprivate var endsWhereItBegan: Bool {
        if let originAddress, let destinationAddress {
            return originAddress.lowercased() == destinationAddress.lowercased()
        }
        switch (origin, destination) {
        case (.words(let start)?, .words(let end)?): return start.lowercased() == end.lowercased()
        case (.position(let start)?, .position(let end)?):
            return start.distance(to: end) <= Self.farthestFromBeginning
        case (.words?, _), (.position?, _), (nil, _): return false
        }
    }

    /// Cars are parked some houses from where they stood.
    private static let farthestFromBeginning = Distance(millimeters: 100_000)

    /// Whether words are an address: a number and two names, as those of a street and a town in
    /// "Dorpsstraat 1, Delft", or a British postcode, such as "SW1A 1AA".
    ///
    /// "Baustelle 3" is none. Not every street has letters alone ("Q7 24, Mannheim"), nor does a
    /// comma stand before every town.
    private static func isAddress(_ place: MileagePlace?) -> Bool {
        guard case .words(let words)? = place else { return false }
        let parts = words.split { !$0.isLetter && !$0.isNumber }
        let hasNumber = parts.contains { $0.first?.isNumber ?? false }
        let nameCount = parts.count { $0.count > 1 && $0.allSatisfy(\.isLetter) }
        let lineCount = words.split { $0 == "," || $0.isNewline }
            .count { $0.contains(where: \.isLetter) }
        return hasNumber && max(nameCount, lineCount) > 1
            || zip(parts, parts.dropFirst()).contains { isPostcode($0, $1) }
    }

    private static func isPostcode(_ area: Substring, _ unit: Substring) -> Bool {
        (2...4).contains(area.count) && area.first?.isLetter == true
            && area.contains(where: \.isNumber) && unit.count == 3 && unit.first?.isNumber == true
            && unit.dropFirst().allSatisfy(\.isLetter)
    }
}

/// The details that trips of some days lack.
public struct Completeness: Sendable {
    /// A trip that is concerned.
    public struct Concern: Hashable, Sendable {
        /// The trip.
        public let trip: TripID

        /// The local day on which it counts.
        public let date: CivilDate

        /// Its class.
        public let tripClass: TripClass
    }

    /// Days in a row.
    public struct Days: Hashable, Sendable {
        /// The first of them.
        public let from: CivilDate

        /// The last of them.
        public let to: CivilDate

        /// How many they are.
        public var count: Int { to.daysSince1970 - from.daysSince1970 + 1 }
    }

    /// The number of days after which an entry is late.
    public let daysForEntries: Int64

    /// How many trips count.
    public private(set) var trips: Int64 = 0

    /// How soon their details were entered.
    public private(set) var details = Contemporaneity()

    /// Trips whose details were entered in time and changed late: their purpose may have been
    /// entered late.
    public private(set) var undecided: [Concern] = []

    /// The vehicles that trips name, in order of their names.
    public var vehicles: [String] {
        names.sorted().map(\.name)
    }

    /// The vehicles whose odometers show distance on no trip, in order of their names.
    var vehiclesWithRest: [String] { restNames.sorted().map(\.name) }

    private var restNames: Set<NameKey> = []
    private var concerns: [CompletenessCheck: [Concern]] = [:]
    private var names: Set<NameKey> = []

    /// The days with a trip of each vehicle; under `nil`, of those without one.
    private var tripDays: [NameKey?: Set<Int>] = [:]

    private var days: Set<Int> = []

    /// Creates a check of no trips.
    ///
    /// - Parameter daysForEntries: after how many days an entry is late.
    public init(daysForEntries: Int64 = LogJurisdiction.daysForEntries) {
        self.daysForEntries = daysForEntries
    }

    /// The trips that a check concerns, in the order in which they were added.
    public subscript(check: CompletenessCheck) -> [Concern] { concerns[check] ?? [] }

    /// Returns the trips that one of some checks concerns, each once, without those of some
    /// classes.
    func concerns(_ checks: [CompletenessCheck], but classes: Set<TripClass>) -> [Concern] {
        var seen: Set<TripID> = []
        return checks.flatMap { self[$0] }
            .filter { !classes.contains($0.tripClass) && seen.insert($0.trip).inserted }
    }

    /// Notes that something was recorded on a day.
    public mutating func note(_ day: CivilDate) {
        days.insert(day.daysSince1970)
    }

    /// Adds a trip by its line in the mileage log, in order of starts.
    public mutating func add(_ line: MileageLine) {
        trips += 1
        details.add(days: line.daysUntilDetails)
        let vehicle = line.vehicle.map { NameKey($0) }
        if let vehicle { names.insert(vehicle) }
        tripDays[vehicle, default: []].insert(line.date.daysSince1970)
        let concern = Concern(trip: line.trip, date: line.date, tripClass: line.tripClass)
        for check in checks(of: line) { concerns[check, default: []].append(concern) }
        let isInTime = (line.daysUntilDetails ?? .max) <= daysForEntries
        if isInTime, line.purpose != nil, (line.daysUntilLastDetails ?? 0) > daysForEntries {
            undecided.append(concern)
        }
    }

    /// Adds a way that nothing recorded, before a trip of a class.
    public mutating func add(_ way: UnrecordedWay, on day: CivilDate) {
        concerns[.unrecordedBefore, default: []]
            .append(
                Concern(trip: way.later.trip, date: day, tripClass: way.later.tripClass)
            )
    }

    /// Adds the distance on an odometer that no trip recorded; a distance that may be due to
    /// rounding is ignored.
    mutating func add(_ rest: OdometerRest) {
        if rest.hasLine { restNames.insert(NameKey(rest.vehicle)) }
    }

    /// Adds a trip whose purpose was entered late, as a closer look has shown.
    public mutating func addLatePurpose(_ concern: Concern) {
        concerns[.latePurpose, default: []].append(concern)
    }

    private func checks(of line: MileageLine) -> [CompletenessCheck] {
        var checks: [CompletenessCheck] = []
        func note(_ check: CompletenessCheck, if isSo: Bool) { if isSo { checks.append(check) } }
        let counts =
            switch line.tripClass {
            case .business, .medical, .charity, .moving, .mixed: true
            case .commute, .personal, .unclassified: false
            }
        note(.noPurpose, if: counts && line.purpose == nil)
        note(.unclassified, if: line.tripClass == .unclassified)
        note(.mixed, if: line.tripClass == .mixed)
        note(.noVehicle, if: line.vehicle == nil)
        let isForBusiness = [.business, .mixed].contains(line.tripClass)
        note(.noClient, if: isForBusiness && line.client == nil)
        note(.noStart, if: line.origin == nil && line.originAddress == nil)
        note(.noEnd, if: line.destination == nil && line.destinationAddress == nil)
        if case .position? = line.origin { checks.append(.startPositionOnly) }
        if case .position? = line.destination { checks.append(.endPositionOnly) }
        note(.noStartAddress, if: line.origin != nil && !line.startsAtAddress)
        note(.noEndAddress, if: line.destination != nil && !line.endsAtAddress)
        note(.noOdometer, if: line.odometerStart == nil || line.odometerEnd == nil)
        note(.noEntry, if: line.daysUntilDetails == nil)
        note(.lateEntry, if: (line.daysUntilDetails ?? 0) > daysForEntries)
        // The first entry was late, and the purpose cannot be older.
        note(.latePurpose, if: line.purpose != nil && (line.daysUntilDetails ?? 0) > daysForEntries)
        note(
            .lateChange,
            if: line.flags.contains("edited")
                && (line.daysUntilLastDetails ?? 0) > daysForEntries
        )
        note(.gaps, if: line.gaps > 0)
        for check in [CompletenessCheck.adjusted, .reported, .merged, .overlapping] {
            note(check, if: line.flags.contains(check.rawValue))
        }
        note(.endsWhereItBegan, if: line.endsWhereItBegan)
        return checks
    }

    /// Returns how many days the log of each vehicle covers, from the first day with a trip or a
    /// reading of its odometer to the last, and how many of them the longest part without a break.
    ///
    /// - Parameter readings: returns the days on which a vehicle's odometer was read.
    /// - Returns: vehicles in order of their names; trips that name none are one log, the first.
    func coveredDays(
        readings: (String) -> [CivilDate]
    ) -> [(vehicle: String?, days: Int, daysWithoutBreak: Int)] {
        var keys: [NameKey?] = tripDays[nil] == nil ? [] : [nil]
        for name in names.sorted() { keys.append(name) }
        return keys.map { key in
            let read = key.map { readings($0.name) } ?? []
            let noted = tripDays[key, default: []].union(read.map(\.daysSince1970)).sorted()
            guard let first = noted.first, let last = noted.last else { return (key?.name, 0, 0) }
            var (start, before, longest) = (first, first, 1)
            for day in noted {
                if day - before - 1 > Self.mostDaysOfRest { start = day }
                longest = max(longest, day - start + 1)
                before = day
            }
            return (key?.name, last - first + 1, longest)
        }
    }

    /// The most days in a row with neither a trip nor a reading that are no break of a log.
    private static let mostDaysOfRest = 14

    /// How many days something was recorded on.
    public var dayCount: Int { days.count }

    /// The days between the first and the last one with a trip, or from the beginning of the
    /// period on, on which nothing was recorded.
    public func emptyDays(in period: LocalPeriod) -> [Days] {
        guard let earliest = days.min() else { return [] }
        var empty: [Days] = []
        var next = period.from?.daysSince1970 ?? earliest
        for day in days.sorted() where day >= next {
            if day > next {
                empty.append(
                    Days(
                        from: CivilDate(daysSince1970: next),
                        to: CivilDate(daysSince1970: day - 1)
                    )
                )
            }
            next = day + 1
        }
        return empty
    }
}
