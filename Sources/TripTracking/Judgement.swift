import Geodesy

/// A verdict and what follows from it for the trip's figures.
struct Judgement: Hashable, Sendable {
    var verdict: Verdict

    /// What the fix adds to the distance.
    var added: Distance = .zero

    /// The straight line across the gap that the fix ends.
    var gap: Distance = .zero

    /// How long that gap lasted, in milliseconds.
    var gapMilliseconds: Int64 = 0
}
