public import Geodesy
import TripEvents
public import TripTracking

/// One line of an explanation: an event of the trip's source and what it meant for the trip.
public struct ExplainedEvent: Hashable, Sendable {
    /// The event as stored.
    public var stored: StoredEvent

    /// What the rules made of it, if it is a fix.
    public var verdict: Verdict?

    /// What it added to the trip's distance.
    public var added: Distance

    /// The straight line across the gap that it ended, else nothing.
    public var gap: Distance

    /// The trip's distance after it.
    public var sum: Distance
}
