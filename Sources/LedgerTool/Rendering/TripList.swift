import Projections
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// Trips, one on a line.
struct TripList {
    private let trips: [TripRow]
    private let unit: DistanceUnit
    private let places: PlaceBook

    init(_ trips: [TripRow], unit: DistanceUnit, places: PlaceBook) {
        self.trips = trips
        self.unit = unit
        self.places = places
    }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !trips.isEmpty { try table.write(to: output) }
        case .json:
            for trip in trips {
                var line: [UInt8] = []
                trip.appendJSON(to: &line, places: places)
                try output.writeLine(line)
            }
        case .csv:
            try output.write(CSVRow(titles: TripCSV.titles))
            for trip in trips { try output.write(TripCSV.row(trip.booked, places: places)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("TRIP"), .words("STARTED"), .numbers("DURATION"), .numbers("DISTANCE"),
            .words("GAPS"), .words("STATUS"), .words("SOURCE"),
        ])
        for row in trips {
            let shown = ShownTrip(row.booked, unit: unit)
            table.add([
                shown.shortID, shown.startedAt, shown.duration, shown.distance, shown.shortGaps,
                shown.status, shown.source,
            ])
        }
        return table
    }
}
