public import TripEvents

/// What a trip takes over from the event that opened or ended it.
public struct EventFacts: Hashable, Sendable {
    /// The digest of what makes the event the event it is.
    public var identity: IdentityDigest

    /// The source's offset from UTC, if it said.
    public var utcOffset: UTCOffset?

    /// Creates facts.
    public init(identity: IdentityDigest, utcOffset: UTCOffset? = nil) {
        self.identity = identity
        self.utcOffset = utcOffset
    }
}
