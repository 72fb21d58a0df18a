import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// Standard output, buffered: results and nothing else.
///
/// A class, because the answers to lines are written while the reader of lines runs. `print` would
/// not say that the disk is full.
final class Output {
    private static let bufferByteCount = 1 << 16

    private let descriptor: FileDescriptor
    private var bytes: [UInt8] = []

    private init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
    }

    /// A new buffer over standard output.
    static var standard: Output { Output(.standardOutput) }

    /// Runs `body` and then writes what is in the buffer, also if `body` failed.
    func writing<Result>(_ body: (Output) throws -> Result) throws -> Result {
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

    /// Writes a text.
    func write(_ text: String) throws(OutputError) {
        bytes.append(contentsOf: text.utf8)
        try flushIfFull()
    }

    /// Writes bytes.
    func write(_ text: [UInt8]) throws(OutputError) {
        bytes.append(contentsOf: text)
        try flushIfFull()
    }

    /// Writes a text and ends the line.
    func writeLine(_ text: String) throws(OutputError) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\n"))
        try flushIfFull()
    }

    /// Writes bytes and ends the line.
    func writeLine(_ line: [UInt8]) throws(OutputError) {
        try writeLine { $0.append(contentsOf: line) }
    }

    /// Writes what `append` appends to what it is given, and ends the line.
    func writeLine(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        append(&bytes)
        bytes.append(UInt8(ascii: "\n"))
        try flushIfFull()
    }

    /// Writes what `append` appends to what it is given.
    func write(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        append(&bytes)
        try flushIfFull()
    }

    /// Writes the one result of a command: a JSON object for programs, its facts for people.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - format: The format; a command whose result is no table has refused CSV.
    ///   - text: What people see, if that is something else than the facts.
    /// - Throws: `OutputError`, and what `text` throws.
    static func show<Result: Tabular>(
        _ result: Result,
        as format: RowFormat,
        text: (Result) throws -> String = { Result.columns.facts($0).text }
    ) throws {
        try standard.writing { output in
            switch format {
            case .json: try output.writeLine(json: result)
            case .text, .csv: try output.write(text(result))
            }
        }
    }

    /// Writes a row as a JSON object on a line of its own.
    func writeLine<Row: Tabular>(json row: Row) throws(OutputError) {
        Row.columns.appendJSON(row, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        try flushIfFull()
    }

    /// Writes what stands above figures for people, if the log lacks entries.
    func writeHead(_ missing: MissingEntries) throws(OutputError) {
        guard !missing.isEmpty else { return }
        try write(FactSheet(missing).text + "\n")
    }

    /// Writes rows in a format.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - columns: What a row consists of.
    ///   - format: The format.
    ///   - unit: The unit of distances for people.
    ///   - csvUnit: The unit of distances in CSV; `nil` for metres.
    /// - Throws: `OutputError`.
    func write<Row>(
        _ rows: [Row],
        _ columns: Columns<Row>,
        as format: RowFormat,
        unit: DistanceUnit = .kilometers,
        csvUnit: DistanceUnit? = nil
    ) throws {
        var writer = RowWriter(columns, as: format, unit: unit, csvUnit: csvUnit)
        try write { writer.begin(to: &$0) }
        for row in rows { try write { writer.add(row, to: &$0) } }
        try writer.finish { try write($0) }
    }

    /// Hands everything written so far to the system.
    func flush() throws(OutputError) {
        guard !bytes.isEmpty else { return }
        // What could not be written is not tried again.
        defer { bytes.removeAll(keepingCapacity: true) }
        do {
            try descriptor.writeAll(bytes)
        } catch let error as Errno {
            throw OutputError(cause: error)
        } catch {
            throw OutputError(cause: .ioError)
        }
    }

    private func flushIfFull() throws(OutputError) {
        if bytes.count >= Self.bufferByteCount { try flush() }
    }
}

/// Results could not be written.
struct OutputError: Error {
    /// What the system said.
    let cause: Errno

    /// What was done before output failed, as whole lines; empty if nothing was.
    var afterword = ""
}
