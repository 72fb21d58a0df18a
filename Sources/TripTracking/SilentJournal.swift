public import Geodesy
public import TripEvents

/// A journal that keeps nothing, for replay: calls to it vanish from the compiled code.
public struct SilentJournal: VerdictJournal {
    /// Creates a journal.
    @inlinable
    public init() {}

    /// Does nothing.
    @inlinable
    public mutating func note(
        position: UInt64,
        occurredAt: Timestamp,
        verdict: Verdict,
        added: Distance,
        gap: Distance
    ) {}
}
