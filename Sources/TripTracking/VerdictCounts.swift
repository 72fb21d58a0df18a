/// How many fixes of a trip got which verdict.
public struct VerdictCounts: Hashable, Sendable {
    /// How many were accepted.
    public var accepted: Int64 = 0

    /// How many were jitter.
    public var jitter: Int64 = 0

    /// How many were too inaccurate.
    public var poorAccuracy: Int64 = 0

    /// How many were not later than the one before.
    public var stale: Int64 = 0

    /// How many were impossibly far away.
    public var impossibleSpeed: Int64 = 0

    /// How many were the first after a gap.
    public var afterGap: Int64 = 0

    /// How many lay at latitude or longitude 0.
    public var nullCoordinate: Int64 = 0

    /// How many were made up.
    public var mock: Int64 = 0

    /// Creates counts of nothing.
    public init() {}

    /// The number of fixes with `verdict`.
    @inline(__always)
    public subscript(verdict: Verdict) -> Int64 {
        get {
            switch verdict {
            case .accepted: accepted
            case .jitter: jitter
            case .poorAccuracy: poorAccuracy
            case .stale: stale
            case .impossibleSpeed: impossibleSpeed
            case .afterGap: afterGap
            case .nullCoordinate: nullCoordinate
            case .mock: mock
            }
        }
        set {
            switch verdict {
            case .accepted: accepted = newValue
            case .jitter: jitter = newValue
            case .poorAccuracy: poorAccuracy = newValue
            case .stale: stale = newValue
            case .impossibleSpeed: impossibleSpeed = newValue
            case .afterGap: afterGap = newValue
            case .nullCoordinate: nullCoordinate = newValue
            case .mock: mock = newValue
            }
        }
    }
}
