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
