public import Geodesy

/// The parameters of the tracking rules: what makes a fix count, and when silence is a gap.
///
/// They are named and versioned, so that a newer program never changes an old figure by itself.
public struct TrackingRules: Hashable, Sendable {
    /// The name under which these parameters are published.
    public var version: RulesVersion

    /// The worst accuracy of a usable fix, in metres (rule 2: 50 m).
    public var maximumAccuracyMeters: Double

    /// The highest speed that two fixes may imply, in metres per second (rule 4: 60 m/s); also the
    /// highest reported speed that is believed (rule 5).
    public var maximumSpeedMetersPerSecond: Double

    /// How far from the anchor a slow fix is still jitter (rule 5: 5 m).
    public var jitterRadius: Distance

    /// How slow a fix near the anchor must be to be jitter, in metres per second (rule 5: 1 m/s).
    public var jitterSpeedMetersPerSecond: Double

    /// The shortest silence that can be a gap, in milliseconds (`gapLimit`: 30 s).
    public var minimumGapMilliseconds: Int64

    /// The silence that is a gap in any case, in milliseconds (`gapLimit`: 15 min).
    public var maximumGapMilliseconds: Int64

    /// The silence that is a gap while a source's interval is unknown, in milliseconds (`gapLimit`:
    /// 120 s).
    public var unknownIntervalGapMilliseconds: Int64

    /// How many median intervals of silence are a gap (`gapLimit`: 4).
    public var medianIntervalsPerGap: Int64

    /// How many impossible fixes that agree with each other move the anchor (rule 4: 5).
    public var reanchorFixes: Int

    /// How long those fixes must span, in milliseconds (rule 4; 15 s).
    ///
    /// Receivers that hold a position for ten seconds and then jump would be taken for lost after
    /// 5 s: of 415.8 km on fifteen real drives, 24.6 km more would count as gaps. At 15 s none is.
    public var reanchorMilliseconds: Int64

    /// How long the first usable fix may take, counted from the first fix, before the start
    /// position is taken from a worse one, in milliseconds (*Arming*: 3 s).
    public var approximateStartMilliseconds: Int64

    /// The first published rules.
    public static let v1 = TrackingRules(
        version: .v1,
        maximumAccuracyMeters: 50,
        maximumSpeedMetersPerSecond: 60,
        jitterRadius: Distance(millimeters: 5_000),
        jitterSpeedMetersPerSecond: 1,
        minimumGapMilliseconds: 30_000,
        maximumGapMilliseconds: 900_000,
        unknownIntervalGapMilliseconds: 120_000,
        medianIntervalsPerGap: 4,
        reanchorFixes: 5,
        reanchorMilliseconds: 15_000,
        approximateStartMilliseconds: 3_000
    )
}

extension TrackingRules {
    /// Returns the rules of a published version.
    public init(_ version: RulesVersion) {
        switch version {
        case .v1: self = .v1
        }
    }
}
