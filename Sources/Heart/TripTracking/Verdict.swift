public import Geodesy
public import TripEvents

/// The verdict of the rules on a fix; the raw value is its name in JSON.
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

    /// It lies far off, and the next one is back where the last one was.
    case spike

    /// It is the first one after a gap: the gap is kept apart, and it becomes the anchor.
    case afterGap = "after_gap"

    /// Its latitude or longitude is exactly 0, which receivers report when they know nothing.
    case nullCoordinate = "null_coordinate"

    /// The source says that it was made up.
    case mock

    /// Whether a fix with it keeps the trip alive.
    ///
    /// Like the next one it is a `switch`, because `==` compares the names.
    @inline(__always)
    package var isKept: Bool {
        switch self {
        case .accepted, .jitter, .afterGap: true
        case .poorAccuracy, .stale, .impossibleSpeed, .spike, .nullCoordinate, .mock: false
        }
    }

    /// Whether a fix with it ends a gap.
    @inline(__always)
    var endsGap: Bool {
        switch self {
        case .afterGap: true
        case .accepted, .jitter, .poorAccuracy, .stale, .impossibleSpeed, .spike, .nullCoordinate,
            .mock:
            false
        }
    }

    /// Whether a fix with it is where the next distance is measured from.
    @inline(__always)
    package var movesAnchor: Bool {
        switch self {
        case .accepted, .afterGap: true
        case .jitter, .poorAccuracy, .stale, .impossibleSpeed, .spike, .nullCoordinate, .mock:
            false
        }
    }
}

/// A verdict and what follows from it for the trip's figures.
struct Judgement: Hashable, Sendable {
    var verdict: Verdict

    /// Whether a person said that what the fix adds is no distance.
    var isExcluded = false

    /// What the fix adds to the distance.
    var added = Distance(millimeters: 0)

    /// The straight line across the gap that the fix ends.
    var gap = Distance(millimeters: 0)

    /// How long before a kept fix the last one was, in milliseconds; 0 for others.
    var elapsedMilliseconds: Int64 = 0

    /// How fast it went there, in metres per second, if the fix moves the anchor; else 0.
    var speedMetersPerSecond: Double = 0
}

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

    /// How many lay far off between two that did not.
    public var spike: Int64 = 0

    /// How many were the first after a gap.
    public var afterGap: Int64 = 0

    /// How many lay at latitude or longitude 0.
    public var nullCoordinate: Int64 = 0

    /// How many were made up.
    public var mock: Int64 = 0

    /// Creates counts of nothing.
    public init() {}

    /// Takes counts off.
    mutating func remove(_ others: VerdictCounts) {
        for verdict in Verdict.allCases {
            self[verdict] -= others[verdict]
        }
    }

    /// The number of all fixes.
    public var total: Int64 { Verdict.allCases.reduce(0) { $0 + self[$1] } }

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
            case .spike: spike
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
            case .spike: spike = newValue
            case .afterGap: afterGap = newValue
            case .nullCoordinate: nullCoordinate = newValue
            case .mock: mock = newValue
            }
        }
    }
}

/// Keeps every verdict, for explaining a trip fix by fix.
public struct VerdictJournal: Sendable {
    /// The verdicts in the order in which they were noted; the last one of a fix is the one that
    /// counts: a spike was accepted first.
    package private(set) var noted: [NotedVerdict] = []

    /// Creates an empty journal.
    public init() {}

    /// Keeps a verdict.
    @inline(never)
    mutating func note(_ decided: PendingFix, _ judgement: Judgement) {
        noted.append(
            NotedVerdict(
                position: decided.position,
                occurredAt: decided.fix.occurredAt,
                verdict: judgement.verdict,
                added: judgement.isExcluded ? .zero : judgement.added,
                excluded: judgement.isExcluded ? judgement.added : .zero,
                gap: judgement.gap
            )
        )
    }

    /// Restates what is excluded for the fixes since a split, now that they belong to the second
    /// part.
    @inline(never)
    mutating func restate(from instant: Timestamp, as part: OpenTrip) {
        guard !part.exclusions.isEmpty else { return }
        for (index, old) in noted.enumerated() where old.occurredAt >= instant {
            let metres = old.added + old.excluded
            let isExcluded = part.excludes(old.occurredAt)
            noted[index] = NotedVerdict(
                position: old.position,
                occurredAt: old.occurredAt,
                verdict: old.verdict,
                added: isExcluded ? .zero : metres,
                excluded: isExcluded ? metres : .zero,
                gap: old.gap
            )
        }
    }
}

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

    /// What it would have added if a person had not excluded it.
    public let excluded: Distance

    /// The straight line across the gap that it ended, else nothing.
    public let gap: Distance
}
