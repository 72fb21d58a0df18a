import Importers
import JSONText
import TripEvents
import TripLedger

/// The events in the body of a request.
struct PostedEvents {
    /// How a body says events.
    enum Form {
        /// One event a line.
        case lines

        /// One event, or several in the list `events`.
        case json

        /// One CloudEvent, or a list of them.
        case cloudEvents

        /// Tells the form by the media type, or returns `nil` if there is none of that type.
        init?(mediaType: String?) {
            let type = mediaType?.prefix { $0 != ";" && $0 != " " }.lowercased()
            switch type {
            case "application/x-ndjson", "application/jsonl": self = .lines
            case "application/json": self = .json
            case "application/cloudevents-batch+json", "application/cloudevents+json":
                self = .cloudEvents
            default: return nil
            }
        }
    }

    /// So much of a body is looked at at a time, so that one that holds too much ends soon.
    private static let pieceByteCount = 1 << 16

    /// The events, in their order.
    private(set) var items: [Delivery.Item] = []

    /// What the lines are in.
    private(set) var bytes: [UInt8] = []

    /// Reads a body.
    ///
    /// - Throws: `Problem` if there are no events in it, or too many.
    init(_ body: [UInt8], as form: Form) throws(Problem) {
        switch form {
        case .lines: try readLines(body)
        case .json:
            var reader = EventListReader()
            try read(body) {
                reader.take($0, into: &$1)
            } finish: {
                reader.finish(into: &$0)
            }
        case .cloudEvents:
            guard var reader = FileImporter(.cloudevents) else { throw .unknownMedia }
            try read(body) {
                reader.take($0, into: &$1)
            } finish: {
                reader.finish(into: &$0)
            }
        }
        guard !items.isEmpty else { throw .noEvents }
    }

    /// The events, to be stored.
    var delivery: Delivery { Delivery(items, in: bytes) }

    private mutating func readLines(_ body: [UInt8]) throws(Problem) {
        bytes = body
        var start = 0
        while start < body.count {
            let end = body[start...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
            try append(Delivery.Item(.success(start..<end)))
            start = end + 1
        }
    }

    private mutating func read(
        _ body: [UInt8],
        take: (Span<UInt8>, inout ImportBatch) -> Void,
        finish: (inout ImportBatch) -> Void
    ) throws(Problem) {
        var batch = ImportBatch()
        var start = 0
        while start < body.count {
            let end = min(start + Self.pieceByteCount, body.count)
            take(body.span.extracting(start..<end), &batch)
            try append(batch)
            start = end
        }
        finish(&batch)
        try append(batch)
        bytes = batch.bytes
    }

    /// Adds the items of a batch that came last.
    private mutating func append(_ batch: ImportBatch) throws(Problem) {
        for item in batch.items[items.count...] {
            switch item.outcome {
            case .event: try append(Delivery.Item(.success(item.range)))
            case .rejected(let rejection): try append(Delivery.Item(.failure(rejection)))
            case .ignored:
                let rejection = Rejection(
                    .nothingToAppend,
                    sentence: "It is no event that can be appended."
                )
                try append(Delivery.Item(.failure(rejection)))
            }
        }
    }

    private mutating func append(_ item: Delivery.Item) throws(Problem) {
        guard items.count < Delivery.mostItems else { throw .tooManyEvents }
        items.append(item)
    }
}

// MARK: - What the sender has left out

extension PostedEvents {
    /// Members that are added to events that have none of that name.
    struct Defaults {
        /// The source.
        var source: String

        /// The time.
        var occurredAt: Timestamp

        /// The name of the request, which becomes that of its event; with a number, if it has
        /// several.
        var key: String?
    }

    /// Adds what is missing in the lines of events.
    ///
    /// What is no object stays as it is, and is refused when it is stored.
    mutating func complete(with defaults: Defaults) {
        let time = RFC3339.text(defaults.occurredAt)
        var index = JSONObjectIndex()
        for number in items.indices {
            let id = defaults.key.map { "key:\($0)" + (items.count > 1 ? "/\(number)" : "") }
            let wanted = [("source", defaults.source), ("occurred_at", time), ("id", id)]
            guard let found = missing(of: wanted, in: items[number], &index) else { continue }
            items[number].filledIn = Set(found.members.map(\.name))
            items[number].line = .success(append(found.members, to: found.rest))
        }
    }

    /// Returns those of some members that an event does not have, and what stands behind the brace
    /// with which it begins; `nil` if it has all of them, or is no object.
    private func missing(
        of members: [(name: String, value: String?)],
        in item: Delivery.Item,
        _ index: inout JSONObjectIndex
    ) -> (members: [(name: String, value: String?)], rest: Range<Int>)? {
        guard case .success(let range) = item.line, range.count <= Self.mostBytesOfLine else {
            return nil
        }
        let line = bytes.span.extracting(range)
        let start = JSONLexer.skipSpace(line, from: 0)
        guard (try? index.read(line, at: start)) != nil else { return nil }
        let missing = members.filter { $0.value != nil && index.value($0.name, in: line) == nil }
        guard !missing.isEmpty else { return nil }
        return (missing, range.lowerBound + start + 1..<range.upperBound)
    }

    /// The most bytes of a line that can be an event.
    private static let mostBytesOfLine = 1 << 20

    /// Writes an object anew with members before its own.
    ///
    /// - Returns: Where it is.
    private mutating func append(
        _ members: [(name: String, value: String?)],
        to rest: Range<Int>
    ) -> Range<Int> {
        let start = bytes.count
        JSONWriter.append(
            members.compactMap { name, value in
                value.map { JSONValue.Member(name: name, value: .text($0)) }
            },
            to: &bytes
        )
        // The brace that ends it gives way to the members that were there.
        bytes.removeLast()
        let old = Array(bytes[rest])
        let next = JSONLexer.skipSpace(old.span, from: 0)
        if next < old.count, old[next] != UInt8(ascii: "}") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: old)
        return start..<bytes.count
    }
}
