public import Geodesy

/// One GPS reading as the tracking rules see it: numbers, with "unknown" for what was not reported.
public struct Fix: Hashable, Sendable {
    // First, so that a copy by 16 bytes at a time keeps both of its numbers together. To read
    // across two writes that are still under way costs as much as judging a fix.
    /// Where, on the WGS-84 ellipsoid.
    public var coordinate: Coordinate

    /// When the reading was taken, by the source's clock.
    public var occurredAt: Timestamp

    /// Radius of 68 % confidence in metres; `nil` if unknown or reported negative.
    public var accuracyMeters: Double?

    /// Speed over ground in metres per second; `nil` if unknown or reported negative.
    public var speedMetersPerSecond: Double?

    /// Whether the source says the location was made up.
    public var isMock: Bool

    /// Creates a reading; a negative accuracy or speed becomes unknown.
    @inlinable
    public init(
        occurredAt: Timestamp,
        coordinate: Coordinate,
        accuracyMeters: Double? = nil,
        speedMetersPerSecond: Double? = nil,
        isMock: Bool = false
    ) {
        self.occurredAt = occurredAt
        self.coordinate = coordinate
        self.accuracyMeters = accuracyMeters.flatMap { $0 < 0 ? nil : $0 }
        self.speedMetersPerSecond = speedMetersPerSecond.flatMap { $0 < 0 ? nil : $0 }
        self.isMock = isMock
    }
}
