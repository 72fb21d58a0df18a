import TripEvents
import TripLedger

/// An entry of the log.
struct LogLine {
    private static let titles = [
        "position", "recorded_at", "occurred_at", "source", "type", "id", "sequence", "actor",
        "content",
    ]

    private let entry: StoredEvent

    init(_ entry: StoredEvent) {
        self.entry = entry
    }

    /// Writes what stands above the entries.
    static func begin(_ output: Output, _ format: OutputFormat) throws(OutputError) {
        if format == .csv { try output.write(CSVRow(titles: titles)) }
    }

    /// Writes the entry.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text: try output.writeLine(text)
        case .json: try output.writeLine(entry.json)
        case .csv: try output.write(csv)
        }
    }

    /// Position, time, source, type and content.
    private var text: String {
        let source = entry.event.source.isEmpty ? "ledger" : Excerpt.escaped(entry.event.source)
        return "\(entry.position)  \(LocalTime.text(time))  \(source)  \(type) "
            + Excerpt.escaped(entry.event.contentJSON)
    }

    private var csv: CSVRow {
        var row = CSVRow()
        row.add(number: String(entry.position))
        row.add(text: RFC3339.text(entry.recordedAt))
        row.add(text: RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
        row.add(text: entry.event.source)
        row.add(text: type)
        row.add(text: entry.event.id)
        row.add(number: entry.event.sequence.map { String($0) })
        row.add(text: entry.event.actor)
        row.add(text: entry.event.contentJSON)
        return row
    }

    private var time: EventTime {
        EventTime(entry.event.occurredAt, utcOffset: entry.event.utcOffset)
    }

    private var type: String { entry.event.body.typeName }
}
