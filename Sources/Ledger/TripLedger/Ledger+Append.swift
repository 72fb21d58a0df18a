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
        return receipts(for: &checked, result, happenWhenSent: happenWhenSent)
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
                receipts.append(refusal.receipt)
            }
            let receipt = receipt(
                outcome,
                for: (checked.entries(of: receipts.count), 0),
                in: result
            ) {
                let index = checked.index(ofAcceptable: $0)
                return (checked.entries(of: index).event(0), "event \(index + 1)")
            }
            receipts.append(
                receipt.disregarding(happenWhenSent ? [EventDifference.occurredAt] : [])
            )
        }
        receipts += refusals.map(\.receipt)
        return receipts
    }

    /// Appends a batch and names new sources after the catalogue; a large one may be hashed on a
    /// thread of its own.
    func append(
        _ batch: borrowing EntryBatch,
        recordedAt: Timestamp,
        mayUseThread: Bool = false,
        conditions: AppendConditions = AppendConditions(),
        randomness: inout BufferedRandom,
        noting makeNotes: (() -> EntryNotes)? = nil
    ) throws(LedgerError) -> AppendResult {
        try LedgerError.translating(at: path) {
            try eventLog.append(
                batch,
                recordedAt: recordedAt.milliseconds,
                mayUseThread: mayUseThread,
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
