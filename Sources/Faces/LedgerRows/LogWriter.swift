package import Tables
import TripEvents
package import TripLedger

/// Writes entries of the log one after the other: for people a line of position, time, source, type
/// and content, for programs the columns of ``StoredEvent``.
///
/// A reading is written from the numbers of its entry, and comes out as its columns would write it.
package struct LogWriter {
    private static let gap = Array("  ".utf8)
    private static let type = Array(EventKind.fixRecorded.name.utf8)
    private static let contentStart = Array(" {".utf8)
    private static let csvContentStart = Array("\"{".utf8)
    private static let csvEnd = Array("}\"".utf8)

    private let format: RowFormat
    private let rows: RowWriter<StoredEvent>

    private var json = EntryJSON()
    private let reading: ReadingWriter
    private let form: CSVForm

    /// The source of the last reading, and its name and group as the format writes them.
    private var source: UInt32?
    private var sourceName: [UInt8] = []

    /// How many characters a line of text has at most; `nil` for any number.
    private let width: Int?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - style: How wide a screen is, or what a spreadsheet program expects.
    package init(as format: RowFormat, _ style: TextStyle = TextStyle()) {
        self.format = format
        width = style.width
        form = CSVForm(style)
        rows = RowWriter(StoredEvent.columns, as: format, style: style)
        reading = ReadingWriter(quote: format == .csv ? "\"\"" : "\"")
    }

    /// Appends what stands above the first entry.
    package func begin(to bytes: inout [UInt8]) {
        rows.begin(to: &bytes)
    }

    /// Whether the origins of entries are written.
    package var showsOrigins: Bool { format == .json }

    /// Appends an entry, which may be known to come from a file, and ends the line.
    package mutating func append(
        _ entry: borrowing LoggedEntry,
        from origin: EntryOrigin? = nil,
        to bytes: inout [UInt8]
    ) {
        switch format {
        case .text:
            // Written here, because a table would wait for the last entry.
            let start = bytes.count
            switch entry {
            case .reading(let logged): appendText(logged, to: &bytes)
            case .event(let event): Self.appendText(event.stored, to: &bytes)
            }
            if let width { Self.shorten(&bytes, from: start, to: width) }
            bytes.append(UInt8(ascii: "\n"))
        case .json:
            json.append(entry, from: origin, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        case .csv:
            switch entry {
            case .reading(let logged): appendCSV(logged, to: &bytes)
            case .event(let event): StoredEvent.columns.appendCSV(event.stored, to: &bytes, form)
            }
        case .ids: preconditionFailure("entries have positions")
        }
    }

    /// Ends a line with an ellipsis if it is too long for a screen.
    private static func shorten(_ bytes: inout [UInt8], from start: Int, to width: Int) {
        guard bytes.count - start > width else { return }
        let line = String(decoding: bytes[start...], as: UTF8.self)
        guard line.count > width else { return }
        bytes.removeSubrange(start...)
        bytes.append(contentsOf: "\(line.prefix(max(0, width - 1)))…".utf8)
    }

    private mutating func appendText(_ logged: borrowing LoggedReading, to bytes: inout [UInt8]) {
        if logged.source != source {
            source = logged.source
            sourceName = Array(Self.text(ofSource: logged.sourceName).utf8)
        }
        FixedPoint.append(Int64(logged.position), decimals: 0, to: &bytes)
        bytes.append(contentsOf: Self.gap)
        LocalTime.append(logged.time, to: &bytes)
        bytes.append(contentsOf: Self.gap)
        bytes.append(contentsOf: sourceName)
        bytes.append(contentsOf: Self.gap)
        bytes.append(contentsOf: Self.type)
        bytes.append(contentsOf: Self.contentStart)
        reading.append(logged.reading, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func appendText(_ stored: StoredEvent, to bytes: inout [UInt8]) {
        let event = stored.event
        FixedPoint.append(Int64(stored.position), decimals: 0, to: &bytes)
        bytes.append(contentsOf: gap)
        LocalTime.append(event.time, to: &bytes)
        bytes.append(contentsOf: gap)
        bytes.append(contentsOf: text(ofSource: event.source).utf8)
        bytes.append(contentsOf: gap)
        bytes.append(contentsOf: "\(event.body.typeName) ".utf8)
        bytes.append(contentsOf: Excerpt.escaped(event.contentJSON).utf8)
    }

    private static func text(ofSource name: String) -> String {
        name.isEmpty ? TripEvent.ledgerSourceName : Excerpt.escaped(name)
    }

    private mutating func appendCSV(_ logged: borrowing LoggedReading, to bytes: inout [UInt8]) {
        let separator = form.separator
        if logged.source != source {
            source = logged.source
            sourceName = [separator] + EventKind.fixRecorded.name.utf8 + [separator]
            Cell.appendCSV(logged.sourceName, to: &sourceName, form)
            sourceName.append(separator)
            if let group = logged.group { Cell.appendCSV(group, to: &sourceName, form) }
            sourceName.append(separator)
        }
        FixedPoint.append(Int64(logged.position), decimals: 0, to: &bytes)
        bytes.append(separator)
        Cell.said(EventTime(logged.recordedAt)).appendCSV(to: &bytes, form)
        bytes.append(contentsOf: sourceName)
        Cell.said(logged.time).appendCSV(to: &bytes, form)
        bytes.append(separator)
        if let id = logged.id { Cell.appendCSV(id, to: &bytes, form) }
        bytes.append(separator)
        if let sequence = logged.reading.sequence {
            bytes.append(contentsOf: String(sequence).utf8)
        }
        // A reading with an actor was appended as an event.
        bytes.append(separator)
        bytes.append(separator)
        bytes.append(contentsOf: Self.csvContentStart)
        reading.append(logged.reading, to: &bytes)
        bytes.append(contentsOf: Self.csvEnd)
        form.endRecord(in: &bytes)
    }
}
