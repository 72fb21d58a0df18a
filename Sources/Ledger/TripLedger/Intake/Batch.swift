import EventStore
import TripEvents

/// Items that are stored in one transaction and answered after it, with their events: lines, the
/// items of deliveries, or values.
///
/// Of an item with an event, only the event is kept: its place follows from the number of items
/// before it.
struct Batch {
    /// The most lines of one transaction.
    static let maximumCount = 10_000

    /// The bytes of entries after which a transaction takes no more events, so that memory
    /// does not grow with what senders write.
    static let maximumByteCount = 4 << 20

    /// The sources after which the group forgets their names with its lines.
    private static let mostSources = 1 << 16

    /// The place of a line.
    struct Place {
        /// The number of the input that holds it, in order from 0.
        var input: Int

        /// The number of the line.
        var line: Int
    }

    /// A line that is no acceptable event.
    struct Refusal {
        /// The number of the line in the group.
        var index: Int

        /// The reason.
        var rejection: Rejection

        /// The beginning of the line, escaped and shortened.
        var excerpt: String

        /// The answer to the line.
        var receipt: Receipt {
            rejection.code == .nothingToAppend ? .passedOver : .rejected(rejection)
        }
    }

    /// The extra members of an event.
    struct Extra {
        /// The index of the event among the entries.
        var eventIndex: Int

        /// The names of the members, if they are to be told.
        var extra: KeptExtra
    }

    /// Lines of one file that follow one another.
    private struct Run {
        /// The number of the first line in the group.
        var start: Int

        /// The place of that line.
        var place: Place
    }

    /// The number of lines.
    private(set) var count = 0

    /// The lines that are no acceptable events, in order.
    private(set) var refusals: [Refusal] = []

    /// The extra members of the events that have any, in order.
    private(set) var extras: [Extra] = []

    /// The events of the other lines, in order.
    var entries = EntryBatch()

    /// The origins of the events, if the log remembers them.
    private(set) var trail = OriginTrail()

    /// The indexes of the events among the entries that are decisions that may have no effect.
    private(set) var decisions: [Int] = []

    private var runs: [Run] = []
    private var byteCount = 0

    /// For the number that the reader gives a source, its index in the batch, once it has one.
    private var sourceIndexes: [UInt32?] = []

    /// Whether the group takes no more lines.
    var isFull: Bool {
        count >= Self.maximumCount || byteCount >= Self.maximumByteCount
    }

    /// Says where the next line stands; those that follow stand below it.
    mutating func begin(at place: Place) {
        if runs.last?.start == count { runs.removeLast() }
        runs.append(Run(start: count, place: place))
    }

    /// Adds the event that a reader has just read.
    mutating func append(_ candidate: borrowing EventCandidate) {
        entries.append(candidate, sourceIndex: sourceIndex(of: candidate))
        byteCount += candidate.entryBytes
        count += 1
    }

    /// Adds an event that was read before, whose source is one of a group.
    mutating func append(_ number: Int, of events: ReadEvents, group: String?) {
        let event = events.batch[number]
        let source = events.batch.sources[event.sourceIndex]
        entries.append(event, sourceIndex: self.index(ofSource: source.name, group: group))
        byteCount += event.entryByteCount
        count += 1
    }

    /// Notes that the event that was added last is a decision that may have no effect.
    mutating func noteDecision() {
        decisions.append(entries.count - 1)
    }

    /// Notes from which record the event that was added last comes.
    mutating func noteOrigin(_ origin: InputOrigin, record: UInt64) {
        trail.add(entries.count - 1, from: origin, record: record)
    }

    /// Adds a line that is no acceptable event.
    mutating func refuse(_ rejection: Rejection, excerpt: String) {
        refusals.append(Refusal(index: count, rejection: rejection, excerpt: excerpt))
        count += 1
    }

    /// Notes what is extra in the event that was added last.
    mutating func noteExtra(_ extra: KeptExtra) {
        extras.append(Extra(eventIndex: count - refusals.count - 1, extra: extra))
    }

    /// Leaves out a line that is not answered: the next one stands below it.
    mutating func skipLine() {
        let place = place(of: count)
        begin(at: Place(input: place.input, line: place.line + 1))
    }

    /// Whether a line is not acceptable.
    var hasRejections: Bool {
        refusals.contains { $0.rejection.code != .nothingToAppend }
    }

    /// Returns where a line of the group stands.
    func place(of index: Int) -> Place {
        // The last that does not begin after it.
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= index { low = middle + 1 } else { high = middle }
        }
        precondition(low > 0, "a group begins with a place")
        let run = runs[low - 1]
        return Place(input: run.place.input, line: run.place.line + index - run.start)
    }

    /// Returns where the line of an event of the batch stands.
    func place(ofEvent index: Int) -> Place {
        var line = index
        for refusal in refusals where refusal.index <= line { line += 1 }
        return place(of: line)
    }

    /// Forgets all lines and keeps the memory.
    mutating func removeAll() {
        count = 0
        byteCount = 0
        runs.removeAll(keepingCapacity: true)
        trail.removeAll()
        decisions.removeAll(keepingCapacity: true)
        refusals.removeAll(keepingCapacity: true)
        extras.removeAll(keepingCapacity: true)
        if entries.sources.count < Self.mostSources {
            entries.removeAll()
        } else {
            entries = EntryBatch()
            sourceIndexes = []
        }
    }

    private mutating func sourceIndex(of candidate: borrowing EventCandidate) -> Int {
        let number = candidate.sourceNumber
        if number < sourceIndexes.count, let index = sourceIndexes[number] { return Int(index) }
        if number >= sourceIndexes.count {
            let missing = number + 1 - sourceIndexes.count
            sourceIndexes.append(contentsOf: repeatElement(nil, count: missing))
        }
        let index = self.index(ofSource: candidate.source, group: candidate.group)
        sourceIndexes[number] = UInt32(index)
        return index
    }

    private mutating func index(ofSource name: String, group: String?) -> Int {
        let stored = Ledger.storedName(ofSource: name, in: group)
        return entries.index(ofSource: stored, group: group)
    }
}

extension Ledger {
    /// Returns what became of an event, as it is on disk: the answer to lines, deliveries and
    /// values alike.
    ///
    /// - Parameters:
    ///   - outcome: What the log made of it.
    ///   - event: The entries that hold it, and its index among them; asked for if it is not in the
    ///     log, or another one is.
    ///   - result: The outcomes of all events that were appended together.
    ///   - other: Returns one of these events, by its index, and the name that messages use for it.
    /// - Returns: The answer.
    func receipt(
        _ outcome: AppendOutcome,
        for event: @autoclosure () -> (entries: EntryBatch, index: Int),
        in result: AppendResult,
        other: (_ index: Int) -> (event: TripEvent?, name: String)
    ) -> Receipt {
        if let receipt = Receipt(outcome, in: result) { return receipt }
        switch outcome {
        case .conflict(let position) where result.isStored(at: position):
            let offered = event()
            let fields = difference(offered.entries.event(offered.index), from: position)
            return .conflict(with: position, fields: fields)
        case .conflict(let position):
            let known = result.outcomes.firstIndex(of: .appended(position: position)).map(other)
            let offered = event()
            let fields = difference(offered.entries.event(offered.index), from: known?.event)
            let name = known.map { " of \($0.name)" } ?? ""
            return .rejected(
                Rejection(
                    .idTaken,
                    sentence: "It has the id\(name) and differs in "
                        + "\(fields.joined(separator: ", "))."
                )
            )
        case .otherGroup:
            let offered = event()
            return .rejected(otherGroup(offered.entries, offered.index))
        case .tooLarge:
            preconditionFailure("what reads or encodes events lets none through that is too large")
        case .appended, .duplicate:
            preconditionFailure("where it stands is the whole answer")
        }
    }

    /// Returns the names of the fields in which an event differs from the stored one at a position;
    /// none if that one cannot be read, because the receipt is true without them.
    private func difference(_ offered: TripEvent?, from position: UInt64) -> [String] {
        guard let offered else { return [] }
        let stored = try? log.withEntry(at: position) { entry in
            try StoredEvent(
                entry,
                at: position,
                source: RegisteredSource(name: offered.source, group: offered.group)
            )
        }
        return difference(offered, from: stored.flatMap(\.self)?.event)
    }

    private func difference(_ offered: TripEvent?, from earlier: TripEvent?) -> [String] {
        guard let offered, let earlier else { return [] }
        return EventDifference(earlier, offered).names
    }

    /// Says that the source of an event of a batch is of another group than the event says.
    private func otherGroup(_ entries: EntryBatch, _ index: Int) -> Rejection {
        let said = entries.sources[entries[index].sourceIndex]
        let stored = try? log.number(ofSource: said.name).flatMap { try log.source(numbered: $0) }
        // A source that is not stored yet was registered by an earlier event of the batch.
        let first = entries.sources.first { $0.name.hasSameBytes(as: said.name) }
        let known = stored.flatMap(\.self).map(\.registered) ?? first
        return .otherGroup(said.group, of: said.name, knownAs: known?.group)
    }
}

extension Receipt {
    /// Creates the answer to an event that the log has a position for, or returns `nil` if the
    /// answer takes more than the outcome says.
    @inline(__always)
    init?(_ outcome: AppendOutcome, in result: AppendResult) {
        switch outcome {
        case .appended(let position):
            self = result.isStored(at: position) ? .appended(position: position) : .heldBack
        case .duplicate(let position):
            self = result.isStored(at: position) ? .duplicate(of: position) : .heldBack
        case .conflict, .otherGroup, .tooLarge: return nil
        }
    }
}

extension EntryBatch {
    /// Returns an event, or `nil` if it cannot be decoded.
    func event(_ index: Int) -> TripEvent? {
        let candidate = self[index]
        return try? TripEvent(
            decoding: candidate.payload,
            kind: candidate.kind,
            form: PayloadForm(rawValue: candidate.form),
            source: sources[candidate.sourceIndex].name,
            occurredAt: Timestamp(milliseconds: candidate.occurredAt),
            id: String(validating: candidate.id)
        )
    }
}

/// Events from the program, which are checked part by part while they are stored.
struct CheckedEvents {
    /// Few enough to stay in the processor's cache from the check until they are stored.
    private static let eventsOfPart = 256

    /// The events that are not acceptable, in order.
    private(set) var refusals: [Batch.Refusal] = []

    /// The answers if one event that is not acceptable keeps the others out.
    var receiptsIfHeldBack: [Receipt] {
        var receipts = [Receipt](repeating: .heldBack, count: events.count)
        for refusal in refusals { receipts[refusal.index] = refusal.receipt }
        return receipts
    }

    private let events: [TripEvent]
    private let recordedAt: Timestamp
    private var encoder: EventEncoder
    private var part = Batch()

    /// How many events there are, acceptable or not.
    var count: Int { events.count }

    /// Returns the index among all events of one of those that were acceptable.
    func index(ofAcceptable index: Int) -> Int {
        refusals.reduce(index) { $1.index <= $0 ? $0 + 1 : $0 }
    }

    /// Prepares to check events that are stored at `recordedAt`.
    init(_ events: [TripEvent], recordedAt: Timestamp, acceptingReservedTypes: Bool = false) {
        self.events = events
        self.recordedAt = recordedAt
        encoder = EventEncoder(acceptingReservedTypes: acceptingReservedTypes)
    }

    /// Hands over the acceptable events, in order; it can be called again.
    mutating func forEachPart(_ body: (borrowing EntryBatch) throws -> Void) rethrows {
        refusals.removeAll()
        // This copies a reference only. The encoder changes while the span is in use.
        let events = events
        for start in stride(from: 0, to: events.count, by: Self.eventsOfPart) {
            part.removeAll()
            for index in start..<min(start + Self.eventsOfPart, events.count) {
                check(events.span, at: index)
            }
            try body(part.entries)
        }
    }

    /// Returns one of the acceptable events alone, by its index among all events.
    mutating func entries(of index: Int) -> EntryBatch {
        let events = events
        part.removeAll()
        check(events.span, at: index)
        return part.entries
    }

    private mutating func check(_ events: Span<TripEvent>, at index: Int) {
        do throws(Rejection) {
            try encoder.encode(events, at: index, recordedAt: recordedAt)
            part.append(encoder.candidate)
        } catch {
            refusals.append(Batch.Refusal(index: index, rejection: error, excerpt: ""))
        }
    }
}

extension EntryBatch {
    /// Adds the event that a reader has just read.
    mutating func append(_ candidate: borrowing EventCandidate, sourceIndex: Int) {
        append(
            sourceIndex: sourceIndex,
            kind: candidate.kind.rawValue,
            form: candidate.form.rawValue,
            occurredAt: candidate.occurredAt.milliseconds,
            id: candidate.form.hasID ? candidate.id.span : Span(),
            payload: candidate.payload.span
        )
    }
}
