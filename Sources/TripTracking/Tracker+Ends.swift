import TripEvents

extension Tracker {
    /// Opens a trip.
    mutating func start<Events: EventDirectory>(
        _ beginning: PendingStart,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        let facts = try events.facts(at: beginning.position)
        let trip = Trip(
            id: TripID(openedBy: facts.identity),
            source: source,
            vehicle: beginning.vehicle,
            rules: rules.name,
            startedBy: beginning.cause,
            startedAt: EventTime(beginning.at, utcOffset: facts.utcOffset),
            recorded: Trip.Recorded(
                firstAt: beginning.recordedAt,
                lastAt: beginning.recordedAt
            )
        )
        open = OpenTrip(trip)
        awaitingDetails = nil
        window.empty()
        steps.append(.opened(trip))
    }

    /// Ends the trip at one of its fixes: parked and forgotten trips where they last moved, others
    /// at the last kept one.
    mutating func end<Events: EventDirectory>(
        _ cause: TripCause,
        isDiscarded: Bool = false,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        guard var ending = open else { return }
        ending.decide(rules: rules, gapLimit: &gapLimit, journal: &journal)
        let isAtRest = cause == .parked || cause == .noMovement
        guard let last = isAtRest ? ending.asOfRest : ending.asOfLatest else {
            // It never got a position, so it took no time either.
            let trip = ending.measured
            close(trip, at: nil, trip.startedAt, by: cause, steps: &steps)
            return
        }
        var trip = last.trip
        trip.vehicle = ending.trip.vehicle
        trip.flags.formUnion(ending.trip.flags)
        let facts = try events.facts(at: last.place.position)
        let endedAt = EventTime(last.place.at, utcOffset: facts.utcOffset)
        close(
            trip,
            at: last.place,
            endedAt,
            by: cause,
            isDiscarded: isDiscarded,
            steps: &steps
        )
    }

    /// Ends the trip at the moment of an event that says so.
    mutating func end(
        _ cause: TripCause,
        at stamp: EventStamp,
        vehicle: String? = nil,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) {
        guard var ending = open else { return }
        ending.decide(rules: rules, gapLimit: &gapLimit, journal: &journal)
        ending.include(stamp)
        ending.use(vehicle: vehicle)
        let endedAt = EventTime(stamp.occurredAt, utcOffset: stamp.utcOffset)
        close(ending.measured, at: ending.latest, endedAt, by: cause, steps: &steps)
    }

    private mutating func close(
        _ trip: Trip,
        at place: Waypoint?,
        _ endedAt: EventTime,
        by cause: TripCause,
        isDiscarded: Bool = false,
        steps: inout [TripStep]
    ) {
        var trip = trip
        trip.end(at: place?.coordinate, endedAt, by: cause, rules: rules)
        if isDiscarded {
            trip.abandon(because: .discarded)
        }
        open = nil
        awaitingDetails = trip.status == .completed ? trip.id : nil
        quietSince = endedAt.timestamp
        if let nextRules {
            rules = nextRules
            self.nextRules = nil
        }
        steps.append(.ended(trip))
    }
}
