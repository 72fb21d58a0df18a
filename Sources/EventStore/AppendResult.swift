package import Proofs

/// What became of a batch.
package struct AppendResult: Sendable {
    /// One outcome for each event, in the batch's order.
    package var outcomes: [AppendOutcome]

    /// Whether the events that could be stored are; `false` only after an all-or-nothing append
    /// that found one that could not, which leaves the log as it was.
    package var isCommitted: Bool

    /// The log's head after the append.
    package var head: TreeHead

    /// Returns whether the log holds the position that an outcome names: not if it was given to an
    /// event of this batch and the batch was not committed.
    package func isStored(at position: UInt64) -> Bool {
        position < head.size
    }
}
