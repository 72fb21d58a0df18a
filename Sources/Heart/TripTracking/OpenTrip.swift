import Geodesy
import RowCoding
import TripEvents

/// What the tracker knows of a trip in progress, whether it has a position or not.
struct OpenTrip: Hashable, Sendable {
    /// The rules that it started with.
    let rules: TrackingRules

    /// The trip as the fixes with a final verdict show it.
    var trip: Trip

    /// Whether a press started it, so that only presses and last resorts end it.
    var isPressed: Bool

    /// How long a silence of the source is a gap.
    var gapLimit: GapLimit

    /// Where STOP was pressed shortly before it started.
    var stoppedAt: Coordinate?

    /// The fixes since the last kept one: if the trip turns out to have ended there, they are not
    /// part of it.
    var trailing = TrailingFixes()

    /// Whether the source's fixes are usually coarse.
    var isCoarse = false

    /// What the motion sensor says about the means of transport.
    var hearing: MotionHearing

    /// The time since which the motion sensor reports walking or running.
    var walkingSince: Timestamp?

    /// The time since which the motion sensor reports `stationary`; `nil` once the car has moved
    /// on.
    var stationarySince: Timestamp?

    /// When the recorder came back after a silence; `nil` from its next fix on.
    var recoveringSince: Timestamp?

    /// Whether a split divides the trip.
    var division = Division.none

    /// The trips from which splits have cut this one, the nearest first.
    var ancestry: [Ancestor] = []

    /// The stretches of time whose metres are no distance.
    var exclusions = Exclusions()

    /// The shortest leg, in metres, that shows that no one walks.
    private static let drivenMeters = 40.0

    /// Opens a trip that has no fix yet.
    init(_ trip: Trip, rules: TrackingRules, gapLimit: GapLimit) {
        self.trip = trip
        self.rules = rules
        self.gapLimit = gapLimit
        isPressed = trip.startedBy == .press || trip.startedBy == .resumed
        hearing = MotionHearing(nil, since: trip.startedAt.timestamp)
    }

    /// Returns whether a silence of the source is a gap.
    func isGap(_ milliseconds: Int64) -> Bool {
        gapLimit.isExceeded(by: milliseconds, rules: rules)
    }

    /// Returns whether a silence is so long that the recorder may have been switched off.
    func isSilence(_ milliseconds: Int64) -> Bool {
        milliseconds > gapLimit.silenceMilliseconds(rules: rules)
    }

    /// Includes an event of the trip in the time that the ledger learnt of it.
    mutating func include(_ stamp: EventStamp) {
        trip.recorded.include(stamp.recordedAt)
    }

    /// Sets the vehicle and the driver that a press names, unless they are known.
    mutating func use(vehicle: String?, driver: String?) {
        trip.vehicle = trip.vehicle ?? vehicle
        trip.driver = trip.driver ?? driver
    }

    /// Marks the trip as one whose recorder died and came back.
    mutating func recover() {
        recoveringSince = nil
        trip.flags.insert(.recovered)
        recoverPart()
    }

    /// Makes a trip that started by itself one that only the driver ends.
    mutating func press(_ press: Press) {
        isPressed = true
        trip.flags.insert(.pressed)
        pressPart()
        trip.vehicle = press.vehicle ?? trip.vehicle
        trip.driver = press.driver ?? trip.driver
        forgetStanding()
    }

    /// Whether the motion sensor said that the car stands, or its driver walks.
    var isToldStanding: Bool { stationarySince != nil || walkingSince != nil }

    /// Forgets that the motion sensor said that the car stands, or its driver walks.
    mutating func forgetStanding() {
        stationarySince = nil
        walkingSince = nil
    }

    /// Notes what the motion sensor reports.
    mutating func note(_ state: MotionState, at instant: Timestamp) {
        switch state {
        case .stationary: stationarySince = stationarySince ?? instant
        case .walking, .running: walkingSince = walkingSince ?? instant
        case .cycling: stationarySince = nil
        case .automotive: forgetStanding()
        case .unknown: break
        }
    }

    /// Forgets that its driver walks, if a leg since then was too fast and too long for that.
    mutating func heed(_ leg: Leg, endingAt instant: Timestamp) {
        guard let since = walkingSince,
            instant.advanced(byMilliseconds: -leg.milliseconds) >= since,
            leg.metersPerSecond >= ModeEvidence.runningPace, leg.meters >= Self.drivenMeters
        else { return }
        walkingSince = nil
    }

    /// Counts a fix that is not part of the way.
    mutating func pass(_ fix: PendingFix, as verdict: Verdict, journal: inout VerdictJournal?) {
        let judgement = Judgement(verdict: verdict)
        if division.isPending { countInPart(fix, judgement) }
        trip.add(judgement)
        trailing.add(verdict)
        journal?.note(fix, judgement)
    }
}

extension OpenTrip {
    /// Writes a trip in progress and everything that waits for a decision.
    ///
    /// - Parameters:
    ///   - writer: receives the bytes.
    ///   - search: the search for its position; unused once there is one.
    ///   - placed: the trip from its first position on; `nil` before.
    func write(to writer: inout RowEncoder, search: Arming = Arming(), placed: PlacedTrip? = nil) {
        let since = trip.startedAt.timestamp
        trip.write(to: &writer)
        rules.write(to: &writer)
        writer.write(isPressed)
        search.write(to: &writer)
        writer.write(placed?.filter) { $1.write(to: &$0) }
        writer.write(placed?.run.fixes ?? [])
        writer.write(placed?.latest) { $1.write(to: &$0) }
        writer.write(placed?.pace.rest) { $1.write(to: &$0) }
        (placed?.movement ?? Stay(since: since)).write(to: &writer)
        writer.write(stoppedAt) { $0.write($1) }
        trailing.write(to: &writer)
        (placed?.jump ?? .none).write(to: &writer)
        (placed?.meter ?? PaceMeter(since: since)).write(to: &writer)
        writer.write(placed?.rest) { $1.write(to: &$0) }
        hearing.write(to: &writer)
        writer.write(walkingSince) { $0.write($1) }
        writer.write(isCoarse)
        (placed?.evidence ?? ModeEvidence()).write(to: &writer)
        (placed?.intervals ?? IntervalSample()).write(to: &writer)
        writer.write(stationarySince) { $0.write($1) }
        writer.write(recoveringSince) { $0.write($1) }
        writer.write(placed?.nextStart) { $1.write(to: &$0) }
        writer.write(UInt64(division.pending.count))
        for pending in division.pending { pending.write(to: &writer) }
        writer.write(UInt64(ancestry.count))
        for ancestor in ancestry {
            writer.write(ancestor.trip)
            writer.write(ancestor.order)
        }
        (placed?.way ?? WaySketcher()).write(to: &writer)
    }
}

extension Stage {
    /// Reads a trip in progress.
    ///
    /// - Parameters:
    ///   - reader: stands before it.
    ///   - gapLimit: how long a silence of the source is a gap.
    /// - Throws: why the bytes are not one.
    init(openTripFrom reader: inout RowDecoder, gapLimit: GapLimit) throws(RowCodingError) {
        let trip = try Trip(from: &reader)
        var open = OpenTrip(trip, rules: try TrackingRules(from: &reader), gapLimit: gapLimit)
        open.isPressed = try reader.readBool()
        let search = try Arming(from: &reader)
        let filter = try reader.readOptional(FixFilter.init(from:))
        let run = ReanchorRun(fixes: try reader.readPendingFixes())
        let latest = try reader.readOptional(Waypoint.init(from:))
        let pace = try reader.readBool() ? Pace.still(try TripAtPlace(from: &reader)) : .moving
        let movement = try Stay(from: &reader)
        open.stoppedAt = try reader.readBool() ? try reader.readCoordinate() : nil
        open.trailing = try TrailingFixes(from: &reader)
        let jump = try Jump(from: &reader)
        let meter = try PaceMeter(from: &reader)
        let rest = try reader.readOptional(Rest.init(from:))
        open.hearing = try MotionHearing(from: &reader)
        open.walkingSince = try reader.readOptionalTimestamp()
        open.isCoarse = try reader.readBool()
        let evidence = try ModeEvidence(from: &reader)
        let intervals = try IntervalSample(from: &reader)
        open.stationarySince = try reader.readOptionalTimestamp()
        open.recoveringSince = try reader.readOptionalTimestamp()
        let nextStart = try reader.readOptional(PendingStart.init(from:))
        try open.readDivision(from: &reader)
        let way = try WaySketcher(from: &reader)
        guard let filter, let latest else {
            // The filter starts at the first kept fix, and so does everything measured.
            let since = trip.startedAt.timestamp
            guard filter == nil, latest == nil, run.fixes.isEmpty, !pace.isStill,
                movement == Stay(since: since), !jump.isPending,
                meter == PaceMeter(since: since), rest == nil, evidence == ModeEvidence(),
                intervals == IntervalSample(), nextStart == nil, way == WaySketcher()
            else { throw .invalidValue }
            self = .arming(Kept(ArmingTrip(open: open, search: search)))
            return
        }
        guard search == Arming() else { throw .invalidValue }
        let placed = PlacedTrip(
            open: open,
            filter: filter,
            run: run,
            latest: latest,
            pace: pace,
            movement: movement,
            jump: jump,
            meter: meter,
            rest: rest,
            evidence: evidence,
            intervals: intervals,
            nextStart: nextStart,
            way: way
        )
        self = .underWay(Kept(placed))
    }
}

extension OpenTrip {
    /// Reads the splits that wait, and those that have cut the trip from others.
    fileprivate mutating func readDivision(from reader: inout RowDecoder) throws(RowCodingError) {
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
    }
}

/// Counts the fixes since the last kept one, by verdict.
struct TrailingFixes: Hashable, Sendable {
    /// How many there are.
    private(set) var counts = VerdictCounts()

    /// Whether there are none.
    private(set) var isEmpty = true

    init() {}

    /// Counts a fix.
    @inline(__always)
    mutating func add(_ verdict: Verdict) {
        counts[verdict] += 1
        isEmpty = false
    }

    /// A fix was kept: those before it are the trip's, whatever comes.
    @inline(never)
    mutating func forget() {
        self = TrailingFixes()
    }
}

extension TrailingFixes {
    /// Writes the counts.
    func write(to writer: inout RowEncoder) {
        for verdict in Verdict.allCases {
            writer.write(counts[verdict])
        }
        writer.write(!isEmpty)
    }

    /// Reads counts.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        for verdict in Verdict.allCases {
            counts[verdict] = try reader.readAmount()
        }
        isEmpty = !(try reader.readBool())
    }
}

/// A trip as it was at one of its fixes: what it becomes if it turns out to have ended there.
struct TripAtPlace: Hashable, Sendable {
    var trip: Trip

    /// The fix.
    var place: Waypoint
}

extension TripAtPlace {
    /// Writes the trip and the place.
    func write(to writer: inout RowEncoder) {
        trip.write(to: &writer)
        place.write(to: &writer)
    }

    /// Reads a trip and its place.
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
