import Geodesy

/// A verdict and what follows from it for the trip's figures.
struct Judgement: Hashable, Sendable {
    var verdict: Verdict

    /// What the fix adds to the distance.
    var added = Distance(millimeters: 0)

    /// The straight line across the gap that the fix ends.
    var gap = Distance(millimeters: 0)

    /// How long before a kept fix the last one was, in milliseconds; 0 for others.
    var elapsedMilliseconds: Int64 = 0

    /// How fast it went there, in metres per second, if the fix moves the anchor; else 0.
    var speedMetersPerSecond: Double = 0
}
