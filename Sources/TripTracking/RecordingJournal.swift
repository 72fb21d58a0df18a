public import Geodesy
public import TripEvents

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
