import EventStore
import Platform

/// What an append on another thread leaves behind.
struct AppendEnding: Sendable {
    /// What became of the events.
    var result: Result<AppendResult, any Error>

    /// The events.
    var batch: EntryBatch

    /// Where nonces come from, after those that were used.
    var randomness: BufferedRandom
}
