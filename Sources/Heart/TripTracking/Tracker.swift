import Geodesy
public import RowCoding
public import TripEvents

/// Derives the trips of one source from its events, given in event order.
///
/// It is a value. Stored, it is the active-trip checkpoint: folding the events after it gives the
/// same trips as folding all of them. It knows no clock: time passes with events, and with
/// ``advance(to:in:)``, which looks at a later instant.
public struct Tracker: Hashable, Sendable {
    /// The most places at which a stop never ends a trip; in event order the first ones count.
    public static let mostPlacesToSkip = SkipPlaces.most

    /// The source whose events the tracker takes.
    public let source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public let group: String?

    /// The rules in force; a trip keeps those that it started with.
    public internal(set) var rules: TrackingRules

    /// Whether a trip is in progress, and what is known of it, or since the last one.
    var stage = Stage.betweenTrips(Kept(BetweenTrips()))

    /// The latest intervals between usable fixes while there is no trip.
    var restIntervals = GapLimit()

    /// The GO that no STOP has answered yet.
    var press: Press?

    /// What the motion sensor last said about the means of transport.
    var motion: MotionEvidence?

    /// Whether the source's fixes are usually coarse.
    var coarseness = Coarseness()

    /// How many fixes there were, and how many of them trips count.
    var tally = FixTally()

    /// When the latest event of any kind happened.
    public internal(set) var latestAt: Timestamp?

    /// When the device last reported anything by itself, unlike a person's decision.
    var lastReportAt: Timestamp?

    /// When the tracker became idle or began to wait for details.
    var betweenTripsSince: Timestamp?

    /// The places at which a stop never ends a trip.
    var skipPlaces = SkipPlaces()

    /// The splits of trips that have not started yet, in order of their instants: the start of a
    /// drive becomes known only after some fixes.
    var awaitedSplits: [StandingSplit] = []

    /// The stretches of time whose metres do not count, as far as fixes may still be in them.
    var exclusions = Exclusions()

    /// Creates a tracker that has taken no event of `source` yet.
    public init(source: String, group: String? = nil, rules: TrackingRules) {
        self.source = source
        self.group = group
        self.rules = rules
    }

    /// The trip in progress with everything settled that waits for later fixes; `nil` between
    /// trips.
    public var openTrip: Trip? {
        var settled = stage
        var journal: VerdictJournal?
        settled.settlePending(journal: &journal)
        return settled.measured
    }

    /// Whether a trip is in progress.
    public var isOpen: Bool { stage.isOpen }

    /// The trip that has ended and has no details yet.
    public var awaitingDetails: TripID? {
        guard case .betweenTrips(let between) = stage else { return nil }
        return between.value.awaitingDetails
    }

    /// The rules of the trip in progress; between trips, those of the next one.
    public var rulesOfTrip: TrackingRules { stage.rules ?? rules }

    /// What the tracker is doing, as of the latest event.
    public var phase: TrackerPhase {
        phase(asOf: latestAt)
    }

    /// Returns what the tracker is doing at an instant after its latest event.
    ///
    /// A trip that has ended since then by the passing of time is still open here;
    /// ``advance(to:in:)`` ends it.
    public func phase(asOf instant: Timestamp) -> TrackerPhase {
        phase(asOf: Optional(instant))
    }

    private func phase(asOf instant: Timestamp?) -> TrackerPhase {
        switch stage {
        case .betweenTrips(let between):
            return between.value.awaitingDetails == nil ? .idle : .details
        case .arming(let arming):
            return arming.value.open.recoveringSince == nil ? .arming : .recovering
        case .underWay(let placed):
            guard placed.value.open.recoveringSince == nil else { return .recovering }
            let silence = instant?.milliseconds(since: placed.value.latest.at) ?? 0
            return placed.value.open.isGap(silence) ? .signalLost : .tracking
        }
    }

    /// Takes over the rules and the places that another tracker knows.
    ///
    /// Between trips, events for all sources mean no more than that: it is as if this tracker had
    /// been given those that the other one was given, the last of which happened at `instant`. It
    /// MUST have no trip in progress, and MUST have been given none of these events that the other
    /// one was not given.
    public mutating func takeOver(rulesAndPlacesOf other: Tracker, asOf instant: Timestamp) {
        precondition(!isOpen, "a trip in progress is to be told of each event")
        rules = other.rules
        skipPlaces = other.skipPlaces
        latestAt = latestAt.map { max($0, instant) } ?? instant
    }

    /// Returns a tracker that knows the same rules and places, and nothing else.
    public func withoutTrips() -> Tracker {
        var tracker = Tracker(source: "", group: group, rules: rules)
        tracker.skipPlaces = skipPlaces
        return tracker
    }

    /// Settles everything that waits for later fixes as if none came.
    ///
    /// - Parameter journal: told the verdicts, if there is one.
    public mutating func settlePending(journal: inout VerdictJournal?) {
        stage.settlePending(journal: &journal)
    }
}

extension Tracker {
    /// The version of the active-trip checkpoint's format.
    private static let formatVersion: UInt8 = 11

    /// Returns the active-trip checkpoint: everything that the tracker knows.
    public func encode() -> [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(source)
        writer.write(group) { $0.write($1) }
        rules.write(to: &writer)
        stage.gapLimit.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
        writer.write(lastReportAt) { $0.write($1) }
        writer.write(betweenTripsSince) { $0.write($1) }
        writer.write(awaitingDetails) { $0.write($1) }
        writer.write(motion.map { UInt64($0.rawValue) }) { $0.write($1) }
        writer.write(coarseness.count)
        tally.write(to: &writer)
        writer.write(press) { $1.write(to: &$0) }
        let between = stage.between
        writer.write(between?.stop) { $1.write(to: &$0) }
        writer.write(between?.crawl) { $1.write(to: &$0) }
        skipPlaces.write(to: &writer)
        (between?.window ?? StartWindow()).write(to: &writer, intervals: restIntervals)
        writer.write(UInt64(awaitedSplits.count))
        for split in awaitedSplits {
            split.write(to: &writer)
        }
        exclusions.write(to: &writer)
        writer.write(isOpen)
        switch stage {
        case .betweenTrips: break
        case .arming(let arming): arming.value.write(to: &writer)
        case .underWay(let placed): placed.value.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads an active-trip checkpoint.
    ///
    /// - Throws: why the bytes are not one; the tracker is then derived from the log again.
    public init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        let source = try reader.readText()
        let group = try reader.readOptionalText()
        self.init(source: source, group: group, rules: try TrackingRules(from: &reader))
        var between = BetweenTrips(gapLimit: try GapLimit(from: &reader))
        latestAt = try reader.readOptionalTimestamp()
        lastReportAt = try reader.readOptionalTimestamp()
        betweenTripsSince = try reader.readOptionalTimestamp()
        between.awaitingDetails = try reader.readBool() ? try reader.readTripID() : nil
        motion = try reader.readOptionalMotionEvidence()
        coarseness = Coarseness(count: try reader.readAmount())
        tally = try FixTally(from: &reader)
        press = try reader.readOptional(Press.init(from:))
        between.stop = try reader.readOptional(Waypoint.init(from:))
        between.crawl = try reader.readOptional(Crawl.init(from:))
        skipPlaces = try SkipPlaces(from: &reader)
        between.window = try StartWindow(from: &reader, intervals: &restIntervals)
        for _ in 0..<(try reader.readUInt64()) {
            awaitedSplits.append(try StandingSplit(from: &reader))
        }
        exclusions = try Exclusions(from: &reader)
        if try reader.readBool() {
            // While there is a trip, the state between trips holds nothing but the gap limit.
            guard between == BetweenTrips(gapLimit: between.gapLimit) else { throw .invalidValue }
            stage = try Stage(openTripFrom: &reader, gapLimit: between.gapLimit)
            stage.changeOpen { $0.exclusions = exclusions }
        } else {
            stage = .betweenTrips(Kept(between))
        }
        try reader.finish()
    }
}

/// What a tracker is doing at one instant.
public struct LiveStatus: Hashable, Sendable {
    /// The phase.
    public var phase: TrackerPhase

    /// The time since which it does so: the start of the trip, its last kept fix if the signal is
    /// lost, the return of its recorder, or the end of the last trip; `nil` if there was none yet.
    public var since: Timestamp?

    /// The trip in progress, with its distance so far.
    public var trip: Trip?

    /// How long ago the last kept fix was, in milliseconds; `nil` without one.
    public var lastFixAgeMilliseconds: Int64?

    /// How long ago the trip last moved away from where it was, in milliseconds; `nil` between
    /// trips.
    public var restMilliseconds: Int64?

    /// The trip that has ended and waits for its purpose.
    public var awaitedTrip: TripID?

    /// Whether the driver is to be asked "still recording?".
    public var asksStillRecording = false

    /// Whether a trip goes on without a signal.
    public var isSignalLost: Bool { phase == .signalLost }

    /// Idle, with no trip known.
    package static let betweenTrips = LiveStatus(phase: .idle)
}

/// What a tracker is doing; the raw value is its name in JSON.
///
/// Ending a trip takes no time, so that the phase "stopping" is never seen from outside.
public enum TrackerPhase: String, CaseIterable, Sendable {
    /// No trip is open.
    case idle

    /// A trip is open and has no stable position yet.
    case arming

    /// A trip is open and being measured.
    case tracking

    /// A trip is open and has had no kept fix for longer than the gap limit.
    case signalLost = "signal_lost"

    /// A trip is open, and its recorder has come back after a silence without a fix so far.
    case recovering

    /// A trip has ended and waits for its purpose.
    case details
}

extension Tracker {
    /// Takes the next event of any kind.
    ///
    /// The caller gives the source's own events and those that concern all sources of its group:
    /// saved and removed places, adopted rules and decisions about recovery, from sources of the
    /// group and of the ledger's owner.
    ///
    /// - Parameters:
    ///   - body: what happened.
    ///   - stamp: when, and where it stands in the log.
    ///   - context: asked about the event that opens or ends a trip; told what the event means.
    /// - Throws: only what the context's events throw; the tracker is to be thrown away then.
    public mutating func evolve<Events: EventDirectory>(
        _ body: EventBody,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        switch body {
        // Inferences of others are no evidence that time passed, either.
        case .unknown, .inferenceReported: return
        case .fixRecorded(let reading):
            guard let fix = reading.fix(occurredAt: stamp.occurredAt) else { return }
            return try take(fix, stamp: stamp, in: &context)
        default: break
        }
        try passTime(to: stamp.occurredAt, in: &context)
        switch body {
        case .goPressed(let press): try takeGo(press, stamp: stamp, in: &context)
        case .stopPressed(let press): takeStop(press, stamp: stamp, in: &context)
        case .motionChanged(let motion): try takeMotion(motion, stamp: stamp, in: &context)
        case .authorizationChanged:
            noteReturn(at: stamp.occurredAt)
            try noteReport(stamp, in: &context)
        case .locationFailed: try noteReport(stamp, in: &context)
        case .recoveryDecided(let decided): try takeRecovery(decided, in: &context)
        case .detailsEdited(let edit): stopAwaitingDetails(of: edit.trip, at: stamp.occurredAt)
        case .routineApplied(let applied):
            stopAwaitingDetails(of: applied.trip, at: stamp.occurredAt)
        case .rulesAdopted(let adopted): rules = rules.adopting(adopted, for: source)
        // An imported place takes nothing from a place that a person saved.
        case .placeSaved(let place) where place.importedFrom != nil: break
        case .placeSaved(let place): skipPlaces.save(place, ofGroup: stamp.isOfGroup)
        case .placeRemoved(let place):
            skipPlaces.remove(place.place, ofGroup: stamp.isOfGroup)
        case .ledgerCreated, .sourceRegistered, .fixRecorded, .routineSaved, .routineRemoved,
            .tripsMerged, .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted,
            .tripReported, .stretchExcluded, .vehicleRegistered, .odometerRead, .fieldDefined,
            .expenseRecorded, .reportIssued, .clockShifted, .ratesLoaded, .settingsChanged,
            .entriesErased, .inferenceReported, .recordsImported, .eventsReceived,
            .unknown:
            break
        }
    }
}

extension Tracker {
    /// Notes that the device reports something, and ends a trip that has not moved for long.
    private mutating func noteReport<Events: EventDirectory>(
        _ stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        lastReportAt = stamp.occurredAt
        if !isToldByPresses, hasNotMoved(until: stamp.occurredAt) {
            try end(.noMovement, in: &context)
        }
    }

    /// Takes GO: opens a trip, makes one that started by itself the driver's, or begins the next
    /// one where STOP was forgotten.
    private mutating func takeGo<Events: EventDirectory>(
        _ press: GoPressed,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        if isSilent(at: stamp.occurredAt) {
            try end(.silence, in: &context)
        }
        try noteReport(stamp, in: &context)
        if isToldByPresses, hasNotMoved(until: stamp.occurredAt) {
            try end(.noMovement, in: &context)
        }
        let next = Press(press, at: stamp.occurredAt)
        if let open = stage.open {
            guard open.isPressed else {
                stage.changeOpen { $0.press(next) }
                stage.changePlaced { $0.rest = nil }
                self.press = next
                return
            }
            guard let last = self.press, last.isAnswered(by: next, in: stage) else { return }
            try end(.forgottenStop, in: &context)
        }
        self.press = next
        let beginning = PendingStart(
            .press,
            at: stamp,
            vehicle: press.vehicle,
            driver: press.driver
        )
        try start(beginning, lastSeen: stage.between?.window.lastSeen, in: &context)
    }

    /// Takes STOP: ends the trip in progress, and the waiting for STOP that GO began.
    private mutating func takeStop(
        _ press: StopPressed,
        stamp: EventStamp,
        in context: inout TrackingContext<some EventDirectory>
    ) {
        lastReportAt = stamp.occurredAt
        self.press = nil
        var stop = stage.latest
        stop?.at = stamp.occurredAt
        end(.press, at: stamp, vehicle: press.vehicle, driver: press.driver, in: &context)
        stage.changeBetween { $0.stop = stop }
    }

    /// Returns whether a trip without GO has been silent for as long as if its recorder were off.
    private func isSilent(at instant: Timestamp) -> Bool {
        guard case .underWay(let placed) = stage, !placed.value.open.isPressed else {
            return false
        }
        return placed.value.open.isSilence(instant.milliseconds(since: placed.value.latest.at))
    }

    /// Takes a report of the motion sensor if its confidence is medium or high.
    private mutating func takeMotion<Events: EventDirectory>(
        _ motion: MotionChanged,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        try noteReport(stamp, in: &context)
        guard motion.confidence >= .medium else { return }
        note(motion.state, at: stamp.occurredAt)
        if motion.state == .automotive {
            try takeDriving(stamp, in: &context)
        } else {
            stage.changeOpen { $0.note(motion.state, at: stamp.occurredAt) }
        }
    }

    /// Takes note of what the sensor says about the means of transport.
    private mutating func note(_ state: MotionState, at instant: Timestamp) {
        switch state {
        case .walking, .running: motion = .onFoot
        case .cycling: motion = .cycling
        case .automotive: motion = .automotive
        case .unknown: motion = nil
        case .stationary: break
        }
        if state != .stationary { stage.changeOpen { $0.hearing.hear(motion, at: instant) } }
        if motion == .onFoot || motion == .cycling { stage.changeBetween { $0.crawl = nil } }
    }

    /// Takes a report of driving: starts a trip, or goes on with the open one.
    private mutating func takeDriving<Events: EventDirectory>(
        _ stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        let beginning = PendingStart(.motion, at: stamp)
        if case .underWay(let placed) = stage, !placed.value.open.isPressed,
            placed.value.evidence.isUnpowered, placed.value.evidence.milliseconds > 120_000,
            rules.startsByMotion
        {
            try end(.motion, in: &context)
        }
        guard !isOpen else {
            if isSilent(at: stamp.occurredAt), rules.startsByMotion {
                stage.changePlaced { $0.nextStart = $0.nextStart ?? beginning }
            }
            stage.changeOpen { $0.note(.automotive, at: stamp.occurredAt) }
            stage.changePlaced { placed in
                placed.changeWithJump { $0.noteDriving() }
            }
            return
        }
        if rules.startsByMotion || press != nil {
            try start(beginning, lastSeen: stage.between?.window.lastSeen, in: &context)
        }
    }

    /// Notes that the recorder may have come back after a silence: it reports its authorization
    /// when it starts.
    private mutating func noteReturn(at instant: Timestamp) {
        guard let lastReportAt else { return }
        let silence = instant.milliseconds(since: lastReportAt)
        stage.changeOpen { open in
            if open.recoveringSince == nil, open.isGap(silence) { open.recoveringSince = instant }
        }
    }

    /// Takes the driver's decision about a trip that was open when its recorder died.
    private mutating func takeRecovery<Events: EventDirectory>(
        _ decided: RecoveryDecided,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        guard let open = stage.open,
            decided.trip == open.trip.id
                || open.ancestry.contains(where: { $0.trip == decided.trip })
                || decided.tripStartedAt?.timestamp == open.trip.startedAt.timestamp
        else { return }
        stage.changeOpen { $0.recover() }
        guard decided.decision != .resume else { return }
        try end(.recovery, isDiscarded: decided.decision == .abandon, in: &context)
    }

    /// Stops waiting for the details of a trip, if it is the one that waits.
    private mutating func stopAwaitingDetails(of trip: TripID, at instant: Timestamp) {
        if awaitingDetails == trip {
            stage.changeBetween { $0.awaitingDetails = nil }
            betweenTripsSince = betweenTripsSince.map { max($0, instant) } ?? instant
        }
    }
}
