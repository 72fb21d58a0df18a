import EventStore
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

/// The fold that is worked on, kept out of the table of all: it changes with every event.
struct ActiveFold {
    /// The number of its source; 0, which has no fold, before the first.
    var source: UInt32 = 0

    /// The place of the fold.
    var place: FoldTable.Place

    init(rules: TrackingRules) {
        place = FoldTable.Place(SourceFold(tracker: Tracker(source: "", rules: rules)))
    }
}

/// A tracker after the decisions that follow its source's last event, with the resulting steps.
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

/// The folds that a run has stored and keeps in memory, so that the next event of a source need not
/// decode its fold again.
///
/// Folds in memory also need no commit of their own: 150,000 events of 500 interleaved sources take
/// 0.2 s of processor time to fold instead of 4.5. When the folds of all sources take too much
/// memory, those that were stored longest ago go first.
struct KeptFolds {
    /// A stored fold, and when it was stored.
    private struct Kept {
        let place: FoldTable.Place
        let round: UInt64
    }

    /// How many bytes all folds of a run may take, kept or changed.
    private let mostBytes: Int

    private var kept: [UInt32: Kept] = [:]

    /// The estimated bytes of each fold in memory, those that were taken out included.
    private var sizes: [UInt32: Int] = [:]
    private var byteCount = 0

    /// The number of commits.
    private var round: UInt64 = 0

    init(mostBytes: Int = 64 << 20) {
        self.mostBytes = mostBytes
    }

    /// Whether the folds take so much memory that the changed ones should be stored.
    var isFull: Bool { byteCount > mostBytes }

    /// The fold of a source, if it is kept.
    subscript(source: UInt32) -> SourceFold? { kept[source]?.place.fold }

    /// Takes out the fold of a source, which is going to change, if it is kept.
    mutating func take(_ source: UInt32) -> FoldTable.Place? {
        kept.removeValue(forKey: source)?.place
    }

    /// Counts the memory of a fold; `storedBytes` are those of its row, 0 if it has none.
    mutating func count(_ source: UInt32, storedBytes: Int) {
        // Decoded, its lists take more than in the row.
        let size = MemoryLayout<SourceFold>.stride + 2 * storedBytes
        byteCount += size - (sizes.updateValue(size, forKey: source) ?? 0)
    }

    /// Takes over folds that were just stored, and forgets others if all take too much memory.
    mutating func keep(_ folds: inout FoldTable) {
        round += 1
        for (source, place) in folds.takeAll() { kept[source] = Kept(place: place, round: round) }
        guard isFull else { return }
        let oldestFirst = kept.map { (round: $0.value.round, source: $0.key) }.sorted(by: <)
        for (_, source) in oldestFirst {
            // More is forgotten than necessary, because otherwise the memory would be full again at
            // once.
            guard byteCount > mostBytes / 2 else { return }
            kept[source] = nil
            byteCount -= sizes.removeValue(forKey: source) ?? 0
        }
    }
}

extension ArrivalClock {
    /// Takes an entry that may hold a fix.
    mutating func take(_ entry: EntryView, at position: UInt64) {
        let recordedAt = Timestamp(milliseconds: entry.recordedAt)
        // A forger's clock must not stop the sums.
        guard let stored = StoredFix(entry, at: position),
            RFC3339.writable.contains(stored.fix.occurredAt), RFC3339.writable.contains(recordedAt)
        else { return }
        take(RecordedFix(fix: stored.fix, recordedAt: recordedAt), sequence: stored.sequence)
    }
}

extension SourceFold {
    /// The last time that the source's clock went back, if no one has said how wrong the clock was
    /// then.
    var clockStep: ClockStep? {
        arrival.step.flatMap { clock.tell(of: $0.to) ? nil : $0 }
    }
}

/// The folds of some sources, each in a place of its own in memory.
///
/// A fold is large, and changes with every event of its source. Where the sources of a log take
/// turns, it would be moved out of a dictionary and back for each event, and its neighbours with
/// it: at 856 bytes that takes 0.24 µs with 5,000 sources, a quarter of what an event costs, and to
/// look its place up takes 0.03 µs.
struct FoldTable {
    /// The place of one fold, which MUST NOT be in two tables at once.
    final class Place {
        var fold: SourceFold

        init(_ fold: SourceFold) {
            self.fold = fold
        }
    }

    private var places: [UInt32: Place] = [:]

    /// How many folds there are.
    var count: Int { places.count }

    /// The numbers of the sources, in ascending order.
    var sources: [UInt32] { places.keys.sorted() }

    /// The fold of a source.
    subscript(source: UInt32) -> SourceFold? {
        get { places[source]?.fold }
        set { places[source] = newValue.map { Place($0) } }
    }

    /// Returns the place of a source's fold, to change it there.
    func place(of source: UInt32) -> Place? { places[source] }

    /// Puts in the place of a source's fold.
    mutating func put(_ place: Place, of source: UInt32) {
        places[source] = place
    }

    /// Takes out the place of a source's fold.
    mutating func take(_ source: UInt32) -> Place? {
        places.removeValue(forKey: source)
    }

    /// Takes out all places, with the numbers of their sources.
    mutating func takeAll() -> [UInt32: Place] {
        defer { places = [:] }
        return places
    }
}
