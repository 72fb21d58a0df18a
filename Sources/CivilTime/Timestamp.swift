/// An instant: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Whole milliseconds make every sum and comparison exact.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Creates the instant that lies `milliseconds` after 1970-01-01T00:00:00Z.
    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns whether one instant is earlier than another.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Milliseconds from `earlier` to this instant; negative if this one is the earlier.
    @inlinable
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        milliseconds - earlier.milliseconds
    }

    /// Returns the instant `milliseconds` later.
    @inlinable
    public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + milliseconds)
    }
}
