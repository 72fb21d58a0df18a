import ArgumentParser
import Platform
import Reports
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// Standard output, buffered: results and nothing else.
///
/// A class, because the answers to lines are written while the reader of lines runs. `print` would
/// not say that the disk is full.
final class Output {
    private static let bufferByteCount = 1 << 16

    /// The destination; `nil` if the output is kept.
    private let descriptor: FileDescriptor?

    /// The bytes that were not handed to the system.
    private(set) var bytes: [UInt8] = []

    /// More lines than these go through a pager; `nil` if none do.
    private let pageLineCount: Int?

    /// The pager, once there are more lines.
    private var pager: Pager?

    private init(_ descriptor: FileDescriptor?, pageLineCount: Int? = nil) {
        self.descriptor = descriptor
        self.pageLineCount = pageLineCount
    }

    /// A new buffer over standard output.
    static var standard: Output { Output(.standardOutput) }

    /// A new buffer over standard output, through a pager if that is a screen which is too short.
    static var paged: Output { Output(.standardOutput, pageLineCount: Screen.lineCount) }

    /// A new buffer that keeps everything, for a file that is written as a whole.
    static var kept: Output { Output(nil) }

    /// Runs `body` and then writes what is in the buffer, also if `body` failed.
    func writing<Result>(_ body: (Output) throws -> Result) throws -> Result {
        defer { pager?.finish() }
        let result: Result
        do {
            result = try body(self)
        } catch {
            try flush()
            throw error
        }
        try flush()
        return result
    }

    /// Writes a text unchanged: callers pass sentences that name commands through `ProgramName`,
    /// because other texts are data, or people's own words.
    func write(_ text: String) throws(OutputError) {
        try write { $0.append(contentsOf: text.utf8) }
    }

    /// Writes bytes.
    func write(_ text: [UInt8]) throws(OutputError) {
        try write { $0.append(contentsOf: text) }
    }

    /// Writes a text as it is and ends the line.
    func writeLine(_ text: String) throws(OutputError) {
        try writeLine { $0.append(contentsOf: text.utf8) }
    }

    /// Writes bytes and ends the line.
    func writeLine(_ line: [UInt8]) throws(OutputError) {
        try writeLine { $0.append(contentsOf: line) }
    }

    /// Writes what `append` appends to what it is given, and ends the line.
    func writeLine(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        try write {
            append(&$0)
            $0.append(UInt8(ascii: "\n"))
        }
    }

    /// Writes what `append` appends to what it is given.
    func write(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        // One access to the buffer: the runtime checks each of them.
        if Self.fill(&bytes, append) { try flush() }
    }

    /// Lets `append` append to a buffer, and returns whether that is full.
    private static func fill(_ bytes: inout [UInt8], _ append: (inout [UInt8]) -> Void) -> Bool {
        append(&bytes)
        return bytes.count >= bufferByteCount
    }

    /// Writes the one result of a command: a JSON object for programs, its facts for people.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - format: The format; a command whose result is no table has refused CSV.
    ///   - clock: Tells the times of JSON.
    ///   - text: The text for people, if it is not the facts.
    /// - Throws: `OutputError`, and what `text` throws.
    static func show<Result: Tabular>(
        _ result: Result,
        as format: RowFormat,
        by clock: LocalDay? = nil,
        text: (Result) throws -> String = {
            Result.columns.facts($0).text(width: Screen.columnCount)
        }
    ) throws {
        try standard.writing { output in
            switch format {
            case .json: try output.writeLine(json: result, by: clock)
            case .text, .csv, .ids: try output.write(text(result))
            }
        }
    }

    /// Writes a list in a format; if it is empty, a remark on standard error says so.
    ///
    /// - Parameters:
    ///   - rows: The list.
    ///   - format: The format.
    ///   - table: The table that the person asked for.
    ///   - style: How people see it.
    ///   - hidden: The names of columns that people do not see.
    ///   - missing: The entries that the ledger lacks.
    ///   - remark: The remark about an empty list.
    /// - Throws: `OutputError`, `ValidationError`.
    static func list<Row: Tabular>(
        _ rows: [Row],
        as format: RowFormat,
        in table: TableOptions? = nil,
        style: TextStyle = .screen,
        without hidden: Set<String> = [],
        noting missing: MissingEntries? = nil,
        ifEmpty remark: String? = nil
    ) throws {
        let format = try table?.format(format) ?? format
        var columns = Row.columns
        let style = table?.style(style) ?? style
        if format == .text {
            // People do not need to read in each row what they requested.
            columns = columns.without(hidden)
        } else if let missing {
            columns = columns.noting(missing)
        }
        if let table { columns = try table.chosen(of: columns, as: format) }
        try (table?.output ?? .standard)
            .writing { output in
                if format == .text, let missing { try output.writeHead(missing) }
                try output.write(rows, columns, as: format, style: style)
                if format == .text, !rows.isEmpty { try output.writeZone(of: columns, style) }
            }
        guard rows.isEmpty else { return }
        if format != .text, let missing { Diagnostic.note(missing) }
        if format == .text, let remark { Diagnostic.say(remark + "\n") }
    }

    /// The error for results without ids when ids were asked for.
    static let noIDs = ValidationError("What is shown here has no ids: use another --format.")

    /// Writes a row as a JSON object on a line of its own, with times told by a clock.
    func writeLine<Row: Tabular>(json row: Row, by clock: LocalDay? = nil) throws(OutputError) {
        try writeLine { Row.columns.appendJSON(row, to: &$0, by: clock) }
    }

    /// Writes the notice above figures for people, if the log lacks entries.
    func writeHead(_ missing: MissingEntries) throws(OutputError) {
        guard !missing.isEmpty else { return }
        try write(FactSheet(missing).text(width: Screen.columnCount) + "\n")
    }

    /// Writes rows in a format.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - columns: The columns of a row.
    ///   - format: The format.
    ///   - style: How people see them.
    ///   - csvUnit: The unit of distances in CSV; `nil` for metres.
    /// - Throws: `OutputError`; `ValidationError` if rows without ids are to be written as ids.
    func write<Row>(
        _ rows: [Row],
        _ columns: Columns<Row>,
        as format: RowFormat,
        style: TextStyle = .screen,
        csvUnit: DistanceUnit? = nil
    ) throws {
        guard format != .ids || columns.hasIDs else { throw Self.noIDs }
        var writer = RowWriter(columns, as: format, style: style, csvUnit: csvUnit)
        try write { writer.begin(to: &$0) }
        for row in rows { try write { writer.add(row, to: &$0) } }
        try finish(writer)
    }

    /// Writes what is left of rows, and tells people which columns there was no room for.
    func finish<Row>(_ writer: RowWriter<Row>) throws {
        let leftOut = try writer.finish { try write($0) }
        try writeSentences(TextTable.remark(onLeftOut: leftOut))
    }

    /// Writes a table, and tells people which columns there was no room for.
    func writeTable(_ table: TextTable, _ style: TextStyle) throws {
        let leftOut = try table.write(within: style.width, emphasizing: style.usesEmphasis) {
            try write($0)
        }
        try writeSentences(TextTable.remark(onLeftOut: leftOut))
    }

    /// Names the zone of the times in a table, below it, if people see any.
    func writeZone<Row>(of columns: Columns<Row>, _ style: TextStyle) throws(OutputError) {
        guard let clock = style.clock, columns.showsTimes else { return }
        try write("\nTimes in \(Excerpt.escaped(clock.zone.words)).\n")
    }

    /// Writes sentences of this program for people, with commands that work as they stand, in lines
    /// that fit the screen.
    func writeSentences(_ text: String, _ style: TextStyle = .screen) throws(OutputError) {
        try write(style.wrapped(ProgramName.shown(text)))
    }

    /// Hands everything written so far to the system.
    func flush() throws(OutputError) {
        guard !bytes.isEmpty, let descriptor else { return }
        // Bytes that could not be written are not tried again.
        defer { bytes.removeAll(keepingCapacity: true) }
        if pager == nil, let pageLineCount, bytes.count(where: Self.endsLine) > pageLineCount {
            // Without a pager there is a screen that scrolls.
            pager = try? Pager()
        }
        do {
            try (pager?.input ?? descriptor).writeAll(bytes)
        } catch let error as Errno {
            // A person who has read enough has left the pager.
            guard pager == nil || error != .brokenPipe else { return }
            throw OutputError(cause: error)
        } catch {
            throw OutputError(cause: .ioError)
        }
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") }
}

/// Results could not be written.
struct OutputError: Error {
    /// The error of the system.
    let cause: Errno

    /// The work that was done before output failed, as whole lines; empty if there was none.
    var afterword = ""
}
