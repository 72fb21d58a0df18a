public import TripEvents

/// A fix with when the ledger stored it: what a tracker needs of nearly every entry of a log.
public struct RecordedFix: Hashable, Sendable {
    /// The reading.
    public var fix: Fix

    /// When the ledger stored it.
    public var recordedAt: Timestamp

    /// Creates a fix of a log.
    @inlinable
    public init(fix: Fix, recordedAt: Timestamp) {
        self.fix = fix
        self.recordedAt = recordedAt
    }
}
