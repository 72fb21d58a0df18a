import Geodesy
public import RowCoding
public import TripEvents

/// Derives the trips of one source from its events, given in event order.
///
/// It is a value. Stored, it is the active-trip checkpoint: folding the events after it gives the
/// same trips as folding all of them. It knows no clock: time passes with events, and with
/// ``advance(to:events:steps:)``, which looks at a later instant.
public struct Tracker: Hashable, Sendable {
    /// The most places at which a stop never ends a trip; in event order the first ones count.
    public static let mostPlacesToSkip = SkipPlaces.most

    /// The source whose events the tracker takes.
    public let source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public let group: String?

    /// The rules in force; a trip keeps those that it started with.
    public internal(set) var rules: TrackingRules

    /// The trip in progress.
    var open: OpenTrip?

    /// The trip that has ended and has no details yet.
    public internal(set) var awaitingDetails: TripID?

    /// How long a silence of the source is a gap.
    var gapLimit = GapLimit()

    /// The GO that no STOP has answered yet.
    var press: Press?

    /// When and where STOP was last pressed.
    var stop: Waypoint?

    /// The way since the last trip ended by itself.
    var crawl: Crawl?

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

    /// The latest fixes between trips.
    var window = StartWindow()

    /// Measures the way since the last trip.
    var metric = LocalMetric()

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
        var copy = self
        var journal = SilentJournal()
        copy.settlePending(journal: &journal)
        return copy.open?.measured
    }

    /// Whether a trip is in progress.
    public var isOpen: Bool { open != nil }

    /// The rules that the trip in progress goes by; between trips, those that the next one will.
    public var rulesOfTrip: TrackingRules { open?.rules ?? rules }

    /// What the tracker is doing, as of the latest event.
    public var phase: TrackerPhase {
        phase(asOf: latestAt)
    }

    /// Returns what the tracker is doing at an instant after its latest event.
    ///
    /// A trip that has ended since then by the passing of time is still open here;
    /// ``advance(to:events:steps:)`` ends it.
    public func phase(asOf instant: Timestamp) -> TrackerPhase {
        phase(asOf: Optional(instant))
    }

    private func phase(asOf instant: Timestamp?) -> TrackerPhase {
        guard let open else {
            return awaitingDetails == nil ? .idle : .details
        }
        if open.recoveringSince != nil {
            return .recovering
        }
        guard let latest = open.latest else {
            return .arming
        }
        let silence = instant?.milliseconds(since: latest.at) ?? 0
        return gapLimit.isExceeded(by: silence, rules: open.rules) ? .signalLost : .tracking
    }

    /// Takes over the rules and the places that another tracker knows.
    ///
    /// Between trips, events for all sources mean no more than that: it is as if this tracker had
    /// been given those that the other one was given, the last of which happened at `instant`. It
    /// MUST have no trip in progress, and MUST have been given none of these events that the other
    /// one was not given.
    public mutating func takeOver(rulesAndPlacesOf other: Tracker, asOf instant: Timestamp) {
        precondition(open == nil, "a trip in progress is to be told of each event")
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

    /// Settles everything that waits for later fixes as if none came, and tells `journal` the
    /// verdicts.
    public mutating func settlePending(journal: inout some VerdictJournal) {
        open?.settlePending(gapLimit: &gapLimit, journal: &journal)
    }
}

extension Tracker {
    /// The version of the active-trip checkpoint's format.
    private static let formatVersion: UInt8 = 10

    /// Returns the active-trip checkpoint: everything that the tracker knows.
    public func encode() -> [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(source)
        writer.write(group) { $0.write($1) }
        rules.write(to: &writer)
        gapLimit.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
        writer.write(lastReportAt) { $0.write($1) }
        writer.write(betweenTripsSince) { $0.write($1) }
        writer.write(awaitingDetails) { $0.write($1) }
        writer.write(motion.map { UInt64($0.rawValue) }) { $0.write($1) }
        writer.write(coarseness.count)
        tally.write(to: &writer)
        writer.write(press) { $1.write(to: &$0) }
        writer.write(stop) { $1.write(to: &$0) }
        writer.write(crawl) { $1.write(to: &$0) }
        skipPlaces.write(to: &writer)
        window.write(to: &writer)
        writer.write(UInt64(awaitedSplits.count))
        for split in awaitedSplits {
            split.write(to: &writer)
        }
        exclusions.write(to: &writer)
        writer.write(open) { $1.write(to: &$0) }
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
        gapLimit = try GapLimit(from: &reader)
        latestAt = try reader.readOptionalTimestamp()
        lastReportAt = try reader.readOptionalTimestamp()
        betweenTripsSince = try reader.readOptionalTimestamp()
        awaitingDetails = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readTripID()
        }
        let raw = try reader.readOptional { reader throws(RowCodingError) in try reader.readUInt64()
        }
        motion = raw.flatMap { UInt8(exactly: $0) }.flatMap(MotionEvidence.init(rawValue:))
        coarseness = Coarseness(count: try reader.readAmount())
        tally = try FixTally(from: &reader)
        press = try reader.readOptional(Press.init(from:))
        stop = try reader.readOptional(Waypoint.init(from:))
        crawl = try reader.readOptional(Crawl.init(from:))
        skipPlaces = try SkipPlaces(from: &reader)
        window = try StartWindow(from: &reader)
        for _ in 0..<(try reader.readUInt64()) {
            awaitedSplits.append(try StandingSplit(from: &reader))
        }
        exclusions = try Exclusions(from: &reader)
        open = try reader.readOptional(OpenTrip.init(from:))
        open?.exclude(exclusions)
        try reader.finish()
    }
}

/// What an event means for trips: the input of every projector.
public enum TripStep: Hashable, Sendable {
    /// A trip has started.
    case opened(Trip)

    /// An active trip has got further.
    case updated(Trip)

    /// A trip has ended; its figures are final unless late events change them.
    case ended(Trip)

    /// A trip that was reported before does not exist after all: late events changed its start.
    case withdrawn(TripID)

    /// The trip that it is about.
    public var trip: TripID {
        switch self {
        case .opened(let trip), .updated(let trip), .ended(let trip): trip.id
        case .withdrawn(let id): id
        }
    }

    /// The trip as it is now, or `nil` if there is none any more.
    public var measured: Trip? {
        switch self {
        case .opened(let trip), .updated(let trip), .ended(let trip): trip
        case .withdrawn: nil
        }
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

    /// Between trips, of which nothing is known.
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

/// Finds facts that are needed about few events, so that they need not be computed for every fix.
///
/// The tracker asks when it opens a trip, which is named by its opening event, and when a trip
/// turns out to have ended at an earlier fix.
public protocol EventDirectory {
    /// What can go wrong; `Never` in memory.
    associatedtype Failure: Error

    /// Returns the facts about the event at a position in the log.
    ///
    /// The position is always one of an event that the tracker was given.
    func facts(at position: UInt64) throws(Failure) -> EventFacts
}

/// What a trip takes over from the event that opened or ended it.
public struct EventFacts: Hashable, Sendable {
    /// The identity digest of the event.
    public var identity: IdentityDigest

    /// The source's offset from UTC, if it said.
    public var utcOffset: UTCOffset?

    /// Creates facts.
    public init(identity: IdentityDigest, utcOffset: UTCOffset? = nil) {
        self.identity = identity
        self.utcOffset = utcOffset
    }
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
    ///   - events: asked about the event that opens or ends a trip.
    ///   - steps: receives what the event means for trips.
    /// - Throws: only what `events` throws; the tracker is to be thrown away then.
    public mutating func evolve<Events: EventDirectory>(
        _ body: EventBody,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        var journal = SilentJournal()
        try evolve(body, stamp: stamp, events: events, steps: &steps, journal: &journal)
    }

    /// Takes the next event of any kind, and tells `journal` every verdict that it decides.
    public mutating func evolve<Events: EventDirectory>(
        _ body: EventBody,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        switch body {
        // Inferences of others are no evidence that time passed, either.
        case .unknown, .inferenceReported: return
        default: break
        }
        if case .fixRecorded(let reading) = body {
            guard let fix = reading.fix(occurredAt: stamp.occurredAt) else { return }
            try evolve(
                fix: fix,
                stamp: stamp,
                events: events,
                steps: &steps,
                journal: &journal
            )
            return
        }
        try passTime(to: stamp.occurredAt, events: events, steps: &steps, journal: &journal)
        switch body {
        case .goPressed(let press):
            try takeGo(press, stamp: stamp, events: events, steps: &steps, journal: &journal)
        case .stopPressed(let press):
            takeStop(press, stamp: stamp, steps: &steps, journal: &journal)
        case .motionChanged(let motion):
            try takeMotion(motion, stamp: stamp, events: events, steps: &steps, journal: &journal)
        case .authorizationChanged:
            noteReturn(at: stamp.occurredAt)
            try noteReport(stamp, events: events, steps: &steps, journal: &journal)
        case .locationFailed:
            try noteReport(stamp, events: events, steps: &steps, journal: &journal)
        case .recoveryDecided(let decided):
            try takeRecovery(decided, events: events, steps: &steps, journal: &journal)
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
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        lastReportAt = stamp.occurredAt
        if !isToldByPresses, hasNotMoved(until: stamp.occurredAt) {
            try end(.noMovement, events: events, steps: &steps, journal: &journal)
        }
    }

    /// Takes GO: opens a trip, makes one that started by itself the driver's, or begins the next
    /// one where STOP was forgotten.
    private mutating func takeGo<Events: EventDirectory>(
        _ press: GoPressed,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        if isSilent(at: stamp.occurredAt) {
            try end(.silence, events: events, steps: &steps, journal: &journal)
        }
        try noteReport(stamp, events: events, steps: &steps, journal: &journal)
        if isToldByPresses, hasNotMoved(until: stamp.occurredAt) {
            try end(.noMovement, events: events, steps: &steps, journal: &journal)
        }
        let next = Press(press, at: stamp.occurredAt)
        if let open {
            if !open.isPressed {
                self.open?.press(next)
                self.press = next
                return
            }
            guard let last = self.press, last.isAnswered(by: next, in: open) else { return }
            try end(.forgottenStop, events: events, steps: &steps, journal: &journal)
        }
        self.press = next
        let beginning = PendingStart(.press, at: stamp, vehicle: press.vehicle)
        try start(beginning, lastSeen: window.lastSeen, events: events, steps: &steps)
    }

    /// Takes STOP: ends the trip, and whatever would have gone on until STOP.
    private mutating func takeStop(
        _ press: StopPressed,
        stamp: EventStamp,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) {
        lastReportAt = stamp.occurredAt
        self.press = nil
        stop = open?.latest
        stop?.at = stamp.occurredAt
        end(.press, at: stamp, vehicle: press.vehicle, steps: &steps, journal: &journal)
    }

    /// Returns whether a trip without GO has been silent for as long as if its recorder were off.
    private func isSilent(at instant: Timestamp) -> Bool {
        guard let open, !open.isPressed, let latest = open.latest else { return false }
        return instant.milliseconds(since: latest.at)
            > gapLimit.silenceMilliseconds(rules: open.rules)
    }

    /// Takes a report of the motion sensor if its confidence is medium or high.
    private mutating func takeMotion<Events: EventDirectory>(
        _ motion: MotionChanged,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        try noteReport(stamp, events: events, steps: &steps, journal: &journal)
        guard motion.confidence >= .medium else { return }
        note(motion.state)
        switch motion.state {
        case .automotive: try takeDriving(stamp, events: events, steps: &steps)
        case .stationary: open?.noteStationary(since: stamp.occurredAt)
        case .walking, .running: open?.noteWalking(since: stamp.occurredAt)
        case .cycling: open?.noteCycling()
        case .unknown: break
        }
    }

    /// Takes note of what the sensor says about the means of transport.
    private mutating func note(_ state: MotionState) {
        switch state {
        case .walking, .running: motion = .onFoot
        case .cycling: motion = .cycling
        case .automotive: motion = .automotive
        case .unknown: motion = nil
        case .stationary: break
        }
        open?.motion = motion
        if motion == .onFoot || motion == .cycling { crawl = nil }
    }

    /// Takes a report of driving: starts a trip, or goes on with the open one.
    private mutating func takeDriving<Events: EventDirectory>(
        _ stamp: EventStamp,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        let beginning = PendingStart(.motion, at: stamp)
        if let open, !open.isPressed, open.evidence.isUnpowered,
            open.evidence.milliseconds > 120_000, rules.startsByMotion
        {
            var journal = SilentJournal()
            try end(.motion, events: events, steps: &steps, journal: &journal)
        }
        guard open == nil else {
            if isSilent(at: stamp.occurredAt), open?.nextStart == nil, rules.startsByMotion {
                open?.nextStart = beginning
            }
            open?.noteDriving()
            return
        }
        if rules.startsByMotion || press != nil {
            try start(beginning, lastSeen: window.lastSeen, events: events, steps: &steps)
        }
    }

    /// Notes that the recorder may have come back after a silence: it reports its authorization
    /// when it starts.
    private mutating func noteReturn(at instant: Timestamp) {
        guard let lastReportAt, let open, open.recoveringSince == nil else { return }
        if gapLimit.isExceeded(by: instant.milliseconds(since: lastReportAt), rules: open.rules) {
            self.open?.recoveringSince = instant
        }
    }

    /// Takes the driver's decision about a trip that was open when its recorder died.
    private mutating func takeRecovery<Events: EventDirectory>(
        _ decided: RecoveryDecided,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        guard let trip = open?.trip,
            decided.trip == trip.id
                || open?.ancestry.contains(where: { $0.trip == decided.trip }) == true
                || decided.tripStartedAt?.timestamp == trip.startedAt.timestamp
        else { return }
        open?.recover()
        guard decided.decision != .resume else { return }
        try end(
            .recovery,
            isDiscarded: decided.decision == .abandon,
            events: events,
            steps: &steps,
            journal: &journal
        )
    }

    /// Stops waiting for the details of a trip, if it is the one that waits.
    private mutating func stopAwaitingDetails(of trip: TripID, at instant: Timestamp) {
        if awaitingDetails == trip {
            awaitingDetails = nil
            betweenTripsSince = betweenTripsSince.map { max($0, instant) } ?? instant
        }
    }
}
