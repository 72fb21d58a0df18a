import Projections
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// Trips, one on a line, while they are listed.
struct TripList {
    private let unit: DistanceUnit
    private let places: PlaceBook
    private let format: OutputFormat
    private var table = TextTable([
        .words("TRIP"), .words("STARTED"), .numbers("DURATION"), .numbers("DISTANCE"),
        .words("GAPS"), .words("STATUS"), .words("SOURCE"),
    ])

    // Used again for each trip.
    private var line: [UInt8] = []

    /// The last trip of the list.
    private(set) var last: TripRow?

    init(unit: DistanceUnit, places: PlaceBook, format: OutputFormat) {
        self.unit = unit
        self.places = places
        self.format = format
    }

    /// Writes what comes before the first trip.
    func begin(_ output: Output) throws(OutputError) {
        if format == .csv { try output.write(CSVRow(titles: TripCSV.titles)) }
    }

    /// Adds a trip, and writes its line as soon as that can be done.
    mutating func add(_ trip: TripRow, to output: Output) throws(OutputError) {
        last = trip
        switch format {
        case .text:
            let shown = ShownTrip(trip.booked, unit: unit)
            table.add([
                shown.shortID, shown.startedAt, shown.duration, shown.distance, shown.shortGaps,
                shown.status, shown.source,
            ])
        case .json:
            line.removeAll(keepingCapacity: true)
            trip.appendJSON(to: &line, places: places)
            try output.writeLine(line)
        case .csv: try output.write(TripCSV.row(trip.booked, places: places))
        }
    }

    /// Writes a whole list of a few trips.
    mutating func write(_ trips: [TripRow], to output: Output) throws(OutputError) {
        try begin(output)
        for trip in trips { try add(trip, to: output) }
        try finish(output)
    }

    /// Writes what comes after the last trip.
    func finish(_ output: Output) throws(OutputError) {
        if format == .text, !table.isEmpty { try table.write(to: output) }
    }
}
