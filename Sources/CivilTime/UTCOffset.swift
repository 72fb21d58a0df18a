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
