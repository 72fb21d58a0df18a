import Importers
import Platform
import SystemPackage
import TripEvents

/// In which form an input is, as far as the user says.
struct InputForm {
    /// The format; `nil` if the content is to tell it.
    var format: ImportFormat?

    /// How a format of others is read.
    var options = ImportOptions()
}

/// An input whose format is known, and what is made of it.
struct ImportedInput {
    /// The format.
    let format: ImportFormat

    /// What was read to tell it.
    let head: [UInt8]

    /// How much of the input has been made into events.
    private(set) var bytesRead: Int64 = 0

    private var importer: FileImporter?
    private var batch = ImportBatch()
    private var piece: [UInt8] = []
    private var isAtStart = true
    private var isAtEnd = false

    /// Reads the beginning of a stream, and tells its format.
    ///
    /// What is no format that is known is taken for lines of the ledger's own, which say then what
    /// is wrong with them.
    ///
    /// - Throws: `Errno`.
    init(_ stream: borrowing InputStream, _ form: InputForm) throws {
        var head: [UInt8] = []
        var format = form.format
        while format == nil, head.count < ImportFormat.headByteCount {
            guard try stream.read(into: &head, from: head.count) > 0 else { break }
            let start = head.span.extracting(first: min(head.count, ImportFormat.headByteCount))
            format = ImportFormat.recognized(in: start)
            // Someone who sends lines of JSON one by one waits for the answer to the first.
            if Self.endsWithObject(head) { break }
        }
        self.head = head
        self.format = format ?? .jsonl
        importer = FileImporter(self.format, options: form.options)
    }

    /// Whether what is there is whole lines, the last of which is an object of JSON.
    private static func endsWithObject(_ head: [UInt8]) -> Bool {
        guard head.last == UInt8(ascii: "\n") else { return false }
        let line = head.dropLast().split(separator: UInt8(ascii: "\n")).last ?? []
        return line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
    }

    /// Returns what the next piece of the stream holds; `nil` when all of it was returned.
    ///
    /// - Throws: `Errno`.
    mutating func next(from stream: borrowing InputStream) throws -> ImportBatch? {
        guard !isAtEnd else { return nil }
        batch.removeAll()
        if isAtStart, !head.isEmpty {
            piece = head
        } else {
            _ = try stream.read(into: &piece, from: 0)
        }
        isAtStart = false
        bytesRead += Int64(piece.count)
        isAtEnd = piece.isEmpty
        if isAtEnd {
            importer?.finish(into: &batch)
        } else {
            let bytes = piece
            importer?.take(bytes.span, into: &batch)
        }
        return batch
    }
}
