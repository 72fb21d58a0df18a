internal import LMDB
import Proofs

extension EventLog {
    /// Why a transaction is given up without being an error: nothing of the batch may stay.
    private struct Refusal: Error {
        var outcomes: [AppendOutcome]
        var head: TreeHead
    }

    /// Events of a batch for which it is worth while to give back pages of the map: who appends
    /// so many may go on for long.
    private static let manyEvents = 1_000

    /// Appends a batch in one transaction.
    ///
    /// When this returns, what was appended is durable. When it throws, nothing was appended,
    /// unless the error is an LMDB error of the commit itself: then the outcome is unknown, and
    /// appending the same batch again is safe, because what is there already is recognised.
    ///
    /// - Parameters:
    ///   - batch: The events, in order of arrival.
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - conditions: What must hold.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
    /// - Throws: `EventLogError.sizeMoved`, `.tooManySources`, `.damaged`, or `LMDBError`.
    // What the program appends with is worth its own machine code: this is the hot path.
    @_specialize(where Randomness == BufferedRandom)
    package func append<Randomness: RandomNumberGenerator>(
        _ batch: borrowing EntryBatch,
        recordedAt now: Int64,
        conditions: AppendConditions = AppendConditions(),
        registration: SourceRegistration,
        randomness: inout Randomness
    ) throws -> AppendResult {
        do {
            return try environment.write { transaction in
                var appender = try LogAppender(
                    continuing: tables,
                    at: now,
                    sourceCount: batch.sources.count,
                    randomness: randomness,
                    &transaction
                )
                let size = appender.state.frontier.size
                if let expected = conditions.expectedSize, expected != size {
                    throw EventLogError.sizeMoved(expected: expected, actual: size)
                }
                try forgetPages(for: batch, transaction)
                let before = TreeHead(size: size, root: appender.state.frontier.root)
                var outcomes: [AppendOutcome] = []
                outcomes.reserveCapacity(batch.count)
                for index in 0..<batch.count {
                    let candidate = batch[index]
                    outcomes.append(
                        try appender.append(
                            candidate,
                            sourceName: batch.sources[candidate.sourceIndex],
                            registration: registration,
                            &transaction
                        )
                    )
                }
                if conditions.isAllOrNothing, !outcomes.allSatisfy(\.isAccepted) {
                    throw Refusal(outcomes: outcomes, head: before)
                }
                guard appender.state.frontier.size > size else {
                    throw Refusal(outcomes: outcomes, head: before)
                }
                try appender.finish(&transaction)
                randomness = appender.randomness
                let frontier = appender.state.frontier
                return AppendResult(
                    outcomes: outcomes,
                    isCommitted: true,
                    head: TreeHead(size: frontier.size, root: frontier.root)
                )
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

    /// Before a large batch, takes the pages between the first block and the last, which earlier
    /// ones have touched, out of this process: a long append does not come to hold the whole map.
    private func forgetPages(
        for batch: borrowing EntryBatch,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard batch.count >= Self.manyEvents else { return }
        var pages = MappedRegion()
        var cursor = try transaction.cursor(tables.blocks)
        if try cursor.first() { pages.extend(cursor.value) }
        if try cursor.last() { pages.extend(cursor.value) }
        pages.forget()
    }
}
