public import TripEvents

/// Adds up rows of the view of totals for each day, week, month, year, vehicle, class, client or
/// source.
///
/// Sums are exact: the groups of every grouping add up to the same total.
public struct TotalsTable: Sendable {
    private let grouping: TotalsGrouping
    private let localDay: LocalDay
    private let firstDay: Int
    private let lastDay: Int
    private var groups: [[UInt8]: TotalsGroup] = [:]

    /// The sums over all trips added.
    public private(set) var total = TotalsSums()

    /// Creates a table without trips.
    ///
    /// - Parameters:
    ///   - grouping: what each line is about.
    ///   - from: the first local day that counts; `nil` for all.
    ///   - to: the last local day that counts; `nil` for all.
    ///   - localDay: on which day a trip is counted.
    public init(
        by grouping: TotalsGrouping,
        from: CivilDate? = nil,
        to: CivilDate? = nil,
        localDay: LocalDay
    ) {
        self.grouping = grouping
        self.localDay = localDay
        firstDay = from?.daysSince1970 ?? .min
        lastDay = to?.daysSince1970 ?? .max
    }

    /// Adds the trips of a row that start on the days that count.
    public mutating func add(_ row: TotalsRow) {
        for cell in row.cells {
            let day = localDay.daysSince1970(of: cell.key)
            guard firstDay <= day, day <= lastDay else { continue }
            let name = name(of: cell.key, day: day)
            let key = name.map { Array($0.utf8) } ?? []
            var sums = groups[key]?.sums ?? TotalsSums()
            sums += cell.sums
            groups[key] = TotalsGroup(name: name, sums: sums)
            total += cell.sums
        }
    }

    /// The groups in order of their names' bytes, which for days, weeks, months and years is the
    /// order of time; first, trips that name no vehicle or client.
    public var lines: [TotalsGroup] {
        groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    private func name(of key: TotalsKey, day: Int) -> String? {
        switch grouping {
        case .day: CivilDate(daysSince1970: day).description
        case .week: Self.week(of: day)
        case .month: String(CivilDate(daysSince1970: day).description.dropLast(3))
        case .year: String(CivilDate(daysSince1970: day).description.dropLast(6))
        case .vehicle: key.vehicle
        case .tripClass: key.tripClass.rawValue
        case .client: key.client
        case .source: key.source
        }
    }

    /// Returns the week of a day as ISO 8601 counts: from Monday, and the week that has the year's
    /// first Thursday is its first.
    private static func week(of day: Int) -> String {
        let monday = day - ((day + 3) % 7 + 7) % 7
        let thursday = CivilDate(daysSince1970: monday + 3)
        let firstOfYear = CivilDate(year: thursday.year, month: 1, day: 1)
        let dayOfYear = monday + 3 - (firstOfYear?.daysSince1970 ?? 0)
        let week = String(dayOfYear / 7 + 1)
        let year = thursday.description.prefix(4)
        return "\(year)-W" + String(repeating: "0", count: 2 - week.count) + week
    }
}
