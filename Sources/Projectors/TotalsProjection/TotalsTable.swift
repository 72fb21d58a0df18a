public import Geodesy
public import Projections
public import TripEvents
public import TripTracking

/// Adds up rows of the view of totals for each day, week, month, year, vehicle, class, client,
/// source or group of sources, or for each pair of two of these.
///
/// Sums are exact: the groups of every grouping add up to the same total.
public struct TotalsTable: Sendable {
    /// What the cells of a group have in common.
    private enum Group: Hashable {
        /// A day, week, month or year: the number of its first day, or of the month or year.
        case time(Int)

        /// A text of the trips, as bytes: texts that only look the same are different.
        case text([UInt8])

        /// Trips that name no vehicle or client.
        case unnamed
    }

    /// The groups of a cell: the one of the grouping, and the one within it, if there is one.
    private struct Pair: Hashable {
        var group: Group
        var inner: Group?
    }

    /// The property by which lines are grouped.
    public let grouping: TotalsGrouping

    /// The property by which the lines within each group are grouped; `nil` if there are none.
    public let innerGrouping: TotalsGrouping?

    /// The days that count.
    public let period: LocalPeriod

    /// The only group of sources whose trips count; `nil` for all.
    public let selection: GroupSelection?

    /// The sums over all trips added.
    public private(set) var total = TotalsSums()

    /// The ways before trips of these days that nothing recorded.
    public private(set) var unrecorded = UnrecordedTotal()

    /// The trips of these days that overlap others.
    public private(set) var overlapping = OverlapTotal()

    /// The recorded ways of these days that are no trips, and in no other sum.
    public private(set) var uncounted = UncountedTotal()

    /// Who drove trips, if lines go by that; set before trips are added one by one.
    public var drivers = DriverBook()

    /// Who drove each trip that was added, likewise.
    private var driven: [TripID: Group] = [:]

    /// Whether lines go by who drove, so that each trip is added by itself.
    public var needsDrivers: Bool { grouping == .driver || innerGrouping == .driver }

    private var sums: [Pair: TotalsSums] = [:]
    private var unrecordedOfGroups: [Pair: UnrecordedTotal] = [:]
    private var overlappingOfGroups: [Pair: OverlapTotal] = [:]

    /// Creates a table without trips.
    ///
    /// - Parameters:
    ///   - grouping: what each line is about.
    ///   - innerGrouping: what the lines within each group are about; `nil` for none.
    ///   - period: the days that count.
    ///   - selection: the only group of sources whose trips count; `nil` for all.
    public init(
        by grouping: TotalsGrouping,
        thenBy innerGrouping: TotalsGrouping? = nil,
        in period: LocalPeriod,
        of selection: GroupSelection? = nil
    ) {
        self.grouping = grouping
        self.innerGrouping = innerGrouping
        self.period = period
        self.selection = selection
    }

    /// Adds the trips of a row that start on the days that count.
    public mutating func add(_ row: TotalsRow) {
        for cell in row.cells where includes(cell.key.group) {
            let day = cell.key.daysSince1970(by: period.localDay)
            guard period.containsDay(day) else { continue }
            if let reason = cell.key.uncounted {
                uncounted.add(cell.sums, because: reason)
                continue
            }
            sums[pair(of: cell.key, day: day), default: TotalsSums()] += cell.sums
            total += cell.sums
        }
    }

    /// Adds a trip that is in no row which was added.
    public mutating func add(_ booked: BookedTrip) {
        guard includes(booked.trip.group), period.contains(booked.trip.startedAt) else { return }
        if let reason = booked.uncountedReason {
            return uncounted.add(TotalsSums(booked), because: reason)
        }
        guard booked.counts else { return }
        let added = TotalsSums(booked)
        if needsDrivers { driven[booked.id] = Self.group(named: drivers.driver(of: booked)) }
        let pair = pair(of: TotalsProjector.key(of: booked), of: booked.id)
        sums[pair, default: TotalsSums()] += added
        total += added
    }

    /// Adds a way that nothing recorded to the group of the trip after it.
    public mutating func add(_ way: UnrecordedWay) {
        guard includes(way.later.group), period.contains(way.later.startedAt) else { return }
        let pair = pair(of: TotalsKey(of: way.later), of: way.later.trip)
        unrecordedOfGroups[pair, default: UnrecordedTotal()].add(way)
        unrecorded.add(way)
    }

    /// Adds a trip that overlaps another one to its group; it is among those added already.
    public mutating func add(_ overlap: TripOverlap) {
        guard includes(overlap.ends.group), period.contains(overlap.ends.startedAt) else { return }
        let pair = pair(of: TotalsKey(of: overlap.ends), of: overlap.ends.trip)
        overlappingOfGroups[pair, default: OverlapTotal()].add(overlap)
        overlapping.add(overlap)
    }

    /// Takes a trip away that was added, because another one was made in the same car.
    public mutating func leaveOut(_ booked: BookedTrip) {
        guard booked.counts, includes(booked.trip.group), period.contains(booked.trip.startedAt)
        else { return }
        let left = TotalsSums(booked)
        sums[pair(of: TotalsProjector.key(of: booked), of: booked.id)]? -= left
        total -= left
    }

    private func includes(_ group: String?) -> Bool { selection?.includes(group) ?? true }

    /// The groups in order of time, or of their names' bytes, and those within one in the same
    /// order: first, trips that name no vehicle or client.
    public var lines: [TotalsGroup] {
        pairs.map { line($0) }
    }

    /// More empty times than this in a row are one line: a year that was mistyped is no reason for
    /// half a million.
    private static let mostEmptyTimes = 400

    /// The same, with the days, weeks, months or years between the first and the last one that
    /// have no trips; those of pairs are left out.
    ///
    /// More than 400 of them in a row are one line with the name `…`.
    public var linesWithEmptyTimes: [TotalsGroup] {
        guard innerGrouping == nil else { return lines }
        let step = grouping == .week ? 7 : 1
        var all: [TotalsGroup] = []
        var next: Int?
        for pair in pairs {
            if case .time(let time) = pair.group {
                let first = next ?? time
                if (time - first) / step > Self.mostEmptyTimes {
                    all.append(TotalsGroup(name: "…", sums: TotalsSums()))
                } else {
                    all += stride(from: first, to: time, by: step)
                        .map { line(Pair(group: .time($0))) }
                }
                next = time + step
            }
            all.append(line(pair))
        }
        return all
    }

    private var pairs: [Pair] {
        sums.keys.sorted { left, right in
            if left.group != right.group { return Self.precedes(left.group, right.group) }
            guard let inner = left.inner, let other = right.inner else { return false }
            return Self.precedes(inner, other)
        }
    }

    private func line(_ pair: Pair) -> TotalsGroup {
        TotalsGroup(
            name: name(of: pair.group, grouping),
            innerName: innerGrouping.flatMap { name(of: pair.inner ?? .unnamed, $0) },
            sums: sums[pair] ?? TotalsSums(),
            unrecorded: unrecordedOfGroups[pair] ?? UnrecordedTotal(),
            overlapping: overlappingOfGroups[pair] ?? OverlapTotal()
        )
    }

    private func pair(of key: TotalsKey, of trip: TripID) -> Pair {
        let day = key.daysSince1970(by: period.localDay)
        return pair(of: key, day: day, driver: driven[trip] ?? .unnamed)
    }

    private func pair(of key: TotalsKey, day: Int, driver: Group = .unnamed) -> Pair {
        Pair(
            group: Self.group(of: key, day: day, grouping, driver: driver),
            inner: innerGrouping.map { Self.group(of: key, day: day, $0, driver: driver) }
        )
    }

    private static func group(
        of key: TotalsKey,
        day: Int,
        _ grouping: TotalsGrouping,
        driver: Group
    ) -> Group {
        switch grouping {
        case .day: .time(day)
        case .week: .time(monday(of: day))
        case .month: .time(month(of: CivilDate(daysSince1970: day)))
        case .year: .time(CivilDate(daysSince1970: day).year)
        case .vehicle: group(named: key.vehicle)
        case .tripClass: group(named: key.tripClass.rawValue)
        case .client: group(named: key.client)
        case .source: group(named: key.source)
        case .sourceGroup: group(named: key.group)
        case .driver: driver
        }
    }

    private func name(of group: Group, _ grouping: TotalsGrouping) -> String? {
        switch group {
        case .time(let number): Self.name(ofTime: number, grouping)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .unnamed: nil
        }
    }

    private static func name(ofTime number: Int, _ grouping: TotalsGrouping) -> String {
        switch grouping {
        case .week: week(from: number)
        case .month: "\(padded(number / 12, to: 4))-\(padded(number % 12 + 1, to: 2))"
        case .year: padded(number, to: 4)
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

/// The totals of one day, week, month, year, vehicle, class, client, source or group of sources.
public struct TotalsGroup: Hashable, Sendable {
    /// Its name: `2026-03-14`, `2026-W11` (ISO 8601), `2026-03`, `2026`, or what the trips say;
    /// `nil` if they name no vehicle or client.
    public let name: String?

    /// The name of the group within it; `nil` if there is none, or its trips name none.
    public let innerName: String?

    /// The sums over its trips.
    public let sums: TotalsSums

    /// The ways before its trips that nothing recorded.
    public let unrecorded: UnrecordedTotal

    /// Its trips that overlap others.
    public let overlapping: OverlapTotal

    /// Creates a group.
    public init(
        name: String?,
        innerName: String? = nil,
        sums: TotalsSums,
        unrecorded: UnrecordedTotal = UnrecordedTotal(),
        overlapping: OverlapTotal = OverlapTotal()
    ) {
        self.name = name
        self.innerName = innerName
        self.sums = sums
        self.unrecorded = unrecorded
        self.overlapping = overlapping
    }
}

/// The recorded ways that are no trips, by the reason.
public struct UncountedTotal: Hashable, Sendable {
    /// The reasons for which ways are added up, in the order in which they are told.
    public static let reasons: [AbandonReason] = [
        .notByCar, .walkingPace, .falseStart, .afterStop,
    ]

    private var sums: [AbandonReason: TotalsSums] = [:]

    /// Creates the total of no ways.
    public init() {}

    /// The number of ways, and how long they were together, for a reason.
    public subscript(reason: AbandonReason) -> (ways: Int64, distance: Distance) {
        let sums = sums[reason] ?? TotalsSums()
        return (sums.trips, sums.distance)
    }

    /// Whether there are none.
    public var isEmpty: Bool { sums.isEmpty }

    mutating func add(_ added: TotalsSums, because reason: AbandonReason) {
        sums[reason, default: TotalsSums()] += added
    }
}

/// The property by which totals are grouped; the raw value is its name on the command line.
public enum TotalsGrouping: String, CaseIterable, Sendable {
    case day
    case week
    case month
    case year
    case vehicle
    case tripClass = "class"
    case client
    case source
    case sourceGroup = "group"
    case driver
}
