public import TripEvents

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
        // What others inferred is no evidence that time passed, either.
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
            .expenseRecorded, .reportIssued, .clockShifted, .ratesLoaded, .entriesErased,
            .inferenceReported, .recordsImported, .eventsReceived,
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
