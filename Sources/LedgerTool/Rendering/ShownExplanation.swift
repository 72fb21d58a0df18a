import Projections
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// A trip computed again, event by event.
struct ShownExplanation {
    private let explanation: TripExplanation
    private let unit: DistanceUnit
    private let places: PlaceBook

    init(_ explanation: TripExplanation, unit: DistanceUnit, places: PlaceBook) {
        self.explanation = explanation
        self.unit = unit
        self.places = places
    }

    /// Writes the events, and the trip that they make.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text: try writeText(to: output)
        case .json: try writeJSON(to: output)
        case .csv: try writeCSV(to: output)
        }
    }

    private func writeText(to output: Output) throws(OutputError) {
        var table = TextTable(ExplanationLine.columns)
        for event in explanation.events { table.add(ExplanationLine(event).cells) }
        try table.write(to: output)
        let shown = ShownTrip(BookedTrip(explanation.trip), unit: unit)
        let distance = "\(ShownDistance.meters(explanation.trip.distance)) m"
        let view = ShownDistance.meters(explanation.row.trip.distance)
        let facts = [
            ("Distance", "\(distance) (\(shown.distance))"),
            ("Gaps", shown.gaps),
            ("Fixes", shown.fixes),
            ("View", explanation.isConfirmed ? "says the same" : "says something else: \(view) m"),
        ]
        try output.write("\n" + FactSheet(facts).text)
    }

    private func writeJSON(to output: Output) throws(OutputError) {
        for event in explanation.events {
            try output.writeLine(ExplanationLine(event).json)
        }
        var line: [UInt8] = []
        TripRow(explanation.trip).appendJSON(to: &line, places: places)
        try output.writeLine(line)
    }

    private func writeCSV(to output: Output) throws(OutputError) {
        try output.write(CSVRow(titles: ExplanationLine.csvTitles))
        for event in explanation.events { try output.write(ExplanationLine(event).csv) }
    }
}
