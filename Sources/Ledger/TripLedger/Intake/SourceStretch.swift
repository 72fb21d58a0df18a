public import TripEvents

/// The events of a source in what is taken in.
public struct SourceStretch: Hashable, Sendable {
    /// The times of the first and the last.
    public var times: ClosedRange<Timestamp>

    /// How many there are.
    public var count: Int

    /// Whether all are from files in other formats.
    public var isImported: Bool

    /// Joins both.
    static func + (one: SourceStretch, other: SourceStretch) -> SourceStretch {
        let first = min(one.times.lowerBound, other.times.lowerBound)
        return SourceStretch(
            times: first...max(one.times.upperBound, other.times.upperBound),
            count: one.count + other.count,
            isImported: one.isImported && other.isImported
        )
    }
}

/// Notes when events happen as they are read, most of them by the source of the last one.
struct StretchNotes: Sendable {
    /// The events of the last source that are not yet in the summary.
    private var last: (number: Int, source: String, events: SourceStretch)?

    /// Notes the event that a reader has just read.
    mutating func note(
        _ candidate: borrowing EventCandidate,
        isImported: Bool,
        in summary: inout IntakeSummary
    ) {
        let time = candidate.occurredAt
        let event = SourceStretch(times: time...time, count: 1, isImported: isImported)
        if let known = last, known.number == candidate.sourceNumber {
            last?.events = known.events + event
        } else {
            flush(into: &summary)
            last = (candidate.sourceNumber, candidate.source, event)
        }
    }

    /// Adds what is not yet in the summary.
    mutating func flush(into summary: inout IntakeSummary) {
        if let last { summary.note(last.events, of: last.source) }
        last = nil
    }
}
