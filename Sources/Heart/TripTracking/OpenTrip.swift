import Geodesy
import RowCoding
import TripEvents

/// A trip in progress: what the tracker knows between GO and STOP.
struct OpenTrip: Hashable, Sendable {
    /// The rules that it started with.
    let rules: TrackingRules

    /// Whether a press started it, so that only presses and last resorts end it.
    var isPressed: Bool

    /// The trip as the fixes with a final verdict show it.
    var trip: Trip

    /// The search for the start; unused once there is a filter.
    var arming = Arming()

    /// Judges fixes; `nil` until a start has been found.
    var filter: FixFilter?

    /// The impossible fixes, which enough others can confirm.
    var run = ReanchorRun()

    /// The last kept fix.
    var latest: Waypoint?

    /// Whether the trip moves or rests.
    var pace = Pace.moving

    /// The place that the trip has not left (`noMovement`).
    var movement: Stay

    /// Where STOP was pressed shortly before it started.
    var stoppedAt: Coordinate?

    /// The state before a jump that may turn out to be a spike.
    var jump = Jump.none

    /// The fixes since the last kept one: if it turns out to have ended there, they are not its.
    var trailing = VerdictCounts()

    /// Whether there are any.
    var hasTrailing = false

    /// Measures how fast it gets away.
    var meter: PaceMeter

    /// The rest since it last drove; `nil` while it drives, and in a trip that GO started.
    var rest: Rest?

    /// The evidence for the means of transport of the whole drive, of which the trip may be a part.
    var evidence = ModeEvidence()

    /// Whether the source's fixes are usually coarse.
    var isCoarse = false

    /// What the motion sensor last said about the means of transport.
    var motion: MotionEvidence?

    /// The time since which the motion sensor reports walking or running.
    var walkingSince: Timestamp?

    /// The intervals between kept fixes, for the trip's median.
    var intervals = IntervalSample()

    /// The time since which the motion sensor reports `stationary`; `nil` once the car has moved
    /// on.
    var stationarySince: Timestamp?

    /// When the recorder came back after a silence; `nil` from its next fix on.
    var recoveringSince: Timestamp?

    /// The start of the next trip, if the present silence turns out to have ended this one.
    var nextStart: PendingStart?

    /// Whether a split divides the trip.
    var division = Division.none

    /// The trips from which splits have cut this one, the nearest first.
    var ancestry: [Ancestor] = []

    /// The stretches of time whose metres are no distance.
    var exclusions = Exclusions()

    /// Whether there are any.
    var hasExclusions = false

    /// Where it was at a few instants.
    var way = WaySketcher()

    /// Measures how far fixes are from the stays.
    var metric = LocalMetric()

    /// Opens a trip that has no fix yet.
    init(_ trip: Trip, rules: TrackingRules) {
        self.trip = trip
        self.rules = rules
        isPressed = trip.startedBy == .press || trip.startedBy == .resumed
        let since = trip.startedAt.timestamp
        movement = Stay(since: since)
        meter = PaceMeter(since: since)
    }

    /// The trip at its last kept fix.
    var asOfLatest: TripAtPlace? {
        guard let latest else { return nil }
        var trip = measured
        trip.fixes.remove(trailing)
        return TripAtPlace(trip: trip, place: latest)
    }

    /// The trip when it last moved.
    var asOfRest: TripAtPlace? {
        switch pace {
        case .moving: asOfLatest
        case .resting(let rest): rest
        }
    }

    /// Whether it has not driven for some time.
    ///
    /// A `switch`, for a comparison with `nil` copies what it compares.
    @inline(__always)
    var isResting: Bool {
        switch rest {
        case .none: false
        case .some: true
        }
    }

    /// The trip when it last drove; of one that GO started, at its last kept fix.
    var asOfDriving: TripAtPlace? { rest?.began ?? asOfLatest }

    /// The trip with the figures that are computed only when asked for.
    var measured: Trip {
        var measured = trip
        measured.samplingMilliseconds = intervals.medianMilliseconds
        return measured
    }

    /// Includes an event of the trip that is not a fix in the time that the ledger learnt of it.
    mutating func include(_ stamp: EventStamp) {
        trip.recorded.include(stamp.recordedAt)
    }

    /// Sets the vehicle that a press names, unless one is known.
    mutating func use(vehicle: String?) {
        trip.vehicle = trip.vehicle ?? vehicle
    }

    /// Marks the trip as one whose recorder died and came back.
    mutating func recover() {
        recoveringSince = nil
        trip.flags.insert(.recovered)
        recoverPart()
    }

    /// Notes that the motion sensor reports `stationary`.
    mutating func noteStationary(since instant: Timestamp) {
        stationarySince = stationarySince ?? instant
    }

    /// Notes that the motion sensor reports walking or running.
    mutating func noteWalking(since instant: Timestamp) {
        walkingSince = walkingSince ?? instant
    }

    /// Notes that the motion sensor reports cycling.
    mutating func noteCycling() {
        stationarySince = nil
    }

    /// Notes that the motion sensor reports driving: the time without driving starts anew.
    mutating func noteDriving() {
        stationarySince = nil
        walkingSince = nil
        rest?.milliseconds = 0
        rest?.walkedMilliseconds = 0
    }
}

extension OpenTrip {
    /// Writes the trip in progress and everything that waits for a decision.
    func write(to writer: inout RowEncoder) {
        trip.write(to: &writer)
        rules.write(to: &writer)
        writer.write(isPressed)
        arming.write(to: &writer)
        writer.write(filter) {
            $0.write($1.anchor)
            $0.write($1.last)
            $0.write($1.lastAt)
            $0.write($1.lastSpeed)
        }
        writer.write(UInt64(run.fixes.count))
        for fix in run.fixes {
            fix.write(to: &writer)
        }
        writer.write(latest) { $1.write(to: &$0) }
        writer.write(pace.rest) {
            $1.trip.write(to: &$0)
            $1.place.write(to: &$0)
        }
        movement.write(to: &writer)
        writer.write(stoppedAt) { $0.write($1) }
        for verdict in Verdict.allCases {
            writer.write(trailing[verdict])
        }
        writer.write(hasTrailing)
        jump.write(to: &writer)
        meter.write(to: &writer)
        writer.write(rest) { $1.write(to: &$0) }
        writer.write(motion.map { UInt64($0.rawValue) }) { $0.write($1) }
        writer.write(walkingSince) { $0.write($1) }
        writer.write(isCoarse)
        evidence.write(to: &writer)
        intervals.write(to: &writer)
        writer.write(stationarySince) { $0.write($1) }
        writer.write(recoveringSince) { $0.write($1) }
        writer.write(nextStart) { $1.write(to: &$0) }
        writer.write(UInt64(division.pending.count))
        for pending in division.pending { pending.write(to: &writer) }
        writer.write(UInt64(ancestry.count))
        for ancestor in ancestry {
            writer.write(ancestor.trip)
            writer.write(ancestor.order)
        }
        way.write(to: &writer)
    }

    /// Reads a trip in progress.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(try Trip(from: &reader), rules: try TrackingRules(from: &reader))
        isPressed = try reader.readBool()
        arming = try Arming(from: &reader)
        filter = try reader.readOptional { reader throws(RowCodingError) in
            FixFilter(
                anchor: try reader.readCoordinate(),
                last: try reader.readCoordinate(),
                lastAt: try reader.readTimestamp(),
                lastSpeed: try reader.readDouble()
            )
        }
        for _ in 0..<(try reader.readUInt64()) {
            run.fixes.append(try PendingFix(from: &reader))
        }
        latest = try reader.readOptional(Waypoint.init(from:))
        pace = try reader.readBool() ? .resting(try TripAtPlace(from: &reader)) : .moving
        movement = try Stay(from: &reader)
        stoppedAt = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readCoordinate()
        }
        for verdict in Verdict.allCases {
            trailing[verdict] = try reader.readAmount()
        }
        hasTrailing = try reader.readBool()
        jump = try Jump(from: &reader)
        meter = try PaceMeter(from: &reader)
        rest = try reader.readOptional(Rest.init(from:))
        let raw = try reader.readOptional { reader throws(RowCodingError) in try reader.readUInt64()
        }
        motion = raw.flatMap { UInt8(exactly: $0) }.flatMap(MotionEvidence.init(rawValue:))
        walkingSince = try reader.readOptionalTimestamp()
        isCoarse = try reader.readBool()
        evidence = try ModeEvidence(from: &reader)
        intervals = try IntervalSample(from: &reader)
        stationarySince = try reader.readOptionalTimestamp()
        recoveringSince = try reader.readOptionalTimestamp()
        nextStart = try reader.readOptional(PendingStart.init(from:))
        var pending: [PendingDivision] = []
        for _ in 0..<(try reader.readUInt64()) {
            pending.append(try PendingDivision(from: &reader))
        }
        if !pending.isEmpty { division = .pending(pending) }
        for _ in 0..<(try reader.readUInt64()) {
            ancestry.append(
                Ancestor(trip: try reader.readTripID(), order: try reader.readEventOrder())
            )
        }
        way = try WaySketcher(from: &reader)
        // The filter starts at the first kept fix.
        guard (filter == nil) == (latest == nil) else { throw .invalidValue }
    }
}

/// Whether a trip moves.
///
/// `indirect` keeps the stored trip out of `OpenTrip`, which is changed by every fix.
indirect enum Pace: Hashable, Sendable {
    case moving

    /// It has not moved since it was there.
    case resting(TripAtPlace)

    var isResting: Bool {
        switch self {
        case .moving: false
        case .resting: true
        }
    }

    /// The trip when it last moved; `nil` if it moves.
    var rest: TripAtPlace? {
        switch self {
        case .moving: nil
        case .resting(let rest): rest
        }
    }
}

/// A trip as it was at one of its fixes: what it becomes if it turns out to have ended there.
struct TripAtPlace: Hashable, Sendable {
    var trip: Trip

    /// The fix.
    var place: Waypoint
}

extension TripAtPlace {
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try Trip(from: &reader)
        place = try Waypoint(from: &reader)
    }
}

/// A kept fix: where the trip was, when, and which event says so.
struct Waypoint: Hashable, Sendable {
    var coordinate: Coordinate
    var at: Timestamp

    /// Where the fix stands in the log.
    var position: UInt64
}

extension Waypoint {
    /// Creates the place of a kept fix.
    init(_ kept: PendingFix) {
        self.init(
            coordinate: kept.fix.coordinate,
            at: kept.fix.occurredAt,
            position: kept.position
        )
    }

    /// Writes the place.
    func write(to writer: inout RowEncoder) {
        writer.write(coordinate)
        writer.write(at)
        writer.write(position)
    }

    /// Reads a place.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        coordinate = try reader.readCoordinate()
        at = try reader.readTimestamp()
        position = try reader.readUInt64()
    }
}
