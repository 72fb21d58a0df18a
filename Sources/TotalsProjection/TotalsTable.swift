public import Projections
public import TripEvents
import TripTracking

/// Adds up rows of the view of totals for each day, week, month, year, vehicle, class, client or
/// source.
///
/// Sums are exact: the groups of every grouping add up to the same total.
public struct TotalsTable: Sendable {
    /// What the cells of a group have in common.
    private enum Group: Hashable {
        /// A day, week, month or year: the number of its first day, or of the month or year.
        case time(Int)

        /// What trips say, in bytes: texts that only look the same are not.
        case text([UInt8])

        /// Trips that name no vehicle or client.
        case unnamed
    }

    /// What each line is about.
    public let grouping: TotalsGrouping

    /// The days that count.
    public let period: LocalPeriod

    /// The sums over all trips added.
    public private(set) var total = TotalsSums()

    /// The ways before trips of these days that nothing recorded.
    public private(set) var unrecorded = UnrecordedTotal()

    /// The trips of these days that overlap others.
    public private(set) var overlapping = OverlapTotal()

    private var sums: [Group: TotalsSums] = [:]
    private var unrecordedOfGroups: [Group: UnrecordedTotal] = [:]
    private var overlappingOfGroups: [Group: OverlapTotal] = [:]

    /// Creates a table without trips.
    ///
    /// - Parameters:
    ///   - grouping: what each line is about.
    ///   - period: the days that count.
    public init(by grouping: TotalsGrouping, in period: LocalPeriod) {
        self.grouping = grouping
        self.period = period
    }

    /// Adds the trips of a row that start on the days that count.
    public mutating func add(_ row: TotalsRow) {
        for cell in row.cells {
            let day = cell.key.daysSince1970(by: period.localDay)
            guard period.containsDay(day) else { continue }
            sums[group(of: cell.key, day: day), default: TotalsSums()] += cell.sums
            total += cell.sums
        }
    }

    /// Adds a way that nothing recorded to the group of the trip after it.
    public mutating func add(_ way: UnrecordedWay) {
        guard period.contains(way.later.startedAt) else { return }
        unrecordedOfGroups[group(of: TotalsKey(of: way.later)), default: UnrecordedTotal()]
            .add(way)
        unrecorded.add(way)
    }

    /// Adds a trip that overlaps another one to its group; it is among those added already.
    public mutating func add(_ overlap: TripOverlap) {
        guard period.contains(overlap.ends.startedAt) else { return }
        overlappingOfGroups[group(of: TotalsKey(of: overlap.ends)), default: OverlapTotal()]
            .add(overlap)
        overlapping.add(overlap)
    }

    /// Takes a trip away that was added, because another one was made in the same car.
    public mutating func leaveOut(_ booked: BookedTrip) {
        guard booked.counts, period.contains(booked.trip.startedAt) else { return }
        let left = TotalsSums(booked)
        sums[group(of: TotalsProjector.key(of: booked))]? -= left
        total -= left
    }

    /// The groups in order of time, or of their names' bytes: first, trips that name no vehicle or
    /// client.
    public var lines: [TotalsGroup] {
        groups.map { line($0) }
    }

    /// The same, with the days, weeks, months or years between the first and the last one that
    /// have no trips.
    public var linesWithEmptyTimes: [TotalsGroup] {
        guard case .time(let first)? = groups.first, case .time(let last)? = groups.last else {
            return lines
        }
        return stride(from: first, through: last, by: grouping == .week ? 7 : 1)
            .map { line(.time($0)) }
    }

    private var groups: [Group] { sums.keys.sorted { Self.precedes($0, $1) } }

    private func line(_ group: Group) -> TotalsGroup {
        TotalsGroup(
            name: name(of: group),
            sums: sums[group] ?? TotalsSums(),
            unrecorded: unrecordedOfGroups[group] ?? UnrecordedTotal(),
            overlapping: overlappingOfGroups[group] ?? OverlapTotal()
        )
    }

    private func group(of key: TotalsKey) -> Group {
        group(of: key, day: key.daysSince1970(by: period.localDay))
    }

    private func group(of key: TotalsKey, day: Int) -> Group {
        switch grouping {
        case .day: .time(day)
        case .week: .time(Self.monday(of: day))
        case .month: .time(Self.month(of: CivilDate(daysSince1970: day)))
        case .year: .time(CivilDate(daysSince1970: day).year)
        case .vehicle: Self.group(named: key.vehicle)
        case .tripClass: Self.group(named: key.tripClass.rawValue)
        case .client: Self.group(named: key.client)
        case .source: Self.group(named: key.source)
        }
    }

    private func name(of group: Group) -> String? {
        switch group {
        case .time(let number): name(ofTime: number)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .unnamed: nil
        }
    }

    private func name(ofTime number: Int) -> String {
        switch grouping {
        case .week: Self.week(from: number)
        case .month: "\(Self.padded(number / 12, to: 4))-\(Self.padded(number % 12 + 1, to: 2))"
        case .year: Self.padded(number, to: 4)
        default: CivilDate(daysSince1970: number).description
        }
    }

    private static func group(named name: String?) -> Group {
        name.map { .text(Array($0.utf8)) } ?? .unnamed
    }

    private static func precedes(_ left: Group, _ right: Group) -> Bool {
        switch (left, right) {
        case (.time(let left), .time(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.unnamed, _): right != .unnamed
        default: false
        }
    }

    /// Returns the months from year 0 on.
    private static func month(of date: CivilDate) -> Int { date.year * 12 + date.month - 1 }

    private static func monday(of day: Int) -> Int { day - ((day + 3) % 7 + 7) % 7 }

    /// Returns the week that begins on a Monday as ISO 8601 counts: the week that has the year's
    /// first Thursday is its first.
    private static func week(from monday: Int) -> String {
        let thursday = CivilDate(daysSince1970: monday + 3)
        let firstOfYear = CivilDate(year: thursday.year, month: 1, day: 1)
        let dayOfYear = monday + 3 - (firstOfYear?.daysSince1970 ?? 0)
        return "\(padded(thursday.year, to: 4))-W\(padded(dayOfYear / 7 + 1, to: 2))"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// The totals of one day, week, month, year, vehicle, class, client or source.
public struct TotalsGroup: Hashable, Sendable {
    /// Its name: `2026-03-14`, `2026-W11` (ISO 8601), `2026-03`, `2026`, or what the trips say;
    /// `nil` if they name no vehicle or client.
    public let name: String?

    /// The sums over its trips.
    public let sums: TotalsSums

    /// The ways before its trips that nothing recorded.
    public let unrecorded: UnrecordedTotal

    /// Its trips that overlap others.
    public let overlapping: OverlapTotal

    /// Creates a group.
    public init(
        name: String?,
        sums: TotalsSums,
        unrecorded: UnrecordedTotal = UnrecordedTotal(),
        overlapping: OverlapTotal = OverlapTotal()
    ) {
        self.name = name
        self.sums = sums
        self.unrecorded = unrecorded
        self.overlapping = overlapping
    }
}

/// What totals are made for each of; the raw value is its name on the command line.
public enum TotalsGrouping: String, CaseIterable, Sendable {
    case day
    case week
    case month
    case year
    case vehicle
    case tripClass = "class"
    case client
    case source
}

extension LocalDay {
    /// By which rule trips are counted, in words, for beside the totals.
    public var sentence: String {
        usesOwnOffsets
            ? "A trip counts on the local day on which it starts: by its own UTC offset if that is "
                + "known, else in the time zone \(zone.name)."
            : "A trip counts on the local day on which it starts in the time zone \(zone.name)."
    }
}
