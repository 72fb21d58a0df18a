public import Geodesy
public import TripEvents

/// Something that is told the verdict on each fix of a trip, once each.
///
/// A verdict that depends on the fixes after it comes late: implementations MUST NOT take the order
/// of the calls for the order of the fixes.
public protocol VerdictJournal {
    /// Notes a verdict.
    ///
    /// - Parameters:
    ///   - position: where the fix stands in the log.
    ///   - occurredAt: when the reading was taken.
    ///   - verdict: what the rules made of it.
    ///   - added: what it adds to the trip's distance.
    ///   - gap: the straight line across the gap that it ends.
    mutating func note(
        position: UInt64,
        occurredAt: Timestamp,
        verdict: Verdict,
        added: Distance,
        gap: Distance
    )
}
