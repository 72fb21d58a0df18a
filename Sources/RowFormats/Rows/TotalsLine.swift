import Geodesy
import Projections
package import TotalsProjection
import TripEvents
import TripTracking

/// A group of trips with its sums, or the total of all groups: `totals.v1.schema.json`.
package struct TotalsLine: Tabular {
    /// The share of a whole, in tenths of a percent.
    private static let wholeShare: Int64 = 1_000

    private let grouping: TotalsGrouping
    private let name: String?
    private let sums: TotalsSums
    private let whole: TotalsSums

    /// The days that the total is over; `nil` for a group.
    private let period: LocalPeriod?

    /// Returns the groups of a table, then the total.
    package static func all(of table: TotalsTable) -> [TotalsLine] {
        func line(_ name: String?, _ sums: TotalsSums, _ period: LocalPeriod?) -> TotalsLine {
            TotalsLine(
                grouping: table.grouping,
                name: name,
                sums: sums,
                whole: table.total,
                period: period
            )
        }
        return table.lines.map { line($0.name, $0.sums, nil) }
            + [line(nil, table.total, table.period)]
    }

    /// The columns.
    package static let columns = Columns<TotalsLine> {
        Column.name("kind") { $0.period == nil ? "group" : "total" }.notInCSV
        Column.name("by") { $0.grouping.rawValue }
        Column.text("name", "GROUP") { $0.name }
            .shown(as: { .text($0.name ?? ($0.period == nil ? "(none)" : "total")) })
        Column.integer("trips", "TRIPS") { $0.sums.trips }
        Column.distance("distance_m", "DISTANCE") { $0.sums.distance }
        Column.shown("SHARE", .number) { $0.share.map { .name($0) } ?? .none }
        Column.distance("measured_distance_m", "MEASURED") { $0.sums.measuredDistance }
        GapTotal.columns.of("gaps.") { $0.sums.gaps }
        Column.duration("driving_s", "DRIVING") { $0.sums.drivingMilliseconds }
        Column.duration("moving_s", "MOVING") { $0.sums.movingMilliseconds }
        Column.day("from") { $0.period?.from }.optional(onlyWhere: { $0.period != nil }).notInCSV
        Column.day("to") { $0.period?.to }.optional(onlyWhere: { $0.period != nil }).notInCSV
        Column.text("time_zone") { $0.period?.localDay.zone.name }.optional.notInCSV
        Column.boolean("uses_own_offsets") { $0.period?.localDay.usesOwnOffsets }.optional
            .notInCSV
    }

    /// The columns, with what the groups are about above their names.
    package static func columns(by grouping: TotalsGrouping) -> Columns<TotalsLine> {
        Columns(
            columns.all.map {
                $0.name == "name" ? $0.titled(grouping.rawValue.uppercased()) : $0
            }
        )
    }

    /// The share of the total distance, such as `12.5 %`.
    private var share: String? {
        let whole = whole.distance.millimeters
        guard whole > 0 else { return nil }
        let doubled = sums.distance.millimeters.multipliedFullWidth(by: 2 * Self.wholeShare)
        let share = (whole.dividingFullWidth(doubled).quotient + 1) / 2
        return FixedPoint.text(share, decimals: 1) + " %"
    }
}
