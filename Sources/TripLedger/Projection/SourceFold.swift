import TripEvents
import TripTracking

/// How far the events of one source have been folded.
struct SourceFold: Hashable, Sendable {
    private static let formatVersion: UInt8 = 2

    /// An instant before every event.
    static let alwaysDue = Timestamp(milliseconds: .min)

    /// An instant after every event.
    static let neverDue = Timestamp(milliseconds: .max)

    /// The tracker: the source's active-trip checkpoint.
    var tracker: Tracker

    /// The latest event, in event order, that the tracker was given.
    var last: EventMark?

    /// The latest event for all sources that the tracker was given.
    var lastAmbient: EventMark?

    /// When the next event for all sources happened that the tracker was not given.
    ///
    /// Too early is a look in vain. It is found anew in each run.
    var ambientDueAt = alwaysDue

    /// The earliest event that arrived too late to be given to the tracker; the source is folded
    /// again from there.
    var lateFrom: EventMark?

    /// Creates the fold of a source that has seen nothing.
    init(tracker: Tracker) {
        self.tracker = tracker
    }

    /// Reads a fold.
    init(decoding bytes: [UInt8]) throws(StateError) {
        var reader = try StateReader(bytes, version: Self.formatVersion)
        last = try reader.readOptional { reader throws(StateError) in
            try EventMark(from: &reader)
        }
        lastAmbient = try reader.readOptional { reader throws(StateError) in
            try EventMark(from: &reader)
        }
        lateFrom = try reader.readOptional { reader throws(StateError) in
            try EventMark(from: &reader)
        }
        tracker = try Tracker(decoding: try reader.readBytes())
        try reader.finish()
    }

    /// The fold as bytes.
    var encoded: [UInt8] {
        var writer = StateWriter(version: Self.formatVersion)
        writer.write(last) { $1.write(to: &$0) }
        writer.write(lastAmbient) { $1.write(to: &$0) }
        writer.write(lateFrom) { $1.write(to: &$0) }
        writer.write(tracker.encode())
        return writer.bytes
    }
}
