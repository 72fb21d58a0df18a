public import Geodesy
public import TripEvents

/// A fix with when the ledger stored it: what a tracker needs of nearly every entry of a log.
public struct RecordedFix: Hashable, Sendable {
    /// The reading.
    public var fix: Fix

    /// The way from the fix before it in millimetres, `.max` if it is not known: in so few bytes
    /// that the whole takes a line of the processor's cache.
    @usableFromInline var millimetersFromPrevious = UInt32.max

    /// When the ledger stored it.
    public var recordedAt: Timestamp

    /// Creates a fix of a log.
    @inlinable
    public init(fix: Fix, recordedAt: Timestamp) {
        self.fix = fix
        self.recordedAt = recordedAt
    }

    /// The way from the fix before it, if that was measured: trackers that are given both fixes
    /// need not do so.
    ///
    /// It MUST be what `LocalMetric` says. A way of more than 4,000 km is not kept.
    @inlinable
    public var wayFromPrevious: Distance? {
        @inline(__always) get {
            millimetersFromPrevious == .max
                ? nil : Distance(millimeters: Int64(millimetersFromPrevious))
        }
        @inline(__always) set {
            millimetersFromPrevious =
                newValue.flatMap { UInt32(exactly: $0.millimeters) } ?? .max
        }
    }
}
