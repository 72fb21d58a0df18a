/// What the rules made of a fix; the raw value is its name in JSON.
public enum Verdict: String, CaseIterable, Sendable {
    /// It adds its distance from the anchor and becomes the anchor.
    case accepted

    /// It is near the anchor and slow: it keeps the trip alive, and the anchor holds.
    case jitter

    /// Its accuracy is worse than the rules allow.
    case poorAccuracy = "poor_accuracy"

    /// It is not later than the fix before it.
    case stale

    /// Nothing drives that fast.
    case impossibleSpeed = "impossible_speed"

    /// It is the first one after a gap: the gap is kept apart, and it becomes the anchor.
    case afterGap = "after_gap"

    /// Its latitude or longitude is exactly 0, which receivers report when they know nothing.
    case nullCoordinate = "null_coordinate"

    /// The source says that it was made up.
    case mock

    /// Whether a fix with it keeps the trip alive.
    ///
    /// Like the next one it is a `switch`, for `==` compares the names.
    @inline(__always)
    var isKept: Bool {
        switch self {
        case .accepted, .jitter, .afterGap: true
        case .poorAccuracy, .stale, .impossibleSpeed, .nullCoordinate, .mock: false
        }
    }

    /// Whether a fix with it is where the next distance is measured from.
    @inline(__always)
    var movesAnchor: Bool {
        switch self {
        case .accepted, .afterGap: true
        case .jitter, .poorAccuracy, .stale, .impossibleSpeed, .nullCoordinate, .mock: false
        }
    }
}
