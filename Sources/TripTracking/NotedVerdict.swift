public import Geodesy
public import TripEvents

/// One line of an explanation: a fix and what it meant for its trip.
public struct NotedVerdict: Hashable, Sendable {
    /// Where the fix stands in the log.
    public let position: UInt64

    /// When the reading was taken.
    public let occurredAt: Timestamp

    /// What the rules made of it.
    public let verdict: Verdict

    /// What it added to the trip's distance.
    public let added: Distance

    /// The straight line across the gap that it ended, else nothing.
    public let gap: Distance
}
