import Geodesy
import TripEvents
import TripTracking

/// A trip as a record of CSV, its members those of the JSON form.
enum TripCSV {
    /// The titles of the columns.
    static let titles =
        [
            "id", "source", "vehicle", "status", "abandoned", "started_by", "ended_by",
            "started_at", "ended_at", "start_lat", "start_lon", "end_lat", "end_lon",
            "distance_m", "gaps_count", "gaps_seconds", "gaps_meters",
        ] + Verdict.allCases.map { "fixes_\($0.rawValue)" } + ["flags", "rules"]

    /// Returns the record of a trip.
    static func row(_ trip: Trip) -> CSVRow {
        var row = CSVRow()
        row.add(text: trip.id.description)
        row.add(text: trip.source)
        row.add(text: trip.vehicle)
        row.add(text: trip.status.rawValue)
        row.add(text: trip.abandonReason?.rawValue)
        row.add(text: trip.startedBy.rawValue)
        row.add(text: trip.endedBy?.rawValue)
        row.add(text: text(trip.startedAt))
        row.add(text: trip.endedAt.map(text))
        for coordinate in [trip.start, trip.end] {
            row.add(number: coordinate.map { "\($0.latitude)" })
            row.add(number: coordinate.map { "\($0.longitude)" })
        }
        row.add(number: ShownDistance.meters(trip.distance))
        row.add(number: String(trip.gaps.count))
        row.add(number: ShownDistance.decimal(trip.gaps.milliseconds, decimals: 3))
        row.add(number: ShownDistance.meters(trip.gaps.distance))
        for verdict in Verdict.allCases { row.add(number: String(trip.fixes[verdict])) }
        row.add(text: trip.flags.names.joined(separator: " "))
        row.add(text: trip.rules.rawValue)
        return row
    }

    private static func text(_ time: EventTime) -> String {
        RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
    }
}
