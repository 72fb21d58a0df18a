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

/// A journal that keeps nothing, for replay: calls to it vanish from the compiled code.
public struct SilentJournal: VerdictJournal {
    /// Creates a journal.
    @inlinable
    public init() {}

    /// Does nothing.
    @inlinable
    public mutating func note(
        position: UInt64,
        occurredAt: Timestamp,
        verdict: Verdict,
        added: Distance,
        gap: Distance
    ) {}
}

/// A journal that keeps every verdict, for explaining a trip fix by fix.
public struct RecordingJournal: VerdictJournal {
    private var noted: [NotedVerdict] = []

    /// Creates an empty journal.
    public init() {}

    /// The verdicts noted so far, by time and, within one instant, by position in the log.
    public var verdicts: [NotedVerdict] {
        noted.sorted { ($0.occurredAt, $0.position) < ($1.occurredAt, $1.position) }
    }

    /// Keeps a verdict.
    public mutating func note(
        position: UInt64,
        occurredAt: Timestamp,
        verdict: Verdict,
        added: Distance,
        gap: Distance
    ) {
        noted.append(
            NotedVerdict(
                position: position,
                occurredAt: occurredAt,
                verdict: verdict,
                added: added,
                gap: gap
            )
        )
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

    /// The straight line across the gap that it ended, else nothing.
    public let gap: Distance
}
