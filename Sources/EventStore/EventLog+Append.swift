internal import LMDB
import Proofs

extension EventLog {
    /// Why a transaction is given up without being an error: nothing of the batch may stay.
    private struct Refusal: Error {
        var outcomes: [AppendOutcome]
        var head: TreeHead
    }

    /// After so many entries it is worth while to give back pages of the map: who appends so many
    /// may go on for long.
    private static let entriesKeptMapped: UInt64 = 1 << 16

    /// Appends a batch in one transaction, on this thread alone.
    ///
    /// When this returns, what was appended is durable; when it throws, see the other `append`.
    ///
    /// - Parameters:
    ///   - batch: The events, in order of arrival.
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - conditions: What must hold.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
    /// - Returns: What became of the events.
    /// - Throws: `EventLogError.sizeMoved`, `.tooManySources`, `.damaged`, or `LMDBError`.
    // What the program appends with is worth its own machine code: this is the hot path.
    @_specialize(where Randomness == BufferedRandom)
    package func append<Randomness: RandomNumberGenerator>(
        _ batch: borrowing EntryBatch,
        recordedAt now: Int64,
        conditions: AppendConditions = AppendConditions(),
        registration: @escaping SourceRegistration,
        randomness: inout Randomness
    ) throws -> AppendResult {
        try append(
            recordedAt: now,
            eventCount: batch.count,
            mayUseThread: false,
            conditions: conditions,
            registration: registration,
            randomness: &randomness
        ) { append in try append(batch) }
    }

    /// Appends events that come part by part, in one transaction.
    ///
    /// When this returns, what was appended is durable. When it throws, nothing was appended,
    /// unless the error is an LMDB error of the commit itself: then the outcome is unknown, and
    /// appending the same events again is safe, because what is there already is recognised.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - eventCount: How many events come, if all are acceptable.
    ///   - mayUseThread: Whether many events are hashed on a thread of their own, which is worth
    ///     while unless the program has another one at work.
    ///   - conditions: What must hold.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
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
        mayUseThread: Bool,
        conditions: AppendConditions = AppendConditions(),
        registration: @escaping SourceRegistration,
        randomness: inout Randomness,
        _ body: ((borrowing EntryBatch) throws -> Void) throws -> Void
    ) throws -> AppendResult {
        do {
            return try environment.write { transaction in
                var appender = try LogAppender(
                    continuing: tables,
                    at: now,
                    eventsOfThread: mayUseThread ? eventCount : 0,
                    randomness: randomness,
                    &transaction
                )
                let size = appender.size
                if let expected = conditions.expectedSize, expected != size {
                    throw EventLogError.sizeMoved(expected: expected, actual: size)
                }
                try forgetPages(from: size, upTo: size + UInt64(eventCount), transaction)
                var outcomes: [AppendOutcome] = []
                outcomes.reserveCapacity(eventCount)
                try body { batch in
                    try appender.append(batch, registration, outcomes: &outcomes, &transaction)
                }
                let isWanted = !conditions.isAllOrNothing || outcomes.allSatisfy(\.isAccepted)
                guard isWanted, appender.size > size else {
                    throw Refusal(outcomes: outcomes, head: appender.headBefore)
                }
                let head = try appender.finish(&transaction)
                randomness = appender.randomness
                return AppendResult(outcomes: outcomes, isCommitted: true, head: head)
            }
        } catch let refusal as Refusal {
            return AppendResult(
                outcomes: refusal.outcomes,
                isCommitted: !conditions.isAllOrNothing
                    || refusal.outcomes.allSatisfy(\.isAccepted),
                head: refusal.head
            )
        }
    }

    /// Every so many entries, takes the pages between the first block and the last, which earlier
    /// appends have touched, out of this process: a long append does not come to hold the whole
    /// map.
    private func forgetPages(
        from size: UInt64,
        upTo newSize: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard size / Self.entriesKeptMapped != newSize / Self.entriesKeptMapped else { return }
        var pages = MappedRegion()
        var cursor = try transaction.cursor(tables.blocks)
        if try cursor.first() { pages.extend(cursor.value) }
        if try cursor.last() { pages.extend(cursor.value) }
        pages.forget()
    }
}
