import EventStore
import Projections
import TripEvents

// What others inferred goes past the trackers: no trip follows from it, it is never late, and it
// does not say that a device was on.
extension ProjectionRunner {
    /// Keeps what others inferred.
    mutating func keepInference(_ entry: EntryView, at position: UInt64) throws {
        let stored = try storedEvent(entry, at: position)
        let inference = ReportedInference(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        // Not so if a newer version of the program wrote it.
        guard let inference else { return }
        bufferedRows += 1
        try views.note(inference)
    }
}

extension EntryView {
    /// Whether it holds what others inferred.
    var isInference: Bool { kind == EventKind.inferenceReported.rawValue }
}
