/// An instant and, where it is known, how far local time was from UTC there and then.
public struct EventTime: Hashable, Sendable {
    /// The instant.
    public var timestamp: Timestamp

    /// The offset of local time from UTC, if it is known.
    public var utcOffset: UTCOffset?

    /// Creates an instant with an offset, if it is known.
    public init(_ timestamp: Timestamp, utcOffset: UTCOffset? = nil) {
        self.timestamp = timestamp
        self.utcOffset = utcOffset
    }
}

/// An instant: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Whole milliseconds make every sum and comparison exact.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds of a day without a change of the clocks.
    package static let millisecondsPerDay: Int64 = 86_400_000

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

/// The difference between a device's local time and UTC, in whole minutes, positive to the east.
public struct UTCOffset: Hashable, Sendable {
    /// Minutes east of UTC, −1,439 … 1,439: what RFC 3339 can write.
    public let minutes: Int16

    /// Creates an offset, or returns `nil` if it is a day or more.
    public init?(minutes: Int) {
        guard (-1_439...1_439).contains(minutes), let value = Int16(exactly: minutes) else {
            return nil
        }
        self.minutes = value
    }
}

extension Int64 {
    /// Returns the quotient rounded down, so that times before 1970 fall into the day, hour or
    /// minute that they lie in.
    @inlinable
    package func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
