import Geodesy
package import Projections
package import Tables
package import TotalsProjection
import TripEvents
import TripTracking

/// A group of trips with its sums, or the total of all groups: `totals.v1.schema.json`.
package struct TotalsLine: Tabular {
    /// The share of a whole, in tenths of a percent.
    private static let wholeShare: Int64 = 1_000

    private let grouping: TotalsGrouping
    private let innerGrouping: TotalsGrouping?
    private let name: String?
    private let innerName: String?
    private let sums: TotalsSums
    private let whole: TotalsSums
    private let unrecorded: UnrecordedTotal
    private let overlapping: OverlapTotal

    /// For the total, what is in no sum; `nil` for a group.
    private let uncounted: UncountedTotal?

    /// The days that the total is over; `nil` for a group.
    private let period: LocalPeriod?

    /// Returns the groups of a table, then the total.
    package static func all(of table: TotalsTable) -> [TotalsLine] {
        func line(_ group: TotalsGroup, _ period: LocalPeriod? = nil) -> TotalsLine {
            TotalsLine(
                grouping: table.grouping,
                innerGrouping: table.innerGrouping,
                name: group.name,
                innerName: group.innerName,
                sums: group.sums,
                whole: table.total,
                unrecorded: group.unrecorded,
                overlapping: group.overlapping,
                uncounted: period == nil ? nil : table.uncounted,
                period: period
            )
        }
        let total = TotalsGroup(
            name: nil,
            sums: table.total,
            unrecorded: table.unrecorded,
            overlapping: table.overlapping
        )
        return table.lines.map { line($0) } + [line(total, table.period)]
    }

    /// The columns.
    package static let columns = Columns<TotalsLine> {
        Column.name("kind") { $0.period == nil ? "group" : "total" }.notInCSV
        Column.name("by") { $0.grouping.rawValue }
        Column.text("name", "GROUP") { $0.name }
            .shown(as: { .text($0.name ?? ($0.period == nil ? "(none)" : "total")) })
        Column.name("then_by") { $0.innerGrouping?.rawValue }.optional
        Column.text(innerName, "WITHIN") { $0.innerName }
            .optional(onlyWhere: { $0.innerGrouping != nil })
            .shown(as: { line in
                guard line.innerGrouping != nil, line.period == nil else { return .none }
                return .text(line.innerName ?? "(none)")
            })
        Column.integer("trips", "TRIPS") { $0.sums.trips }
        Column.distance("distance_m", "DISTANCE") { $0.sums.distance }
        Column.shown("SHARE", .number) { $0.share.map { .name($0) } ?? .none }
            .narrowing(.leaves(2))
        Column.distance("measured_distance_m", "MEASURED") { $0.sums.measuredDistance }
            .narrowing(.leaves(3))
        Column.distance("excluded_distance_m", "EXCLUDED") { $0.sums.excluded }
            .shown(onlyWhere: { $0.sums.excluded > .zero })
        GapTotal.columns.of("gaps.") { $0.sums.gaps }
        UnrecordedTotal.columns.of("unrecorded.") { $0.unrecorded }
        OverlapTotal.columns.of { $0.overlapping }
        uncountedColumns
        Column.duration("driving_s", "DRIVING") { $0.sums.drivingMilliseconds }
            .narrowing(.leaves(1))
        Column.duration("moving_s", "MOVING") { $0.sums.movingMilliseconds }
            .narrowing(.leaves(0))
        Column.day("first_day") { $0.period?.from }.optional(onlyWhere: { $0.period != nil })
            .notInCSV
        Column.day("last_day") { $0.period?.to }.optional(onlyWhere: { $0.period != nil }).notInCSV
        Column.text("time_zone") { $0.period?.localDay.zone.name }.optional.notInCSV
        Column.boolean("uses_own_offsets") { $0.period?.localDay.usesOwnOffsets }.optional
            .notInCSV
    }

    /// The columns of what is in no sum, which the total alone has.
    private static var uncountedColumns: [Column<TotalsLine>] {
        UncountedTotal.columns.of("uncounted.") { (line: TotalsLine) in line.uncounted }
            .map { $0.optional(onlyWhere: { $0.uncounted != nil }).notInCSV }
    }

    private static let innerName = "then_name"

    /// The columns, with the grouping as the title above the groups' names.
    package static func columns(
        by grouping: TotalsGrouping,
        thenBy inner: TotalsGrouping? = nil
    ) -> Columns<TotalsLine> {
        Columns(
            columns.all.compactMap { column in
                switch column.name {
                case "name": column.titled(ColumnTitle(onlyEnglish: grouping.rawValue.uppercased()))
                case innerName:
                    inner.map {
                        column.titled(ColumnTitle(onlyEnglish: $0.rawValue.uppercased()))
                    }
                case "then_by": inner == nil ? nil : column
                default: column
                }
            }
        )
    }

    /// The distance as claimed.
    var distance: Distance { sums.distance }

    /// The share of the total distance, such as `12.5 %`.
    private var share: String? {
        let whole = whole.distance.millimeters
        // Rounded shares do not add up to a whole.
        guard whole > 0, period == nil else { return nil }
        let doubled = sums.distance.millimeters.multipliedFullWidth(by: 2 * Self.wholeShare)
        let share = (whole.dividingFullWidth(doubled).quotient + 1) / 2
        return FixedPoint.text(share, decimals: 1) + " %"
    }
}

extension OverlapTotal: Tabular {
    /// Trips that were made in one car with others.
    package static let columns = Columns<OverlapTotal> {
        Column.integer("overlapping", .overlapping) { $0.count }
            .shown(onlyWhere: { $0.count > 0 })
        Column.integer("left_out", .leftOut) { $0.leftOut }
            .shown(onlyWhere: { $0.leftOut > 0 })
    }

    /// The sentences about them for people; empty if there are none.
    var phrases: [Phrase] {
        guard count > 0 else { return [] }
        return leftOut > 0 ? [.overlappingTrips, .leftOutTrips] : [.overlappingTrips]
    }

    /// The same in English, line by line.
    package var text: String { phrases.map { $0.english + "\n" }.joined() }
}

extension UncountedTotal: Tabular {
    /// Recorded ways that are no trips: how many, and how long together.
    package static let columns = Columns<UncountedTotal> {
        for reason in reasons {
            Column.integer(reason.rawValue) { $0[reason].ways }
            Column.distance(reason.rawValue + "_m") { $0[reason].distance }
        }
    }

    /// The sentence about them for people, in English, with the command that lists them; empty if
    /// there are none.
    package func text(_ style: TextStyle) -> String {
        guard !isEmpty else { return "" }
        let parts = Self.reasons.compactMap { reason -> String? in
            let (ways, distance) = self[reason]
            guard ways > 0 else { return nil }
            let length = Cell.distance(distance).text(in: style)
            return "\(ways) \(Self.words(reason)) (\(length) \(style.unit.rawValue))"
        }
        return "Not counted: \(parts.joined(separator: ", ")). See "
            + "`ledger trips --status abandoned`.\n"
    }

    private static func words(_ reason: AbandonReason) -> String {
        switch reason {
        case .notByCar: "by bicycle or rail"
        case .walkingPace: "at walking pace"
        case .falseStart: "too short"
        case .afterStop: "from STOP to the parking place"
        case .noPosition: "without a position"
        case .discarded: "given up"
        }
    }
}

extension UnrecordedTotal: Tabular {
    /// Ways between trips that nothing recorded.
    package static let columns = Columns<UnrecordedTotal> {
        Column.integer("count") { $0.count }
        Column.distance("meters", .unrecorded) { $0.distance }
            .shown(onlyWhere: { $0.count > 0 })
    }

    /// The sentence about it for people, in English.
    package static let sentence = Phrase.unrecordedWays.english
}
