import TripEvents

/// Reads events of the catalogue that stand in JSON as one object each, in a list, or in the list
/// `events` of an object: the bodies of requests, of any size.
package struct EventListReader {
    private static let listName = "events"

    private var pieces = JSONPieces(cutting: [listName])
    private var record = 0

    /// Whether an element was read since the last value that is not a list.
    private var isInList = false

    /// Whether a text begins as an object with a list `events` does; no line of an event begins so.
    package static func begins(_ text: Span<UInt8>) -> Bool {
        var beginning: [UInt8] = []
        for position in 0..<min(text.count, mostBytesLooked) where text[position] > 0x20 {
            beginning.append(text[position])
        }
        return beginning.starts(with: "{\"\(listName)\":[".utf8)
    }

    /// The most bytes that are looked at to tell a list, as there may be white space in them.
    private static let mostBytesLooked = 256

    /// Creates a reader.
    package init() {}

    /// Reads the next bytes, and adds the events that end in them to a batch, as they stand.
    package mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        var pieces = self.pieces.takeOut()
        pieces.split(bytes) { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    /// Reads the end of the input, and adds what ends with it to a batch.
    package mutating func finish(into batch: inout ImportBatch) {
        var pieces = self.pieces.takeOut()
        pieces.finish { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    private mutating func take(
        _ kind: JSONPieces.Kind,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        switch kind {
        case .element:
            isInList = true
            record += 1
            batch.add(text, record: record)
        case .root:
            defer { isInList = false }
            var object = JSONRecord()
            let isList =
                (try? object.read(text)) != nil
                && object.value(Self.listName, text)?.kind == .list
            if !isInList, !isList {
                record += 1
                batch.add(text, record: record)
            }
        case .overlong, .broken:
            record += 1
            batch.reject(kind, record: record)
        }
    }
}
