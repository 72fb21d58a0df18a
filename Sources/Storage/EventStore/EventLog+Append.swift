internal import LMDB
import Platform
package import Proofs

extension EventLog {
    /// Why a transaction is given up without being an error: nothing of the batch may stay.
    private struct Refusal: Error {
        var outcomes: [AppendOutcome]
        var head: TreeHead
    }

    /// Appends a batch in one transaction.
    ///
    /// When this returns, what was appended is durable; when it throws, see the other `append`.
    ///
    /// - Parameters:
    ///   - batch: The events, in order of arrival.
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - mayUseThread: Whether many events are hashed on a thread of their own, as below.
    ///   - conditions: The conditions under which events are appended.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
    ///   - makeNotes: Begins the ledger's notes about the events; `nil` if it makes none. It is
    ///     called again if the transaction runs again.
    /// - Returns: What became of the events.
    /// - Throws: `EventLogError.sizeMoved`, `.tooManySources`, `.damaged`, or `LMDBError`.
    // What the program appends with is worth its own machine code: this is the hot path.
    @_specialize(where Randomness == BufferedRandom)
    package func append<Randomness: RandomNumberGenerator>(
        _ batch: borrowing EntryBatch,
        recordedAt now: Int64,
        mayUseThread: Bool = false,
        conditions: AppendConditions = AppendConditions(),
        registration: @escaping SourceRegistration,
        randomness: inout Randomness,
        noting makeNotes: (() -> EntryNotes)? = nil
    ) throws -> AppendResult {
        try append(
            recordedAt: now,
            eventCount: batch.count,
            mayUseThread: mayUseThread,
            conditions: conditions,
            registration: registration,
            randomness: &randomness,
            noting: makeNotes
        ) { append in try append(batch) }
    }

    /// Appends events that come part by part, in one transaction.
    ///
    /// When this returns, what was appended is durable. When it throws, nothing was appended,
    /// unless the error is an LMDB error of the commit itself: then the outcome is unknown, and
    /// appending the same events again is safe, because the log recognises duplicates.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - eventCount: How many events come, if all are acceptable.
    ///   - mayUseThread: Whether many events are hashed on a thread of their own, which is worth it
    ///     unless the caller keeps another thread busy meanwhile.
    ///   - conditions: The conditions under which events are appended.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
    ///   - makeNotes: Begins what the ledger notes about the events, as above.
    ///   - body: Hands all parts over to its argument, in order of arrival. Each has the sources of
    ///     the one before it, and maybe more. It MUST be repeatable: if the map is full, it runs
    ///     again from the start.
    /// - Returns: What became of the events.
    /// - Throws: `EventLogError.sizeMoved`, `.tooManySources`, `.damaged`, `LMDBError`, or what
    ///   `body` throws.
    @_specialize(where Randomness == BufferedRandom)
    package func append<Randomness: RandomNumberGenerator>(
        recordedAt now: Int64,
        eventCount: Int,
        mayUseThread: Bool = false,
        conditions: AppendConditions = AppendConditions(),
        registration: @escaping SourceRegistration,
        randomness: inout Randomness,
        noting makeNotes: (() -> EntryNotes)? = nil,
        _ body: ((borrowing EntryBatch) throws -> Void) throws -> Void
    ) throws -> AppendResult {
        do {
            return try environment.write { transaction in
                var appender = try LogAppender(
                    continuing: tables,
                    at: now,
                    eventsForThread: mayUseThread ? eventCount : 0,
                    mostSources: conditions.mostSources,
                    randomness: randomness,
                    &transaction
                )
                let size = appender.size
                if let expected = conditions.expectedSize, expected != size {
                    throw EventLogError.sizeMoved(expected: expected, actual: size)
                }
                var outcomes: [AppendOutcome] = []
                outcomes.reserveCapacity(eventCount)
                let notes = makeNotes?()
                try body { batch in
                    try appender.append(
                        batch,
                        registration,
                        notes,
                        outcomes: &outcomes,
                        &transaction
                    )
                }
                let isWanted = !conditions.isAllOrNothing || outcomes.allSatisfy(\.isAccepted)
                guard isWanted, appender.size > size else {
                    throw Refusal(outcomes: outcomes, head: appender.headBefore)
                }
                if let note = notes?.atEnd(appender.size) {
                    try appender.appendOwn(note, &transaction)
                }
                let head = try appender.finish(&transaction)
                randomness = appender.randomness
                return AppendResult(outcomes: outcomes, head: head)
            }
        } catch let refusal as Refusal {
            // Duplicates are acknowledged without a commit.
            try requireAtPath()
            return AppendResult(outcomes: refusal.outcomes, head: refusal.head)
        }
    }
}

/// The ledger's notes about the events of one transaction, stored as its own entries in the same
/// transaction.
package struct EntryNotes {
    /// Gets each event that was stored, by its index among those of the transaction and its
    /// position, and returns what is to be stored right after it.
    let afterEvent: (_ index: Int, _ position: UInt64) -> EntryContent?

    /// Gets the size of the log, and returns what is to be stored as the last of all.
    let atEnd: (_ size: UInt64) -> EntryContent?

    /// Creates notes.
    package init(
        afterEvent: @escaping (_ index: Int, _ position: UInt64) -> EntryContent?,
        atEnd: @escaping (_ size: UInt64) -> EntryContent?
    ) {
        self.afterEvent = afterEvent
        self.atEnd = atEnd
    }
}

/// The conditions under which a batch is appended.
package struct AppendConditions: Hashable, Sendable {
    /// The number of entries the log must hold before, if the caller cares (optimistic
    /// concurrency).
    package var expectedSize: UInt64?

    /// Whether one event that cannot be stored keeps all others out.
    package var isAllOrNothing: Bool

    /// How many sources the log may have afterwards.
    package var mostSources: Int

    /// How many sources a log can have.
    package static let mostSources = Int(LogLimits.sourceNumbers.upperBound)

    /// Creates conditions; without arguments there are none but what a log can have.
    package init(
        expectedSize: UInt64? = nil,
        isAllOrNothing: Bool = false,
        mostSources: Int = AppendConditions.mostSources
    ) {
        self.expectedSize = expectedSize
        self.isAllOrNothing = isAllOrNothing
        self.mostSources = mostSources
    }
}

/// The outcome for one event of a batch.
///
/// A position in an outcome may be that of an earlier event of the same batch. If the batch was not
/// committed, that event is not in the log: ask `AppendResult.isStored(at:)`.
package enum AppendOutcome: Hashable, Sendable {
    /// The event got this position.
    case appended(position: UInt64)

    /// The same event was there before, at this position.
    case duplicate(of: UInt64)

    /// Another event with this sender's id was there before, at this position.
    case conflict(with: UInt64)

    /// The event needs more bytes than an entry may have.
    case tooLarge

    /// The source is of another group than the event says.
    case otherGroup

    /// Whether nothing keeps the event out of the log.
    package var isAccepted: Bool {
        switch self {
        case .appended, .duplicate: true
        case .conflict, .tooLarge, .otherGroup: false
        }
    }
}

/// The outcome for a batch.
package struct AppendResult: Sendable {
    /// One outcome for each event, in the batch's order.
    package var outcomes: [AppendOutcome]

    /// The log's head after the append.
    package var head: TreeHead

    /// Returns whether the log holds the position that an outcome names: not if it was given to an
    /// event of this batch and the batch was not committed.
    package func isStored(at position: UInt64) -> Bool {
        position < head.size
    }
}
