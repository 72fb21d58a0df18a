import TripEvents

/// A format that reads lines, one after the other.
protocol LineFormat {
    /// Takes a line that is not blank.
    ///
    /// - Throws: `Rejection` for a line that is rejected as a whole.
    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection)

    /// Takes note of the end of the input.
    mutating func finish(into batch: inout ImportBatch)
}

/// Reads a format of lines: it skips blank lines, and reports the NULs that a power cut leaves.
struct LineReader<Format: LineFormat>: FormatReader {
    private var format: Format
    private var splitter = LineSplitter()

    init(_ format: Format) {
        self.format = format
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        var splitter = self.splitter.takeOut()
        splitter.split(bytes) { text, line, number in take(line, text, number, into: &batch) }
        self.splitter = splitter
    }

    mutating func finish(into batch: inout ImportBatch) {
        var splitter = self.splitter.takeOut()
        splitter.finish { text, line, number in take(line, text, number, into: &batch) }
        self.splitter = splitter
        format.finish(into: &batch)
    }

    private mutating func take(
        _ line: LineSplitter.Line,
        _ text: Span<UInt8>,
        _ number: Int,
        into batch: inout ImportBatch
    ) {
        guard case .text(let line) = line else {
            return batch.reject(.overlong(LineSplitter.maximumByteCount), record: number)
        }
        let range = NumberText.withoutNULs(text, line)
        if range.count < line.count { batch.ignore("nul_bytes", record: number) }
        guard !NumberText.trimmed(text, range).isEmpty else { return }
        let first = batch.items.count
        do throws(Rejection) {
            try format.take(text, range, number, into: &batch)
        } catch {
            batch.reject(error, record: number, text, range)
        }
        batch.keep(text, range, forItemsFrom: first)
    }
}
