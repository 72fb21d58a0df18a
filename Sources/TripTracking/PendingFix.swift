import TripEvents

/// A fix whose verdict depends on the fixes after it.
struct PendingFix: Hashable, Sendable {
    var fix: Fix

    /// Where it stands in the log, for the journal.
    var position: UInt64
}
