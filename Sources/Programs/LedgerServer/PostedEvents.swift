import Importers
import JSONText
import LedgerHTTP
import Platform
import ServerStore
import TripEvents
import TripLedger

/// The events in the body of a request.
struct PostedEvents {
    /// The form of the events in a body.
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

    /// The most bytes of a body that are read at a time, so that a body with too many events is
    /// refused early.
    private static let pieceByteCount = 1 << 16

    /// The form of the body.
    private let form: Form

    /// The events, in their order.
    private(set) var items: [Delivery.Item] = []

    /// The corrections of readings that others may have made; known once they are prepared.
    private(set) var corrections: ReadingCorrections?

    /// The bytes that hold the lines.
    private(set) var bytes: [UInt8] = []

    /// The events that were read when they were prepared: their lines are not read again.
    private var readEvents = ReadEvents()

    /// The permission that the last event has shown: a kind, and the reader's number of a source.
    private var allowed: (kind: EventKind, source: Int)?

    /// Reads a body.
    ///
    /// - Throws: `Problem` if there are no events in it, or too many.
    init(_ body: [UInt8], as form: Form) throws(Problem) {
        self.form = form
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
    var delivery: Delivery { Delivery(items, in: bytes, readEvents) }

    /// Hands over the line of each event.
    func forEachLine(_ body: (Span<UInt8>) -> Void) {
        for item in items {
            guard case .success(let range) = item.line else { continue }
            body(bytes.span.extracting(range))
        }
    }

    private mutating func readLines(_ body: [UInt8]) throws(Problem) {
        bytes = body
        var start = 0
        while start < body.count {
            let end = body.firstLineFeed(in: start..<body.count) ?? body.count
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

// MARK: - What the sender has left out, and may say

extension PostedEvents {
    /// Members that are added to events that have none of that name.
    struct Defaults {
        /// The access of the sender, which gives the source, and the person who decided.
        var access: Access

        /// The time.
        var occurredAt: Timestamp

        /// The id of the event of a request with a name; for several events, with a number.
        var key: String?
    }

    /// Adds missing members to the lines of events, and requires that the sender may store all of
    /// them.
    ///
    /// Facts that lack nothing are read once here, and never rewritten. A line that is not an
    /// object stays as it is, and is refused when it is stored. An event that is refused here is
    /// refused for good, so that nothing is stored without this check.
    ///
    /// - Throws: `Problem` for the first event that the sender may not store.
    mutating func prepare(with defaults: Defaults) throws(Problem) {
        var reader = EventLineReader()
        var index = JSONObjectIndex()
        corrections = defaults.access.noCorrections
        for number in items.indices {
            do throws(Problem) {
                try prepare(number, with: defaults, &reader, &index)
            } catch {
                throw located(error, at: number)
            }
        }
    }

    private mutating func prepare(
        _ number: Int,
        with defaults: Defaults,
        _ reader: inout EventLineReader,
        _ index: inout JSONObjectIndex
    ) throws(Problem) {
        guard case .success(let line) = items[number].line else { return }
        if defaults.key == nil, line.count <= Self.mostBytesOfLine,
            (try? reader.read(bytes.span.extracting(line), recordedAt: defaults.occurredAt))
                != nil, reader.candidate.kind.scope == .ingest
        {
            try check(reader.candidate, in: line, givesID: true, for: defaults.access)
            items[number].readEvent = readEvents.add(reader.candidate)
            return
        }
        complete(number, with: defaults, &index)
        try check(number, for: defaults, &reader)
    }

    /// Adds to a refusal which of several events it is about.
    private func located(_ problem: Problem, at number: Int) -> Problem {
        guard items.count > 1 else { return problem }
        var problem = problem
        let name = form == .lines ? "line" : "event"
        problem.detail +=
            " This is about \(name) \(number + 1); nothing of the request was stored."
        return problem
    }

    /// The most milliseconds by which events without times are told apart.
    private static let mostSpread = 999

    /// Adds missing members to the line of an event.
    ///
    /// If a time is there under another name, the time of arrival does not replace it: such an
    /// event is refused because its own time is missing.
    private mutating func complete(
        _ number: Int,
        with defaults: Defaults,
        _ index: inout JSONObjectIndex
    ) {
        let id = defaults.key.map { $0 + (items.count > 1 ? "/\(number)" : "") }
        guard let (line, start) = readObject(in: items[number], &index) else { return }
        let kind = value("type", in: line, index).flatMap { EventKind(name: text($0, line)) }
        // Events happened in the order of the list: of two decisions, the later one counts.
        let time = defaults.occurredAt.advanced(byMilliseconds: Int64(min(number, Self.mostSpread)))
        let wanted = [
            ("source", defaults.access.source(of: kind)), ("occurred_at", RFC3339.text(time)),
            ("id", id), ("actor", defaults.access.actor(of: kind)),
        ]
        let missing = wanted.filter { name, value in
            value != nil && self.value(name, in: line, index) == nil
                && (name != "occurred_at" || !hasTimeUnderOtherName(line, index, kind))
        }
        guard !missing.isEmpty else { return }
        items[number].filledIn = Set(missing.map(\.0))
        items[number].line = .success(append(missing, to: start + 1..<line.upperBound))
    }

    /// Whether an unknown member was perhaps meant as the event's time.
    private func hasTimeUnderOtherName(
        _ line: Range<Int>,
        _ index: JSONObjectIndex,
        _ kind: EventKind?
    ) -> Bool {
        guard let kind else { return false }
        return index.members.contains { member in
            let range = line.lowerBound + member.name.lowerBound
            let name = String(
                decoding: bytes[range..<range + member.name.count],
                as: UTF8.self
            )
            return kind.mayMeanItsTime(name)
        }
    }

    /// Requires that the sender may store an event.
    private mutating func check(
        _ number: Int,
        for defaults: Defaults,
        _ reader: inout EventLineReader
    ) throws(Problem) {
        guard case .holder = defaults.access, case .success(let line) = items[number].line else {
            return
        }
        do throws(Rejection) {
            try reader.read(bytes.span.extracting(line), recordedAt: defaults.occurredAt)
        } catch {
            if error.code != .emptyLine { items[number].line = .failure(error) }
            return
        }
        let givesID = !items[number].filledIn.contains("id")
        try check(reader.candidate, in: line, givesID: givesID, for: defaults.access)
    }

    /// Requires that the sender may store an event that was read from a line, and notes what it
    /// corrects.
    private mutating func check(
        _ candidate: borrowing EventCandidate,
        in line: Range<Int>,
        givesID: Bool,
        for access: Access
    ) throws(Problem) {
        if candidate.form.hasID, givesID { try access.require(givenID: candidate.id) }
        let said = (kind: candidate.kind, source: candidate.sourceNumber)
        if allowed.map({ $0 != said }) ?? true {
            try access.require(said.kind, of: candidate.source)
            allowed = said
        }
        if candidate.kind == .odometerRead, !access.sight.isEverything,
            let event = try? candidate.event()
        {
            corrections?.add(event)
        }
        guard candidate.kind.isAskable, candidate.form.hasActor, !access.isAllowed([.sync]),
            let event = try? JSONValue(bytes.span.extracting(line))
        else { return }
        try access.requireOwn(actor: event["actor"]?.text)
    }

    /// Reads the members of an event.
    ///
    /// - Returns: The range of its line, and the position of its opening brace; `nil` if it is not
    ///   an object.
    private func readObject(
        in item: Delivery.Item,
        _ index: inout JSONObjectIndex
    ) -> (line: Range<Int>, start: Int)? {
        guard case .success(let range) = item.line, range.count <= Self.mostBytesOfLine else {
            return nil
        }
        let line = bytes.span.extracting(range)
        let start = JSONLexer.skipSpace(line, from: 0)
        guard (try? index.read(line, at: start)) != nil else { return nil }
        return (range, range.lowerBound + start)
    }

    private func value(
        _ name: String,
        in line: Range<Int>,
        _ index: JSONObjectIndex
    ) -> JSONObjectIndex.Value? {
        let text = bytes.span.extracting(line)
        return index.value(name, in: text)
    }

    private func text(_ value: JSONObjectIndex.Value, _ line: Range<Int>) -> String {
        let start = line.lowerBound + value.range.lowerBound
        return String(decoding: bytes[start..<start + value.range.count], as: UTF8.self)
    }

    /// The most bytes of a line that can be an event.
    private static let mostBytesOfLine = 1 << 20

    /// Writes an object anew with members before its own.
    ///
    /// - Returns: Where it is.
    private mutating func append(
        _ members: [(String, String?)],
        to rest: Range<Int>
    ) -> Range<Int> {
        let start = bytes.count
        JSONWriter.append(
            members.compactMap { name, value in
                value.map { JSONValue.Member(name: name, value: .text($0)) }
            },
            to: &bytes
        )
        // The closing brace is removed to make room for the members that were there.
        bytes.removeLast()
        let old = Array(bytes[rest])
        let next = JSONLexer.skipSpace(old.span, from: 0)
        if next < old.count, old[next] != UInt8(ascii: "}") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: old)
        return start..<bytes.count
    }
}
