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
        open = OpenTrip(trip, rules: rules)
        awaitingDetails = nil
        window.empty()
        steps.append(.opened(trip))
        awaitedSplits.removeAll { $0.at <= beginning.at }
        awaitNextSplit()
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
        ending.decide(gapLimit: &gapLimit, journal: &journal)
        let isAtRest = cause == .parked || cause == .noMovement
        guard let last = isAtRest ? ending.asOfRest : ending.asOfLatest else {
            // It never got a position, so it took no time either.
            var trip = ending.measured
            trip.end(at: nil, trip.startedAt, by: cause, rules: ending.rules)
            close(trip, steps: &steps)
            return
        }
        var trip = last.trip
        trip.vehicle = ending.trip.vehicle
        trip.flags.formUnion(ending.trip.flags)
        let facts = try events.facts(at: last.place.position)
        let endedAt = EventTime(last.place.at, utcOffset: facts.utcOffset)
        trip.end(at: last.place.coordinate, endedAt, by: cause, rules: ending.rules)
        if isDiscarded {
            trip.abandon(because: .discarded)
        }
        close(trip, steps: &steps)
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
        ending.decide(gapLimit: &gapLimit, journal: &journal)
        ending.include(stamp)
        ending.use(vehicle: vehicle)
        let endedAt = EventTime(stamp.occurredAt, utcOffset: stamp.utcOffset)
        var trip = ending.measured
        trip.end(at: ending.latest?.coordinate, endedAt, by: cause, rules: ending.rules)
        close(trip, steps: &steps)
    }

    private mutating func close(_ trip: Trip, steps: inout [TripStep]) {
        open = nil
        awaitingDetails = trip.status == .completed ? trip.id : nil
        quietSince = trip.endedAt?.timestamp
        steps.append(.ended(trip))
    }
}
