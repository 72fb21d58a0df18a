import Geodesy
import RowCoding
import TripEvents

/// Whether the trip in progress is being divided in two.
///
/// `indirect` keeps the parts out of the trip, which is changed by every fix.
indirect enum Division: Hashable, Sendable {
    case none

    /// It will be divided as soon as it moves on after the first of these splits, which are in
    /// order of their instants. There is one; but while the trip has no position, there may be
    /// more, because each may turn out to be the first after that position.
    case pending([PendingDivision])

    /// It has just been divided: the trip in progress is the second part, and this was the first,
    /// at its last kept fix. Splits that waited behind this one may divide the second part.
    case done(TripAtPlace, later: [StandingSplit])

    /// Whether a split waits.
    @inline(__always)
    var isPending: Bool {
        switch self {
        case .pending: true
        case .none, .done: false
        }
    }

    /// The splits that wait.
    var pending: [PendingDivision] {
        switch self {
        case .pending(let pending): pending
        case .none, .done: []
        }
    }
}

/// A split of the trip in progress that waits for the trip to move on, with what each part has got
/// of it meanwhile.
struct PendingDivision: Hashable, Sendable {
    /// The split.
    let split: StandingSplit

    /// The fixes before the split.
    var first: TripPart

    /// The fixes at the split and after it.
    var second: TripPart

    /// Returns whether a fix is one of the second part.
    func isSecond(_ instant: Timestamp) -> Bool {
        instant >= split.at
    }
}

extension PendingDivision {
    /// Writes the division.
    func write(to writer: inout RowEncoder) {
        split.write(to: &writer)
        first.write(to: &writer)
        second.write(to: &writer)
    }

    /// Reads a division.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            split: try StandingSplit(from: &reader),
            first: try TripPart(from: &reader),
            second: try TripPart(from: &reader)
        )
    }
}

/// The sums over the fixes of one part of a trip that may have to be divided.
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

    /// Counts a leg as evidence of how the part was made.
    mutating func add(_ leg: Leg) {
        trip.evidence.add(leg)
    }

    /// Becomes one that the driver said was driven.
    mutating func press() {
        trip.flags.insert(.pressed)
    }

    /// Goes on after its recorder had died.
    mutating func recover() {
        trip.flags.insert(.recovered)
    }
}

extension TripPart {
    /// Writes the part.
    func write(to writer: inout RowEncoder) {
        trip.write(to: &writer)
        intervals.write(to: &writer)
        writer.write(latest) { $1.write(to: &$0) }
    }

    /// Reads a part.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            try Trip(from: &reader),
            intervals: try IntervalSample(from: &reader),
            latest: try reader.readOptional(Waypoint.init(from:))
        )
    }
}

// A split divides the fixes of a trip by their times, and changes nothing else: the verdict on each
// fix, and the time and cause of the drive's end, are the same without it. So the two parts
// together are the whole.
//
// It waits until the trip moves on at the split or after it. Before that the trip may turn out to
// have ended before the split, by parking or by silence, and then the split changes nothing.
extension OpenTrip {
    /// Whether a split waits for the trip to move on.
    var isDividing: Bool { division.isPending }

    /// Divides the trip as soon as it moves on at a split or after it.
    ///
    /// - Parameters:
    ///   - split: the split.
    ///   - first: what the first part has got so far.
    mutating func expect(_ split: StandingSplit, after first: TripPart) {
        let second = Trip(
            id: split.made,
            source: trip.source,
            group: trip.group,
            rules: trip.rules,
            startedBy: .split,
            startedAt: EventTime(split.at),
            recorded: Trip.Recorded(firstAt: split.recordedAt, lastAt: split.recordedAt)
        )
        let pending = PendingDivision(
            split: split,
            first: first,
            second: TripPart(second)
        )
        division = .pending(division.pending + [pending])
    }

    /// Changes every split that waits.
    private mutating func changePending(_ change: (inout PendingDivision) -> Void) {
        guard case .pending(var pending) = division else { return }
        for index in pending.indices { change(&pending[index]) }
        division = .pending(pending)
    }

    /// Lets go of the first split that waits.
    mutating func dropFirstDivision() {
        let later = Array(division.pending.dropFirst())
        division = later.isEmpty ? .none : .pending(later)
    }

    /// Takes note, in the part that a fix belongs to, of when the ledger learnt of it.
    mutating func includeInPart(_ stamp: EventStamp) {
        changePending { pending in
            if pending.isSecond(stamp.occurredAt) {
                pending.second.include(stamp)
            } else {
                pending.first.include(stamp)
            }
        }
    }

    /// Takes note in the second part that the recorder had died.
    mutating func recoverPart() {
        changePending { $0.second.recover() }
    }

    /// Counts a fix, whose verdict is final, to the part that it belongs to.
    @inline(never)
    mutating func countInPart(_ decided: PendingFix, _ judgement: Judgement) {
        let instant = decided.fix.occurredAt
        let whole = self
        changePending { pending in
            var judgement = judgement
            if pending.isSecond(instant) {
                judgement.isExcluded = whole.excludes(instant, fromPartMadeBy: pending.split)
                pending.second.add(decided, judgement)
            } else {
                judgement.isExcluded = whole.excludes(instant)
                pending.first.add(decided, judgement)
            }
        }
    }

    /// Counts a leg as evidence of how the part in which it ends was made.
    @inline(never)
    fileprivate mutating func addToPart(_ leg: Leg, endingAt instant: Timestamp) {
        changePending { pending in
            if pending.isSecond(instant) {
                pending.second.add(leg)
            } else {
                pending.first.add(leg)
            }
        }
    }

    /// Takes note in the second part that GO was pressed.
    mutating func pressPart() {
        changePending { $0.second.press() }
    }
}

extension PlacedTrip {
    /// Counts a fix, whose verdict is final, to the part that it belongs to, or divides the trip
    /// before it if it is the first that moves on.
    @inline(never)
    mutating func divide(
        before decided: PendingFix,
        _ judgement: Judgement,
        isMoving: Bool,
        journal: inout VerdictJournal?
    ) {
        if isMoving, let pending = open.division.pending.first, let place = pending.first.latest,
            pending.isSecond(decided.fix.occurredAt)
        {
            divide(pending, at: place)
            journal?.restate(from: pending.split.at, as: open)
        } else {
            open.countInPart(decided, judgement)
        }
    }

    /// Counts a leg as evidence of how the trip, or its part, was made.
    @inline(never)
    mutating func add(_ measured: Leg, endingAt instant: Timestamp) {
        var leg = measured
        leg.said = open.hearing.take(to: instant)
        open.heed(leg, endingAt: instant)
        evidence.add(leg)
        open.trip.evidence.add(leg)
        if open.division.isPending { open.addToPart(leg, endingAt: instant) }
    }

    /// Makes the second part the trip in progress.
    private mutating func divide(_ pending: PendingDivision, at place: Waypoint) {
        var first = pending.first.measured
        first.start = open.trip.start
        first.flags.formUnion(open.trip.flags.intersection(.approximateStart))
        first.recorded.include(pending.split.recordedAt)
        let later = open.division.pending.dropFirst().map(\.split)
        open.division = .done(TripAtPlace(trip: first, place: place), later: later)
        open.ancestry = open.ancestry(ofPartMadeBy: pending.split)
        let (vehicle, driver) = (open.trip.vehicle, open.trip.driver)
        open.trip = pending.second.trip
        open.trip.vehicle = vehicle
        open.trip.driver = driver
        open.trip.start = place.coordinate
        intervals = pending.second.intervals
        // Both were computed from the distance travelled by the whole trip.
        movement.safeUntil = .zero
    }

    /// Says when the second part started, now that its first part has been looked at.
    mutating func dateSecondPart(_ startedAt: EventTime) {
        open.trip.startedAt = startedAt
        if case .still(var rest) = pace {
            rest.trip.startedAt = startedAt
            pace = .still(rest)
        }
        rest?.began.trip.startedAt = startedAt
    }

    /// Returns the first part and the splits behind it, and forgets them, if the trip has just been
    /// divided.
    mutating func takeFirstPart() -> (part: TripAtPlace, later: [StandingSplit])? {
        guard case .done(let first, let later) = open.division else { return nil }
        open.division = .none
        return (first, later)
    }
}
