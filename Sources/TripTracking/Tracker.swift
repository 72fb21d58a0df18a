public import TripEvents

/// Derives the trips of one source from its events, given in event order.
///
/// It is a value: stored, it is the active-trip checkpoint, and folding the events after it gives
/// the same trips as folding all of them. While a drive is replayed, keep it in a local variable.
public struct Tracker: Hashable, Sendable {
    /// The source whose events it is given.
    public let source: String

    /// The rules that it goes by.
    public let rules: TrackingRules

    /// The trip in progress.
    private(set) var open: OpenTrip?

    /// The trip that has ended and waits for its purpose.
    private(set) var awaitingDetails: TripID?

    /// How long the source may be silent.
    private(set) var gapLimit = GapLimit()

    /// When the latest event happened.
    private(set) var latestAt: Timestamp?

    /// Creates a tracker that has seen nothing of `source` yet.
    public init(source: String, rules: TrackingRules) {
        self.source = source
        self.rules = rules
    }

    /// Creates a tracker that goes on where another one stood.
    init(
        source: String,
        rules: TrackingRules,
        open: OpenTrip?,
        awaitingDetails: TripID?,
        gapLimit: GapLimit,
        latestAt: Timestamp?
    ) {
        self.source = source
        self.rules = rules
        self.open = open
        self.awaitingDetails = awaitingDetails
        self.gapLimit = gapLimit
        self.latestAt = latestAt
    }

    /// The trip in progress, as if everything undecided were decided now; `nil` between trips.
    public var openTrip: Trip? {
        var copy = self
        var journal = SilentJournal()
        copy.open?.decide(rules: rules, gapLimit: &copy.gapLimit, journal: &journal)
        return copy.open?.trip
    }

    /// What the tracker is doing, as of the latest event.
    public var phase: TrackerPhase {
        phase(asOf: latestAt)
    }

    /// Returns what the tracker is doing at an instant; later events do not count as known.
    public func phase(asOf instant: Timestamp) -> TrackerPhase {
        phase(asOf: Optional(instant))
    }

    private func phase(asOf instant: Timestamp?) -> TrackerPhase {
        guard let open else {
            return awaitingDetails == nil ? .idle : .details
        }
        guard let filter = open.filter else {
            return .arming
        }
        let silence = instant?.milliseconds(since: filter.lastAt) ?? 0
        return gapLimit.isExceeded(by: silence, rules: rules) ? .signalLost : .tracking
    }
}

extension Tracker {
    /// Takes the next fix; between trips it means nothing.
    ///
    /// - Complexity: O(1), without allocation unless the fix is impossibly far away.
    public mutating func evolve(fix: Fix, stamp: EventStamp) {
        var journal = SilentJournal()
        take(fix, stamp: stamp, journal: &journal)
    }

    /// Takes the next fix, and tells `journal` every verdict that it decides.
    public mutating func evolve(
        fix: Fix,
        stamp: EventStamp,
        journal: inout some VerdictJournal
    ) {
        take(fix, stamp: stamp, journal: &journal)
    }

    /// Takes the next event of any kind.
    ///
    /// - Parameters:
    ///   - body: what happened.
    ///   - stamp: when, and where it stands in the log.
    ///   - identity: the digest of what makes the event the event it is; it names a trip it opens.
    ///   - steps: receives what the event means for trips. Fixes append nothing: how far a trip has
    ///     got is in ``openTrip``.
    public mutating func evolve(
        _ body: EventBody,
        stamp: EventStamp,
        identity: IdentityDigest,
        steps: inout [TripStep]
    ) {
        var journal = SilentJournal()
        evolve(body, stamp: stamp, identity: identity, steps: &steps, journal: &journal)
    }

    /// Takes the next event of any kind, and tells `journal` every verdict that it decides.
    public mutating func evolve(
        _ body: EventBody,
        stamp: EventStamp,
        identity: IdentityDigest,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) {
        latestAt = stamp.occurredAt
        switch body {
        case .fixRecorded(let reading):
            if let fix = reading.fix(occurredAt: stamp.occurredAt) {
                take(fix, stamp: stamp, journal: &journal)
            }
        case .goPressed(let press):
            start(press, stamp: stamp, identity: identity, steps: &steps)
        case .stopPressed(let press):
            stop(press, stamp: stamp, steps: &steps, journal: &journal)
        case .detailsEdited(let edit):
            describe(edit.trip)
        case .routineApplied(let application):
            describe(application.trip)
        case .ledgerCreated, .sourceRegistered, .motionChanged, .authorizationChanged,
            .locationFailed, .recoveryDecided, .routineSaved, .routineRemoved, .tripsMerged,
            .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted, .tripReported,
            .vehicleRegistered, .odometerRead, .placeSaved, .placeRemoved, .fieldDefined,
            .rulesAdopted, .reportIssued, .unknown:
            break
        }
    }

    /// Decides everything undecided as if no event came any more, and tells `journal`.
    public mutating func decide(journal: inout some VerdictJournal) {
        open?.decide(rules: rules, gapLimit: &gapLimit, journal: &journal)
    }

    @inline(__always)
    private mutating func take(
        _ fix: Fix,
        stamp: EventStamp,
        journal: inout some VerdictJournal
    ) {
        latestAt = stamp.occurredAt
        open?.take(fix, stamp: stamp, rules: rules, gapLimit: &gapLimit, journal: &journal)
    }

    /// Opens a trip, unless one is open: a second GO changes nothing.
    private mutating func start(
        _ press: GoPressed,
        stamp: EventStamp,
        identity: IdentityDigest,
        steps: inout [TripStep]
    ) {
        guard open == nil else { return }
        let trip = Trip(
            id: TripID(openedBy: identity),
            source: source,
            vehicle: press.vehicle,
            rules: rules.version,
            startedBy: .press,
            startedAt: EventTime(stamp.occurredAt, utcOffset: stamp.utcOffset),
            recorded: Trip.Recorded(firstAt: stamp.recordedAt, lastAt: stamp.recordedAt)
        )
        open = OpenTrip(trip)
        awaitingDetails = nil
        steps.append(.opened(trip))
    }

    /// Ends the trip; a STOP without one changes nothing.
    private mutating func stop(
        _ press: StopPressed,
        stamp: EventStamp,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) {
        guard var ending = open else { return }
        ending.decide(rules: rules, gapLimit: &gapLimit, journal: &journal)
        ending.end(at: stamp, by: .press, vehicle: press.vehicle)
        open = nil
        awaitingDetails = ending.trip.id
        steps.append(.ended(ending.trip))
    }

    /// Stops waiting for the purpose of the trip, if it is the one that waits.
    private mutating func describe(_ trip: TripID) {
        if awaitingDetails == trip {
            awaitingDetails = nil
        }
    }
}
