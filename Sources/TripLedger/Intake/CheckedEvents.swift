import EventStore
import TripEvents

/// Events from the program, which are checked part by part while they are stored.
struct CheckedEvents {
    /// An event that is not acceptable.
    struct Refusal {
        /// Which event it is.
        var index: Int

        /// Why.
        var rejection: Rejection
    }

    /// As many as stay in the processor's cache from the check until they are stored.
    private static let eventsOfPart = 256

    /// The events that are not acceptable, in order.
    private(set) var refusals: [Refusal] = []

    private let events: [TripEvent]
    private let recordedAt: Timestamp
    private var encoder = EventEncoder()
    private var part = IntakeGroup()

    /// Prepares to check events that are stored at `recordedAt`.
    init(_ events: [TripEvent], recordedAt: Timestamp) {
        self.events = events
        self.recordedAt = recordedAt
    }

    /// Hands over the acceptable events, in order; it can be called again.
    mutating func forEachPart(_ body: (borrowing EntryBatch) throws -> Void) rethrows {
        refusals.removeAll()
        // This copies a reference only. The encoder changes while the span is in use.
        let events = events
        for start in stride(from: 0, to: events.count, by: Self.eventsOfPart) {
            part.removeAll()
            for index in start..<min(start + Self.eventsOfPart, events.count) {
                check(events.span, at: index)
            }
            try body(part.batch)
        }
    }

    /// Returns one of the acceptable events alone.
    mutating func batch(of index: Int) -> EntryBatch {
        let events = events
        part.removeAll()
        check(events.span, at: index)
        return part.batch
    }

    private mutating func check(_ events: Span<TripEvent>, at index: Int) {
        do throws(Rejection) {
            try encoder.encode(events, at: index, recordedAt: recordedAt)
            part.append(encoder.candidate)
        } catch {
            refusals.append(Refusal(index: index, rejection: error))
        }
    }
}
