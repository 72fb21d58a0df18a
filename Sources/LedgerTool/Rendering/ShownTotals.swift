import Geodesy
import Projections
import TotalsProjection
import TripEvents
import TripTracking

/// Totals with their total.
struct ShownTotals {
    /// The share of a whole, in tenths of a percent.
    private static let wholeShare: Int64 = 1_000

    private let totals: TotalsTable
    private let unit: DistanceUnit

    init(_ totals: TotalsTable, unit: DistanceUnit) {
        self.totals = totals
        self.unit = unit
    }

    /// Writes them.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text: try writeText(to: output)
        case .json: try writeJSON(to: output)
        case .csv: try writeCSV(to: output)
        }
    }

    private func writeText(to output: Output) throws(OutputError) {
        var table = TextTable([
            .words(totals.grouping.rawValue.uppercased()), .numbers("TRIPS"),
            .numbers("DISTANCE"), .numbers("SHARE"), .numbers("MEASURED"), .numbers("GAPS"),
            .numbers("GAP TIME"), .numbers("GAP DISTANCE"), .numbers("DRIVING"),
            .numbers("MOVING"),
        ])
        for line in totals.lines {
            table.add([line.name.map(Excerpt.escaped) ?? "(none)"] + cells(line.sums))
        }
        table.add(["total"] + cells(totals.total))
        try table.write(to: output)
        try output.write(
            """

            \(totals.period.localDay.sentence)
            Gaps, where nothing was measured, stand beside the distance and are never inside it.

            """
        )
    }

    private func cells(_ sums: TotalsSums) -> [String] {
        [
            String(sums.trips), ShownDistance.text(sums.distance, in: unit), share(of: sums),
            ShownDistance.text(sums.measuredDistance, in: unit), String(sums.gaps.count),
            LocalTime.duration(milliseconds: sums.gaps.milliseconds),
            ShownDistance.text(sums.gaps.distance, in: unit),
            LocalTime.duration(milliseconds: sums.drivingMilliseconds),
            LocalTime.duration(milliseconds: sums.movingMilliseconds),
        ]
    }

    /// Returns the share of the total distance, such as `12.5 %`.
    private func share(of sums: TotalsSums) -> String {
        let whole = totals.total.distance.millimeters
        guard whole > 0 else { return "-" }
        let doubled = sums.distance.millimeters.multipliedFullWidth(by: 2 * Self.wholeShare)
        let share = (whole.dividingFullWidth(doubled).quotient + 1) / 2
        return FixedPoint.text(share, decimals: 1) + " %"
    }

    /// For programs (`totals.v1.schema.json`).
    private func writeJSON(to output: Output) throws(OutputError) {
        for line in totals.lines {
            try output.writeLine(json(kind: "group", name: line.name, line.sums))
        }
        var total = json(kind: "total", name: nil, totals.total)
        total.add("from", text: totals.period.from?.description)
        total.add("to", text: totals.period.to?.description)
        total.add("time_zone", text: totals.period.localDay.zone.name)
        total.add("uses_own_offsets", boolean: totals.period.localDay.usesOwnOffsets)
        try output.writeLine(total)
    }

    private func json(kind: String, name: String?, _ sums: TotalsSums) -> RowJSON {
        var json = RowJSON()
        json.add("kind", text: kind)
        json.add("by", text: totals.grouping.rawValue)
        json.add("name", text: name)
        json.add("trips", integer: sums.trips)
        json.add("distance_m", thousandths: sums.distance.millimeters)
        json.add("measured_distance_m", thousandths: sums.measuredDistance.millimeters)
        json.add("gaps") { gaps in
            gaps.add("count", integer: sums.gaps.count)
            gaps.add("seconds", thousandths: sums.gaps.milliseconds)
            gaps.add("meters", thousandths: sums.gaps.distance.millimeters)
        }
        json.add("driving_s", thousandths: sums.drivingMilliseconds)
        json.add("moving_s", thousandths: sums.movingMilliseconds)
        return json
    }

    /// For spreadsheets: without the total, so that a sum over a column does not count twice.
    private func writeCSV(to output: Output) throws(OutputError) {
        let unit = unit.rawValue
        try output.write(
            CSVRow(titles: [
                totals.grouping.rawValue, "trips", "distance_\(unit)", "measured_distance_\(unit)",
                "gaps", "gap_s", "gap_distance_\(unit)", "driving_s", "moving_s",
            ])
        )
        for line in totals.lines {
            var row = CSVRow()
            row.add(text: line.name)
            row.add(number: String(line.sums.trips))
            row.add(line.sums.distance, in: self.unit)
            row.add(line.sums.measuredDistance, in: self.unit)
            row.add(number: String(line.sums.gaps.count))
            row.add(number: FixedPoint.text(line.sums.gaps.milliseconds, decimals: 3))
            row.add(line.sums.gaps.distance, in: self.unit)
            row.add(number: FixedPoint.text(line.sums.drivingMilliseconds, decimals: 3))
            row.add(number: FixedPoint.text(line.sums.movingMilliseconds, decimals: 3))
            try output.write(row)
        }
    }
}
