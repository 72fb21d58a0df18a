import EventStore
import LMDB
import Platform
public import TripEvents

extension Ledger {
    /// How many sources a ledger can have: 1,000,000.
    public static let mostSources = AppendConditions.mostSources

    /// How many sources a ledger can have that its owner did not name: the last 1,000 are for what
    /// the owner presses and decides, so that senders of events cannot use up all of them.
    public static let mostSourcesOfOthers = mostSources - 1_000

    /// Appends events in one transaction and answers each.
    ///
    /// ```swift
    /// let fix = FixRecorded(latitude: 51.927, longitude: 4.362, accuracy: 10)
    /// let event = TripEvent(source: "phone", occurredAt: now, body: .fixRecorded(fix))
    /// let receipts = try ledger.append([event], now: now)
    /// ```
    ///
    /// - Parameters:
    ///   - events: In order of arrival; one that breaks the catalogue's rules, or is of a type that
    ///     only the ledger writes, is rejected.
    ///   - now: When the ledger stores them.
    ///   - expectedSize: How many entries the log must hold; `nil` for any number.
    ///   - happenWhenSent: Whether the events happen when they are sent, because the sender knows
    ///     no other time. One that is sent again under its id is then a duplicate, although its
    ///     time is another.
    ///   - isAllOrNothing: Whether one event that cannot be stored keeps the others out.
    ///   - mostSources: How many sources the ledger may have afterwards; ``mostSources`` for events
    ///     of the ledger's owner.
    /// - Returns: One answer for each event, in the same order.
    /// - Throws: `.sizeMoved` if the log does not hold `expectedSize` entries, `.damaged` or
    ///   `.inputOutput`; then nothing was appended, unless the hint says that the outcome is
    ///   unknown.
    public func append(
        _ events: [TripEvent],
        now: Timestamp,
        expectedSize: UInt64? = nil,
        happenWhenSent: Bool = false,
        isAllOrNothing: Bool = false,
        mostSources: Int = Ledger.mostSourcesOfOthers
    ) throws(LedgerError) -> [Receipt] {
        try append(
            CheckedEvents(events, recordedAt: now),
            now: now,
            expectedSize: expectedSize,
            happenWhenSent: happenWhenSent,
            isAllOrNothing: isAllOrNothing,
            mostSources: mostSources
        )
    }

    /// Appends an event of a type that only the ledger itself writes.
    ///
    /// - Returns: The answer.
    /// - Throws: `.damaged`, `.inputOutput`.
    func append(own event: TripEvent, now: Timestamp) throws(LedgerError) -> Receipt? {
        try append(
            CheckedEvents([event], recordedAt: now, acceptingReservedTypes: true),
            now: now,
            mostSources: Self.mostSources
        )
        .first
    }

    private func append(
        _ events: consuming CheckedEvents,
        now: Timestamp,
        expectedSize: UInt64? = nil,
        happenWhenSent: Bool = false,
        isAllOrNothing: Bool = false,
        mostSources: Int
    ) throws(LedgerError) -> [Receipt] {
        var checked = events
        if isAllOrNothing {
            checked.forEachPart { _ in }
            if !checked.refusals.isEmpty { return checked.receiptsIfHeldBack }
        }
        var random = BufferedRandom()
        let result = try LedgerError.translating(at: path) {
            try eventLog.append(
                recordedAt: now.milliseconds,
                eventCount: checked.count,
                mayUseThread: true,
                conditions: AppendConditions(
                    expectedSize: expectedSize,
                    isAllOrNothing: isAllOrNothing,
                    mostSources: mostSources
                ),
                registration: EntryContent.registration,
                randomness: &random
            ) { append in try checked.forEachPart(append) }
        }
        let receipts = receipts(for: &checked, result, happenWhenSent: happenWhenSent)
        guard isAllOrNothing, result.outcomes.contains(where: { !$0.isAccepted }) else {
            return receipts
        }
        return receipts.map { if case .appended = $0 { .heldBack } else { $0 } }
    }

    /// Returns the answers to events that were appended.
    private func receipts(
        for checked: inout CheckedEvents,
        _ result: AppendResult,
        happenWhenSent: Bool
    ) -> [Receipt] {
        var receipts: [Receipt] = []
        receipts.reserveCapacity(result.outcomes.count + checked.refusals.count)
        var refusals = checked.refusals[...]
        for outcome in result.outcomes {
            while refusals.first?.index == receipts.count, let refusal = refusals.popFirst() {
                receipts.append(.rejected(refusal.rejection))
            }
            switch outcome {
            case .appended(let position):
                receipts.append(.appended(position: position))
            case .duplicate(let position):
                receipts.append(.duplicate(of: position))
            case .conflict(let position):
                let fields = difference(checked.batch(of: receipts.count), 0, position)
                receipts.append(
                    Receipt.conflict(with: position, fields: fields)
                        .disregarding(happenWhenSent ? [EventDifference.occurredAt] : [])
                )
            case .otherGroup:
                receipts.append(.rejected(otherGroup(checked.batch(of: receipts.count), 0)))
            case .tooLarge:
                preconditionFailure("the encoder lets no event through that is too large")
            }
        }
        receipts += refusals.map { .rejected($0.rejection) }
        return receipts
    }

    /// Appends a batch and names new sources after the catalogue.
    func append(
        _ batch: borrowing EntryBatch,
        recordedAt: Timestamp,
        conditions: AppendConditions = AppendConditions(),
        randomness: inout BufferedRandom,
        noting makeNotes: (() -> EntryNotes)? = nil
    ) throws(LedgerError) -> AppendResult {
        try LedgerError.translating(at: path) {
            try eventLog.append(
                batch,
                recordedAt: recordedAt.milliseconds,
                conditions: conditions,
                registration: EntryContent.registration,
                randomness: &randomness,
                noting: makeNotes
            )
        }
    }

    /// Begins to append a batch on another thread, or returns `nil` if the system has none left.
    ///
    /// The next append MUST NOT begin before this one has ended, so that positions follow the order
    /// of arrival.
    func beginToAppend(
        _ batch: EntryBatch,
        recordedAt: Timestamp,
        conditions: AppendConditions,
        randomness: BufferedRandom,
        noting makeNotes: (@Sendable () -> EntryNotes)?
    ) -> WorkerThread<AppendEnding>? {
        WorkerThread { [self] in
            var randomness = randomness
            let result = Result {
                try append(
                    batch,
                    recordedAt: recordedAt,
                    conditions: conditions,
                    randomness: &randomness,
                    noting: makeNotes
                )
            }
            return AppendEnding(result: result, batch: batch, randomness: randomness)
        }
    }

    /// Returns the names of the fields in which an event of a batch differs from a stored one; none
    /// if that one cannot be read, for the receipt is true without them.
    func difference(
        _ batch: borrowing EntryBatch,
        _ index: Int,
        _ position: UInt64
    ) -> [String] {
        guard let offered = event(of: batch, index) else { return [] }
        let stored = try? log.withEntry(at: position) { entry in
            try StoredEvent(
                entry,
                at: position,
                source: RegisteredSource(name: offered.source, group: offered.group)
            )
        }
        guard let stored = stored ?? nil else { return [] }
        return EventDifference(stored.event, offered).names
    }

    /// Says that the source of an event of a batch is of another group than the event says.
    func otherGroup(_ batch: borrowing EntryBatch, _ index: Int) -> Rejection {
        let said = batch.sources[batch[index].sourceIndex]
        let stored = try? log.number(ofSource: said.name).flatMap { try log.source(numbered: $0) }
        // A source that is not stored yet was registered by an earlier event of the batch.
        let first = batch.sources.first { $0.name.hasSameBytes(as: said.name) }
        let known = stored.flatMap(\.self).map(\.registered) ?? first
        return .otherGroup(said.group, of: said.name, knownAs: known?.group)
    }

    /// Returns the names of the fields in which two events of a batch differ.
    func difference(
        _ batch: borrowing EntryBatch,
        _ index: Int,
        otherIndex: Int
    ) -> [String] {
        guard let later = event(of: batch, index), let earlier = event(of: batch, otherIndex)
        else { return [] }
        return EventDifference(earlier, later).names
    }

    private func event(of batch: borrowing EntryBatch, _ index: Int) -> TripEvent? {
        let candidate = batch[index]
        return try? TripEvent(
            decoding: candidate.payload,
            kind: candidate.kind,
            form: PayloadForm(rawValue: candidate.form),
            source: batch.sources[candidate.sourceIndex].name,
            occurredAt: Timestamp(milliseconds: candidate.occurredAt),
            id: String(validating: candidate.id)
        )
    }
}

/// Events from the program, which are checked part by part while they are stored.
struct CheckedEvents {
    /// An event that is not acceptable.
    struct Refusal {
        /// The index of the event.
        var index: Int

        /// The reason.
        var rejection: Rejection
    }

    /// Few enough to stay in the processor's cache from the check until they are stored.
    private static let eventsOfPart = 256

    /// The events that are not acceptable, in order.
    private(set) var refusals: [Refusal] = []

    /// The answers if one event that is not acceptable keeps the others out.
    var receiptsIfHeldBack: [Receipt] {
        var receipts = [Receipt](repeating: .heldBack, count: events.count)
        for refusal in refusals { receipts[refusal.index] = .rejected(refusal.rejection) }
        return receipts
    }

    private let events: [TripEvent]
    private let recordedAt: Timestamp
    private var encoder: EventEncoder
    private var part = IntakeGroup()

    /// How many events there are, acceptable or not.
    var count: Int { events.count }

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
            try body(part.batch)
        }
    }

    /// Returns one of the acceptable events alone.
    mutating func batch(of index: Int) -> EntryBatch {
        let events = events
        part.removeAll()
        check(events.span, at: index)
        return part.batch
    }

    private mutating func check(_ events: Span<TripEvent>, at index: Int) {
        do throws(Rejection) {
            try encoder.encode(events, at: index, recordedAt: recordedAt)
            part.append(encoder.candidate)
        } catch {
            refusals.append(Refusal(index: index, rejection: error))
        }
    }
}

/// The result of an append on another thread.
struct AppendEnding: Sendable {
    /// The outcome for the events.
    var result: Result<AppendResult, any Error>

    /// The events.
    var batch: EntryBatch

    /// Where nonces come from, after those that were used.
    var randomness: BufferedRandom
}
