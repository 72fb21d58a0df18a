public import Geodesy
public import TripEvents

/// The distance of the trips of each vehicle in each year, by class, and month by month.
///
/// Every trip is in one year and one month, so that years and months add up to exactly the same
/// sum, which is also that of the mileage log of the same days.
public struct YearSummary: Sendable {
    /// The sums over a number of trips.
    public struct Figures: Hashable, Sendable {
        /// The number of trips.
        public internal(set) var trips: Int64 = 0

        /// Their distance as claimed.
        public internal(set) var distance = Distance.zero

        /// The sum of their distances as each is printed.
        public internal(set) var printed: Int64 = 0

        /// Creates the figures of no trips.
        public init() {}

        /// Adds other trips.
        public static func += (figures: inout Figures, other: Figures) {
            figures.trips += other.trips
            figures.distance += other.distance
            figures.printed += other.printed
        }
    }

    /// The trips of one vehicle in one year, or month.
    public struct Group: Hashable, Sendable {
        /// The year, as the jurisdiction counts it, or the year of the calendar.
        public let year: Int

        /// The month; `nil` for the whole year.
        public let month: Int?

        /// The vehicle; `nil` for the trips that name none.
        public private(set) var vehicle: String?

        /// The first day with a trip.
        public internal(set) var firstDay: CivilDate

        /// The last day with a trip.
        public internal(set) var lastDay: CivilDate

        /// One for each class, in the order of `TripClass`.
        var classes = TripClass.allCases.map { _ in Figures() }

        /// Creates the sum of several groups; there MUST be one.
        public init(totalOf groups: [Group]) {
            self = groups[0]
            for group in groups.dropFirst() {
                firstDay = min(firstDay, group.firstDay)
                lastDay = max(lastDay, group.lastDay)
                for index in classes.indices { classes[index] += group.classes[index] }
            }
            vehicle = nil
        }

        init(year: Int, month: Int?, vehicle: String?, day: CivilDate) {
            self.year = year
            self.month = month
            self.vehicle = vehicle
            firstDay = day
            lastDay = day
        }

        /// The sums over the trips of a class.
        public subscript(tripClass: TripClass) -> Figures {
            classes[MileageLog.index(of: tripClass)]
        }

        /// The sums over the trips of some classes.
        public func figures(of classes: [TripClass] = TripClass.allCases) -> Figures {
            classes.reduce(into: Figures()) { $0 += self[$1] }
        }
    }

    private struct Key: Hashable {
        let year: Int
        let month: Int?
        let vehicle: [UInt8]?
    }

    private let jurisdiction: LogJurisdiction?
    private let printed: @Sendable (Distance) -> Int64
    private var groups: [Key: Group] = [:]

    /// Creates a summary without trips.
    ///
    /// - Parameters:
    ///   - jurisdiction: the jurisdiction whose years count; `nil` for calendar years.
    ///   - printed: returns the printed value of a distance, in units of its last digit.
    public init(
        for jurisdiction: LogJurisdiction?,
        printed: @escaping @Sendable (Distance) -> Int64
    ) {
        self.jurisdiction = jurisdiction
        self.printed = printed
    }

    /// Adds a trip by its line in a mileage log.
    public mutating func add(_ line: MileageLine) {
        let vehicle = line.vehicle.map { Array($0.utf8) }
        let year = jurisdiction?.taxYear(of: line.date) ?? line.date.year
        add(line, to: Key(year: year, month: nil, vehicle: vehicle))
        let month = line.date.month
        add(line, to: Key(year: line.date.year, month: month, vehicle: vehicle))
    }

    private mutating func add(_ line: MileageLine, to key: Key) {
        let index = MileageLog.index(of: line.tripClass)
        let printed = self.printed(line.distance)
        func add(to group: inout Group) {
            group.firstDay = min(group.firstDay, line.date)
            group.lastDay = max(group.lastDay, line.date)
            group.classes[index].trips += 1
            group.classes[index].distance += line.distance
            group.classes[index].printed += printed
        }
        let none = Group(
            year: key.year,
            month: key.month,
            vehicle: line.vehicle,
            day: line.date
        )
        add(to: &groups[key, default: none])
    }

    /// The vehicles in each year, in order of years and then of their names, those without a name
    /// last.
    public var years: [Group] { inOrder { $0.month == nil } }

    /// The vehicles in each month of the calendar, in the same order.
    public var months: [Group] { inOrder { $0.month != nil } }

    private func inOrder(_ isIncluded: (Key) -> Bool) -> [Group] {
        groups.filter { isIncluded($0.key) }
            .sorted { one, other in
                let (a, b) = (one.key, other.key)
                guard (a.year, a.month ?? 0) == (b.year, b.month ?? 0) else {
                    return (a.year, a.month ?? 0) < (b.year, b.month ?? 0)
                }
                guard let first = a.vehicle, let second = b.vehicle else {
                    return a.vehicle != nil && b.vehicle == nil
                }
                return first.lexicographicallyPrecedes(second)
            }
            .map(\.value)
    }
}
