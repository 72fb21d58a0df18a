import Geodesy
import Projections
import Tables
import TripEvents
import TripTracking

/// Writes trips that count in the layout of MileIQ's table of trips, which other programs read.
///
/// The value of the miles is left out, because it depends on the tax year.
struct MileIQWriter: TripListWriter {
    private static let form = CSVForm()

    private let columns: Columns<NamedTrip>

    init(_ style: TextStyle) {
        columns = Columns {
            Column.name("START_DATE*") { Self.text($0.booked.trip.startedAt, style) }
            Column.name("END_DATE*") { named in
                Self.text(named.booked.trip.endedAt ?? named.booked.trip.startedAt, style)
            }
            Column.name("CATEGORY*") { named in
                let name = named.booked.tripClass.rawValue
                return name.prefix(1).uppercased() + name.dropFirst()
            }
            Column("START*", nil, .text) { Cell(nearly: .start(of: $0.booked, $0.places)) }
            Column("STOP*", nil, .text) { Cell(nearly: .end(of: $0.booked, $0.places)) }
            Column("MILES*", nil, .number) { named in
                .printedDistance(
                    DistanceText.scaled(named.booked.claimedDistance, in: .miles, decimals: 2)
                )
            }
            Column.name("MILES_VALUE") { _ in nil }
            Column.value("PARKING") { $0.booked.details.fields?["parking"] }
            Column.value("TOLLS") { $0.booked.details.fields?["tolls"] }
            Column.name("TOTAL") { _ in nil }
            Column.text("VEHICLE") { $0.booked.details.vehicle }
            Column.text("PURPOSE") { $0.booked.details.purpose ?? $0.booked.details.title }
            Column.text("NOTES") { $0.booked.details.notes }
        }
    }

    func begin(to bytes: inout [UInt8]) {
        // Programs look for the table after this line.
        bytes += "DETAILED LOG\n".utf8
        columns.appendCSVTitles(to: &bytes, Self.form)
    }

    func add(_ named: NamedTrip, to bytes: inout [UInt8]) {
        if named.counts { columns.appendCSV(named, to: &bytes, Self.form) }
    }

    func end(to bytes: inout [UInt8]) {}

    /// Returns a time in the clock whose days trips count by, such as `03/05/2025 08:30`.
    private static func text(_ time: EventTime, _ style: TextStyle) -> String {
        let local = time.told(by: style.clock)
        // YYYY-MM-DDTHH:MM
        let text = RFC3339.text(local.timestamp, utcOffset: local.utcOffset)
        let (year, month, day) = (
            text.prefix(4), text.dropFirst(5).prefix(2), text.dropFirst(8).prefix(2)
        )
        return "\(month)/\(day)/\(year) \(text.dropFirst(11).prefix(5))"
    }
}
