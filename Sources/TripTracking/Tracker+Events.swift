public import TripEvents

extension Tracker {
    /// Takes the next event of any kind.
    ///
    /// The source's own events are given, and with them those that concern all sources: saved and
    /// removed places, and adopted rules.
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
        if case .unknown = body { return }
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
        try pass(to: stamp.occurredAt, events: events, steps: &steps, journal: &journal)
        switch body {
        case .goPressed(let press):
            try go(press, stamp: stamp, events: events, steps: &steps, journal: &journal)
        case .stopPressed(let press):
            heardAt = stamp.occurredAt
            end(.press, at: stamp, vehicle: press.vehicle, steps: &steps, journal: &journal)
        case .motionChanged(let motion):
            try sense(motion, stamp: stamp, events: events, steps: &steps, journal: &journal)
        case .authorizationChanged:
            notice(returnAt: stamp.occurredAt)
            try hear(stamp, events: events, steps: &steps, journal: &journal)
        case .locationFailed:
            try hear(stamp, events: events, steps: &steps, journal: &journal)
        case .recoveryDecided(let decided):
            try recover(decided, events: events, steps: &steps, journal: &journal)
        case .detailsEdited(let edit): describe(edit.trip, at: stamp.occurredAt)
        case .routineApplied(let applied): describe(applied.trip, at: stamp.occurredAt)
        case .rulesAdopted(let adopted): rules = rules.adopting(adopted, for: source)
        case .placeSaved(let place): skipPlaces.save(place)
        case .placeRemoved(let place): skipPlaces.remove(place.place)
        case .ledgerCreated, .sourceRegistered, .fixRecorded, .routineSaved, .routineRemoved,
            .tripsMerged, .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted,
            .tripReported, .vehicleRegistered, .odometerRead, .fieldDefined, .reportIssued,
            .entriesErased, .unknown:
            break
        }
    }
}

extension Tracker {
    /// Takes note that the device reports something, and ends a trip that has not moved for long.
    private mutating func hear<Events: EventDirectory>(
        _ stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        heardAt = stamp.occurredAt
        if hasNotMoved(until: stamp.occurredAt) {
            try end(.noMovement, events: events, steps: &steps, journal: &journal)
        }
    }

    /// Opens a trip, unless one is open: a second GO changes nothing.
    private mutating func go<Events: EventDirectory>(
        _ press: GoPressed,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        if isSilent(at: stamp.occurredAt) {
            try end(.silence, events: events, steps: &steps, journal: &journal)
        }
        try hear(stamp, events: events, steps: &steps, journal: &journal)
        guard open == nil else { return }
        let beginning = PendingStart(.press, at: stamp, vehicle: press.vehicle)
        try start(beginning, events: events, steps: &steps)
    }

    /// Returns whether a trip that nobody pressed GO for is silent as if its recorder were off.
    private func isSilent(at instant: Timestamp) -> Bool {
        guard let open, !open.isPressed, let latest = open.latest else { return false }
        return instant.milliseconds(since: latest.at)
            > gapLimit.silenceMilliseconds(rules: open.rules)
    }

    /// Takes the motion sensor's word, if it is sure enough.
    private mutating func sense<Events: EventDirectory>(
        _ motion: MotionChanged,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        try hear(stamp, events: events, steps: &steps, journal: &journal)
        guard motion.confidence >= .medium else { return }
        switch motion.state {
        case .automotive: try drive(stamp, events: events, steps: &steps)
        case .stationary: open?.stand(since: stamp.occurredAt)
        case .walking: leave(.walking, at: stamp, steps: &steps, journal: &journal)
        case .running: leave(.running, at: stamp, steps: &steps, journal: &journal)
        case .cycling: open?.stationarySince = nil
        case .unknown: break
        }
    }

    /// Starts a trip, or goes on with the one that is open.
    private mutating func drive<Events: EventDirectory>(
        _ stamp: EventStamp,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        let beginning = PendingStart(.motion, at: stamp)
        guard open == nil else {
            if isSilent(at: stamp.occurredAt), open?.nextStart == nil, rules.startsByMotion {
                open?.nextStart = beginning
            }
            open?.unpark(at: stamp.occurredAt)
            return
        }
        if rules.startsByMotion {
            try start(beginning, events: events, steps: &steps)
        }
    }

    /// Ends a trip whose driver walks or runs away, unless a press started it or the stop is one
    /// that is to be skipped.
    private mutating func leave(
        _ cause: TripCause,
        at stamp: EventStamp,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) {
        open?.stationarySince = nil
        guard let open, !open.isPressed,
            !(open.latest.map { skipPlaces.contain($0.coordinate) } ?? false)
        else { return }
        end(cause, at: stamp, steps: &steps, journal: &journal)
    }

    /// Notices that a recorder is back: it says what it may do when it starts.
    private mutating func notice(returnAt instant: Timestamp) {
        guard let heardAt, let open, open.recoveringSince == nil else { return }
        if gapLimit.isExceeded(by: instant.milliseconds(since: heardAt), rules: open.rules) {
            self.open?.recoveringSince = instant
        }
    }

    /// Does what the driver decided about a trip that was open when its recorder died.
    private mutating func recover<Events: EventDirectory>(
        _ decided: RecoveryDecided,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        guard let trip = open?.trip,
            decided.trip == trip.id || open?.earlierParts.contains(decided.trip) == true
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

    /// Stops waiting for the purpose of the trip, if it is the one that waits.
    private mutating func describe(_ trip: TripID, at instant: Timestamp) {
        if awaitingDetails == trip {
            awaitingDetails = nil
            quietSince = quietSince.map { max($0, instant) } ?? instant
        }
    }
}
