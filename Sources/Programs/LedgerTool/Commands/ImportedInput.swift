import Importers
import Platform
import TripLedger

/// The form of an input, as far as the user says it.
struct InputForm {
    /// The format; `nil` if the content is to tell it.
    var format: ImportFormat?

    /// Returns the zone of a table's times that name none, where the command line says none: the
    /// ledger's.
    var ledgerZone: () -> TimeZoneRules? = { nil }

    /// How a format of others is read.
    var options = ImportOptions { name in try? TimeZoneRules.ofMachine(named: name) }
}

/// An input, and what is made of it.
struct ImportedInput {
    /// The place where it was found.
    let place: InputPlace

    /// The bytes that were read to recognise it.
    private(set) var head: [UInt8] = []

    /// The format.
    private(set) var format = ImportFormat.jsonl

    /// Whether its beginning tells the format, and it is the one that the user asked for.
    private(set) var isKnown = false

    /// The zone of the ledger, if the times of the input need it.
    private(set) var borrowedZone: TimeZoneRules?

    private var byteCount: Int64 = 0
    private var importer: FileImporter?
    private var batch = ImportBatch()
    private var piece: [UInt8] = []
    private var isAtStart = true
    private var isAtEnd = false

    /// Prepares to read what was found at a place.
    init(_ place: InputPlace) {
        self.place = place
    }

    /// How much of its file on disk has been read.
    var bytesRead: Int64 { place.depth > 0 ? place.limit.compressed : byteCount }

    /// Reads the beginning of the stream, until it suffices or ends.
    mutating func readHead(
        of stream: borrowing InputStream,
        until isEnough: ([UInt8]) -> Bool
    ) throws {
        while !isEnough(head) {
            guard try stream.read(into: &head, from: head.count) > 0 else { return }
        }
    }

    /// Recognises the format.
    ///
    /// An input of no known format is read as lines of the ledger's own, whose rejections then say
    /// what is wrong.
    mutating func tellFormat(of stream: borrowing InputStream, _ form: InputForm) throws {
        var found: ImportFormat?
        if form.format == nil || place.isPart {
            try readHead(of: stream) { head in
                let count = min(head.count, ImportFormat.headByteCount)
                found = Self.format(of: head.span.extracting(first: count), form)
                // Someone who sends lines of JSON one by one waits for the answer to the first.
                return found != nil || Self.endsWithObject(head)
                    || head.count >= ImportFormat.headByteCount
            }
        }
        isKnown = found != nil && (form.format ?? found) == found
        format = form.format ?? found ?? .jsonl
        var options = form.options
        if options.zone == nil, format.isTable, let zone = form.ledgerZone() {
            try readHead(of: stream) { $0.count >= ImportFormat.headByteCount }
            if needsZone(zone, options) {
                borrowedZone = zone
                options.zone = zone
            }
        }
        importer = FileImporter(format, options: options)
    }

    /// Whether more of the beginning can be read with a zone than without one.
    private func needsZone(_ zone: TimeZoneRules, _ options: ImportOptions) -> Bool {
        func count(_ options: ImportOptions) -> Int {
            var batch = ImportBatch()
            guard var importer = FileImporter(format, options: options) else { return 0 }
            importer.take(head.span, into: &batch)
            importer.finish(into: &batch)
            return batch.items.count { $0.outcome == .event }
        }
        var zoned = options
        zoned.zone = zone
        return count(zoned) > count(options)
    }

    /// Returns what is whole of an input whose stream ends too early.
    mutating func cutOff() -> ImportBatch {
        isAtEnd = true
        batch.removeAll()
        importer?.finish(into: &batch)
        return batch
    }

    /// Returns the format that a beginning tells: with a map of columns, that of a table which has
    /// them.
    private static func format(of head: Span<UInt8>, _ form: InputForm) -> ImportFormat? {
        guard let map = form.options.columnMap else { return ImportFormat.recognized(in: head) }
        return map.fits(head) ? .csv : nil
    }

    /// Whether the bytes are whole lines, the last of which is an object of JSON.
    private static func endsWithObject(_ head: [UInt8]) -> Bool {
        guard head.last == UInt8(ascii: "\n") else { return false }
        let line = head.dropLast().split(separator: UInt8(ascii: "\n")).last ?? []
        return line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
    }

    /// Returns the items of the next piece of the stream; `nil` when all were returned.
    ///
    /// - Throws: The errors of the stream.
    mutating func next(from stream: borrowing InputStream) throws -> ImportBatch? {
        guard !isAtEnd else { return nil }
        batch.removeAll()
        if isAtStart, !head.isEmpty {
            piece = head
        } else {
            _ = try stream.read(into: &piece, from: 0)
        }
        isAtStart = false
        byteCount += Int64(piece.count)
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
