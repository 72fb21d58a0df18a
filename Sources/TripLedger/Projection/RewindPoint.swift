import TripEvents
import TripTracking

/// A tracker as it was when a trip had just ended: late events fold their source again from the
/// last one before them.
struct RewindPoint: Hashable, Sendable {
    private static let formatVersion: UInt8 = 2

    /// The trip that had ended.
    var trip: TripID

    /// The event that ended it.
    var mark: EventMark

    /// The latest event for all sources that the tracker was given.
    var lastAmbient: EventMark?

    /// The tracker after that event.
    var tracker: Tracker

    /// Creates a point to come back to.
    init(trip: TripID, mark: EventMark, lastAmbient: EventMark?, tracker: Tracker) {
        self.trip = trip
        self.mark = mark
        self.lastAmbient = lastAmbient
        self.tracker = tracker
    }

    /// Reads a point.
    init(decoding bytes: [UInt8]) throws(StateError) {
        var reader = try StateReader(bytes, version: Self.formatVersion)
        trip = try reader.readTripID()
        mark = try EventMark(from: &reader)
        lastAmbient = try reader.readOptional { reader throws(StateError) in
            try EventMark(from: &reader)
        }
        tracker = try Tracker(decoding: try reader.readBytes())
        try reader.finish()
    }

    /// The point as bytes.
    var encoded: [UInt8] {
        var writer = StateWriter(version: Self.formatVersion)
        writer.write(trip)
        mark.write(to: &writer)
        writer.write(lastAmbient) { $1.write(to: &$0) }
        writer.write(tracker.encode())
        return writer.bytes
    }
}
