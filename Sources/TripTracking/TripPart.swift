import TripEvents

/// What fixes have added to one part of a trip that may have to be divided.
struct TripPart: Hashable, Sendable {
    private(set) var trip: Trip
    private(set) var intervals: IntervalSample

    /// The part's last kept fix.
    private(set) var latest: Waypoint?

    /// Creates a part to which nothing has been added since `trip`.
    init(_ trip: Trip, intervals: IntervalSample = IntervalSample(), latest: Waypoint? = nil) {
        self.trip = trip
        self.intervals = intervals
        self.latest = latest
    }

    /// The part with everything that follows from its fixes.
    var measured: Trip {
        var measured = trip
        measured.samplingMilliseconds = intervals.medianMilliseconds
        return measured
    }

    /// Counts a fix whose verdict is final.
    mutating func add(_ decided: PendingFix, _ judgement: Judgement) {
        trip.add(judgement)
        guard judgement.verdict.isKept else { return }
        if judgement.elapsedMilliseconds > 0 {
            intervals.record(judgement.elapsedMilliseconds)
        }
        latest = Waypoint(decided)
    }

    /// Takes note of when the ledger learnt of one of its fixes.
    mutating func include(_ stamp: EventStamp) {
        trip.recorded.include(stamp.recordedAt)
    }

    /// Goes on after its recorder had died.
    mutating func recover() {
        trip.flags.insert(.recovered)
    }
}

extension TripPart {
    /// Writes the part.
    func write(to writer: inout StateWriter) {
        trip.write(to: &writer)
        intervals.write(to: &writer)
        writer.write(latest) { $1.write(to: &$0) }
    }

    /// Reads a part.
    init(from reader: inout StateReader) throws(StateError) {
        self.init(
            try Trip(from: &reader),
            intervals: try IntervalSample(from: &reader),
            latest: try reader.readOptional(Waypoint.init(from:))
        )
    }
}
