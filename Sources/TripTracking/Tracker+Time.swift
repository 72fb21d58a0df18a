public import TripEvents

extension Tracker {
    /// Lets time pass without an event.
    ///
    /// Ends that time alone brings come to pass; they are the same whether or not this is called.
    ///
    /// - Parameters:
    ///   - instant: the time to look at, not before the latest event.
    ///   - events: asked about the fix at which a trip ends.
    ///   - steps: receives the trip that has ended.
    /// - Returns: what the tracker is doing then.
    /// - Throws: only what `events` throws.
    @discardableResult
    public mutating func advance<Events: EventDirectory>(
        to instant: Timestamp,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) -> LiveStatus {
        var journal = SilentJournal()
        try endWhatIsDue(by: instant, events: events, steps: &steps, journal: &journal)
        return liveStatus(at: instant)
    }

    /// Lets time pass to the next event.
    mutating func pass<Events: EventDirectory>(
        to instant: Timestamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        try endWhatIsDue(by: instant, events: events, steps: &steps, journal: &journal)
        latestAt = instant
    }

    private mutating func endWhatIsDue<Events: EventDirectory>(
        by instant: Timestamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        if let end = nextEnd, end.at <= instant {
            try self.end(end.cause, events: events, steps: &steps, journal: &journal)
        }
    }

    /// When and why the trip in progress ends if nothing is reported any more: the earliest of all
    /// that time alone brings.
    private var nextEnd: (at: Timestamp, cause: TripCause)? {
        guard let open else { return nil }
        let rules = open.rules
        let heardAt = heardAt ?? open.trip.startedAt.timestamp
        var end = (
            at: heardAt.advanced(byMilliseconds: rules.deviceOffMilliseconds),
            cause: TripCause.deviceOff
        )
        guard !open.isPressed, let latest = open.latest else { return end }
        let limit = max(
            gapLimit.silenceMilliseconds(rules: rules),
            rules.maximumSilenceMilliseconds
        )
        let silentAt = latest.at.advanced(byMilliseconds: limit + 1)
        if silentAt < end.at, !skipPlaces.contain(latest.coordinate) {
            end = (silentAt, .silence)
        }
        if let since = open.stationarySince {
            let parkedAt = max(since, open.parking.since)
                .advanced(byMilliseconds: rules.stationaryMilliseconds)
            let place = open.pace.rest?.place ?? latest
            if parkedAt < end.at, !skipPlaces.contain(place.coordinate) {
                end = (parkedAt, .parked)
            }
        }
        return end
    }

    private func liveStatus(at instant: Timestamp) -> LiveStatus {
        let phase = phase(asOf: instant)
        guard let open, let trip = openTrip else {
            return LiveStatus(phase: phase, since: quietSince, awaitedTrip: awaitingDetails)
        }
        let startedAt = trip.startedAt.timestamp
        let since =
            switch phase {
            case .recovering: open.recoveringSince
            case .signalLost: open.latest?.at
            case .idle, .arming, .tracking, .details: startedAt
            }
        let still = instant.milliseconds(since: open.movement.since)
        return LiveStatus(
            phase: phase,
            since: since,
            trip: trip,
            lastFixAgeMilliseconds: open.latest.map { instant.milliseconds(since: $0.at) },
            restMilliseconds: still,
            asksStillRecording: still >= open.rules.stillRecordingMilliseconds
        )
    }
}
