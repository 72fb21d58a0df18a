import Geodesy
import Projections
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
        ] + Verdict.allCases.map { "fixes_\($0.rawValue)" } + [
            "flags", "rules", "measured", "adjusted_distance_m", "class", "title", "purpose",
            "notes", "category", "client", "routine", "merged_into", "start_place", "end_place",
        ]

    /// Returns the record of a trip.
    static func row(_ booked: BookedTrip, places: PlaceBook) -> CSVRow {
        let trip = booked.trip
        var row = CSVRow()
        row.add(text: trip.id.description)
        row.add(text: trip.source)
        row.add(text: booked.details.vehicle)
        row.add(text: booked.status.rawValue)
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
        row.add(number: FixedPoint.text(trip.gaps.milliseconds, decimals: 3))
        row.add(number: ShownDistance.meters(trip.gaps.distance))
        for verdict in Verdict.allCases { row.add(number: String(trip.fixes[verdict])) }
        row.add(text: booked.flagNames.joined(separator: " "))
        row.add(text: trip.startedBy == .report ? nil : trip.rules.rawValue)
        addDetails(of: booked, to: &row)
        row.add(text: places.start(of: booked)?.name)
        row.add(text: places.end(of: booked)?.name)
        return row
    }

    private static func addDetails(of booked: BookedTrip, to row: inout CSVRow) {
        let details = booked.details
        row.add(text: booked.isMeasured ? "true" : "false")
        row.add(number: booked.adjusted.map(ShownDistance.meters))
        row.add(text: booked.tripClass.rawValue)
        for text in [
            details.title, details.purpose, details.notes, details.category, details.client,
            booked.routine, booked.mergedInto?.description,
        ] {
            row.add(text: text)
        }
    }

    private static func text(_ time: EventTime) -> String {
        RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
    }
}
