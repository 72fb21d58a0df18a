import Projections
import RowCoding
import TripEvents
import TripTracking

/// How far the events of one source have been folded.
struct SourceFold: Hashable, Sendable {
    private static let formatVersion: UInt8 = 6

    /// An instant before every event.
    static let alwaysDue = Timestamp(milliseconds: .min)

    /// An instant after every event.
    static let neverDue = Timestamp(milliseconds: .max)

    /// The tracker: the source's active-trip checkpoint.
    var tracker: Tracker

    /// The latest event of the source, in event order, that the tracker was given.
    ///
    /// Before it the tracker was given the events for all sources that come before it, and no
    /// others. A tracker that begins where a trip ended begins after the event that ended it,
    /// whichever kind that was.
    var last: EventMark?

    /// When the next event for all sources happened that the tracker was not given.
    ///
    /// A lookup before this instant finds nothing, so it is skipped. Each run finds it anew.
    var ambientDueAt = alwaysDue

    /// The tracker was given all events for all sources before this position of the log, or its own
    /// source reported them; `nil` before it was given any in this run.
    var toldUpTo: UInt64?

    /// The earliest event that arrived too late to be given to the tracker; the source is folded
    /// again from there.
    var lateFrom: EventMark?

    /// Trips that the views had of the source and that were not found again so far, while it is
    /// folded again.
    var formerTrips: Set<TripID> = []

    /// When time alone ends the trip in progress, as the table `ends` has it; `nil` for no trip.
    var endsAt: Timestamp?

    /// How the source's clock was wrong, as far as the tracker was given events by it.
    var clock: ClockShifts

    /// The clock as the fixes show it when they arrive.
    var arrival = ArrivalClock()

    /// Creates the fold of a source that has seen nothing.
    init(tracker: Tracker, clock: ClockShifts = ClockShifts()) {
        self.tracker = tracker
        self.clock = clock
    }

    /// Reads a fold.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        last = try reader.readOptional { reader throws(RowCodingError) in
            try EventMark(from: &reader)
        }
        lateFrom = try reader.readOptional { reader throws(RowCodingError) in
            try EventMark(from: &reader)
        }
        for _ in 0..<(try reader.readAmount()) {
            formerTrips.insert(try reader.readTripID())
        }
        endsAt = try reader.readOptionalTimestamp()
        clock = try ClockShifts(from: &reader)
        arrival = try ArrivalClock(from: &reader)
        tracker = try Tracker(decoding: try reader.readBytes())
        try reader.finish()
    }

    /// The fold as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(last) { $1.write(to: &$0) }
        writer.write(lateFrom) { $1.write(to: &$0) }
        writer.write(UInt64(formerTrips.count))
        for trip in formerTrips.sorted() {
            writer.write(trip)
        }
        writer.write(endsAt) { $0.write($1) }
        clock.write(to: &writer)
        arrival.write(to: &writer)
        writer.write(tracker.encode())
        return writer.bytes
    }
}

/// The fold that is worked on, kept out of the dictionary of all: it changes with every event.
struct ActiveFold {
    /// The number of its source; 0, which has no fold, before the first.
    var source: UInt32 = 0

    /// The fold.
    var fold: SourceFold

    init(rules: TrackingRules) {
        fold = SourceFold(tracker: Tracker(source: "", rules: rules))
    }
}

/// A tracker that was given what was decided after its source's last event, and what that meant.
struct SettledTracker {
    /// The tracker.
    var tracker: Tracker

    /// The steps that follow from the decisions.
    var steps: [TripStep] = []
}

/// A tracker as it was when a trip had just ended: late events fold their source again from the
/// last one before them.
struct RewindPoint: Hashable, Sendable {
    private static let formatVersion: UInt8 = 5

    /// The trips that had ended: nearly always one.
    var trips: [TripID]

    /// The event that ended them.
    var mark: EventMark

    /// The tracker after that event.
    var tracker: Tracker

    /// Creates a point to come back to.
    init(trips: [TripID], mark: EventMark, tracker: Tracker) {
        self.trips = trips
        self.mark = mark
        self.tracker = tracker
    }

    /// Reads a point.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        trips = []
        for _ in 0..<(try reader.readAmount()) {
            trips.append(try reader.readTripID())
        }
        mark = try EventMark(from: &reader)
        tracker = try Tracker(decoding: try reader.readBytes())
        try reader.finish()
    }

    /// The point as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(UInt64(trips.count))
        for trip in trips {
            writer.write(trip)
        }
        mark.write(to: &writer)
        writer.write(tracker.encode())
        return writer.bytes
    }
}
