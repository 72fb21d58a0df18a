import Projections
import TripEvents
import TripsProjection

/// What people changed about a trip, or about several, a field on a line.
struct ShownHistory {
    private static let titles = [
        "trip", "type", "field", "old", "new", "why", "actor", "source", "occurred_at",
        "recorded_at", "days_after_trip",
    ]

    private let amendments: [TripAmendment]
    private let namesTrips: Bool

    /// Shows changes, in text with the trip before each if they are of several.
    init(_ amendments: [TripAmendment], namingTrips namesTrips: Bool = false) {
        self.amendments = amendments
        self.namesTrips = namesTrips
    }

    /// Whether nobody changed anything.
    var isEmpty: Bool { amendments.isEmpty }

    /// Writes the lines.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for amendment in amendments {
                var line: [UInt8] = []
                amendment.appendJSON(to: &line)
                try output.writeLine(line)
            }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for amendment in amendments { try output.write(Self.csv(amendment)) }
        }
    }

    private var table: TextTable {
        let trip: [TextTable.Column] = namesTrips ? [.words("TRIP")] : []
        var table = TextTable(
            trip + [
                .words("DECIDED"), .words("BY"), .words("FIELD"), .words("OLD"), .words("NEW"),
                .numbers("DAYS AFTER"), .words("WHY"),
            ]
        )
        for amendment in amendments {
            let change = amendment.change
            let trip = namesTrips ? [amendment.trip.short] : []
            table.add(
                trip + [
                    LocalTime.text(amendment.occurredAt),
                    Excerpt.escaped(amendment.actor ?? amendment.source),
                    Excerpt.escaped(change.field), ShownValue.text(change.old, of: change.field),
                    ShownValue.text(change.new, of: change.field),
                    amendment.daysAfterTrip.map { String($0) } ?? "-",
                    amendment.why.map(Excerpt.escaped) ?? "-",
                ]
            )
        }
        return table
    }

    private static func csv(_ amendment: TripAmendment) -> CSVRow {
        let time = amendment.occurredAt
        var row = CSVRow()
        row.add(text: amendment.trip.description)
        row.add(text: amendment.kind.name)
        row.add(text: amendment.change.field)
        add(amendment.change.old, to: &row)
        add(amendment.change.new, to: &row)
        row.add(text: amendment.why)
        row.add(text: amendment.actor)
        row.add(text: amendment.source)
        row.add(text: RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
        row.add(text: RFC3339.text(amendment.recordedAt))
        row.add(number: amendment.daysAfterTrip.map { String($0) })
        return row
    }

    private static func add(_ value: CustomValue?, to row: inout CSVRow) {
        switch value {
        case .text(let text)?: row.add(text: text)
        case .number(let number)?: row.add(number: number.description)
        case .boolean(let boolean)?: row.add(text: boolean ? "true" : "false")
        case .null?, nil: row.add(text: nil)
        }
    }
}
