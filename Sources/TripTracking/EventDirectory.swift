public import TripEvents

/// Finds what only a few events are asked for, so that it need not be computed for every fix.
///
/// The tracker asks when it opens a trip, which is named by its opening event, and when a trip
/// turns out to have ended at an earlier fix.
public protocol EventDirectory {
    /// What can go wrong; `Never` in memory.
    associatedtype Failure: Error

    /// Returns the facts about the event at a position in the log.
    ///
    /// The position is always one of an event that the tracker was given.
    func facts(at position: UInt64) throws(Failure) -> EventFacts
}

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
