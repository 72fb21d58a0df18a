import TripEvents

/// A format that reads the objects of a JSON text as its records.
protocol ObjectFormat {
    /// The names of the lists that hold records.
    static var lists: Set<String> { get }

    /// Whether an object that stands in no list is a record too.
    static var hasSingleRecords: Bool { get }

    /// Whether records may stand in lists in a list that is the whole input.
    static var hasInnerLists: Bool { get }

    /// Takes a record, an element of a list.
    ///
    /// - Throws: `Rejection` for a record that is rejected as a whole.
    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection)
}

extension ObjectFormat {
    static var hasSingleRecords: Bool { false }

    static var hasInnerLists: Bool { false }
}

/// Reads a format of JSON whose records are elements of lists; what stands around the lists says
/// nothing more.
struct ObjectReader<Format: ObjectFormat>: FormatReader {
    private var format: Format
    private var pieces = JSONPieces(cutting: Format.lists, innerLists: Format.hasInnerLists)
    private var record = 0

    init(_ format: Format) {
        self.format = format
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        var pieces = self.pieces.takeOut()
        pieces.split(bytes) { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    mutating func finish(into batch: inout ImportBatch) {
        var pieces = self.pieces.takeOut()
        pieces.finish { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    private mutating func take(
        _ kind: JSONPieces.Kind,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        let list: String
        switch kind {
        case .element(let name): list = name
        case .root:
            guard Format.hasSingleRecords else { return }
            list = ""
        case .overlong, .broken:
            record += 1
            return batch.reject(kind, record: record)
        }
        record += 1
        let first = batch.items.count
        do throws(Rejection) {
            try take(text, of: list, into: &batch)
        } catch {
            batch.reject(error, record: record, text, text.indices)
        }
        batch.keep(text, text.indices, forItemsFrom: first)
    }

    /// Takes a record; if it is not JSON, takes it again after repairing what can be repaired.
    private mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        do throws(Rejection) {
            try format.take(text, of: list, record: record, into: &batch)
        } catch {
            // A record that is not JSON is refused before anything of it is used.
            guard error.isAboutJSON, let mended = JSONRepair.repaired(text) else { throw error }
            try format.take(mended.span, of: list, record: record, into: &batch)
        }
    }
}
