import TripEvents

/// Reads a format that some write as JSON and others in lines; the first byte tells which.
struct TextOrObjectsReader<Objects: ObjectFormat, Lines: LineFormat>: FormatReader {
    private enum Form {
        /// Nothing but white space was read yet, which is kept for the numbers of lines.
        case undecided([UInt8])

        case objects(ObjectReader<Objects>)
        case lines(LineReader<Lines>)
    }

    private let objects: Objects
    private let lines: Lines
    private var form = Form.undecided([])

    init(_ objects: Objects, _ lines: Lines) {
        self.objects = objects
        self.lines = lines
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        switch form {
        case .undecided(let spaces):
            let text = spaces + bytes.bytes(in: bytes.indices)
            let start = JSONLexer.skipSpace(text.span, from: 0)
            guard start < text.count || text.count > LineSplitter.maximumByteCount else {
                form = .undecided(text)
                return
            }
            let isJSON = text[start...].first.map { [0x7B, 0x5B].contains($0) } ?? false
            form = isJSON ? .objects(ObjectReader(objects)) : .lines(LineReader(lines))
            take(text.span, into: &batch)
        case .objects(var reader):
            // Taken out first: while there is a second reference, each piece copies the unfinished
            // one.
            form = .undecided([])
            reader.take(bytes, into: &batch)
            form = .objects(reader)
        case .lines(var reader):
            form = .undecided([])
            reader.take(bytes, into: &batch)
            form = .lines(reader)
        }
    }

    mutating func finish(into batch: inout ImportBatch) {
        switch form {
        case .undecided: break
        case .objects(var reader): reader.finish(into: &batch)
        case .lines(var reader): reader.finish(into: &batch)
        }
    }
}
