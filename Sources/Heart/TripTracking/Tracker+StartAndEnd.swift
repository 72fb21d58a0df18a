import Geodesy
import RowCoding
public import TripEvents

extension Tracker {
    /// Opens a trip at an event, before which the source was last seen somewhere.
    mutating func start<Events: EventDirectory>(
        _ beginning: PendingStart,
        lastSeen: Coordinate?,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        let facts = try events.facts(at: beginning.position)
        let isResumed = press != nil && beginning.cause != .press
        var trip = Trip(
            id: TripID(openedBy: facts.identity),
            source: source,
            group: group,
            vehicle: beginning.vehicle ?? (isResumed ? press?.vehicle : nil),
            rules: rules.name,
            startedBy: isResumed ? .resumed : beginning.cause,
            startedAt: EventTime(beginning.at, utcOffset: facts.utcOffset),
            recorded: Trip.Recorded(
                firstAt: beginning.recordedAt,
                lastAt: beginning.recordedAt
            )
        )
        trip.lastSeen = lastSeen
        open = OpenTrip(trip, rules: rules)
        open?.motion = motion
        open?.exclude(exclusions)
        if let stop, !isResumed, beginning.cause != .press,
            beginning.at.milliseconds(since: stop.at) <= TrackingRules.afterStopMilliseconds
        {
            open?.stoppedAt = stop.coordinate
        }
        stop = nil
        awaitingDetails = nil
        window.removeAll()
        crawl = nil
        steps.append(.opened(trip))
        awaitedSplits.removeAll { $0.at <= beginning.at }
        awaitNextSplit()
    }

    /// Ends the trip at one of its fixes: where it last drove.
    ///
    /// One that the driver's GO started ends at the last kept fix, or for want of movement where it
    /// last moved; one of a logger that fell silent at the last kept fix.
    mutating func end<Events: EventDirectory>(
        _ cause: TripCause,
        isDiscarded: Bool = false,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        guard var ending = open else { return }
        ending.settlePending(gapLimit: &gapLimit, journal: &journal)
        let last =
            if ending.isPressed && (cause == .noMovement || cause == .forgottenStop) {
                ending.asOfRest
            } else if cause == .silence && ending.rules.preset == .logger {
                // Its recorder is on only while the engine runs.
                ending.asOfLatest
            } else {
                ending.asOfDriving
            }
        guard let last else {
            // Without a position it took no time either.
            var trip = ending.measured
            trip.end(at: nil, trip.startedAt, by: cause, on: ending.way, rules: ending.rules)
            close(trip, steps: &steps)
            return
        }
        var trip = last.trip
        trip.vehicle = ending.trip.vehicle
        trip.flags.formUnion(ending.trip.flags)
        let facts = try events.facts(at: last.place.position)
        let endedAt = EventTime(last.place.at, utcOffset: facts.utcOffset)
        trip.end(
            at: last.place.coordinate,
            endedAt,
            by: cause,
            on: ending.way,
            rules: ending.rules
        )
        if isDiscarded {
            trip.abandon(because: .discarded)
        } else if let place = ending.stoppedAt, !trip.isPersonal,
            place.distance(to: last.place.coordinate) <= TrackingRules.afterStopDistance,
            trip.travelled <= TrackingRules.afterStopDistance
        {
            trip.abandon(because: .afterStop)
        }
        if motion != .onFoot {
            let isSilent = cause == .silence || cause == .deviceOff || ending.rest == nil
            crawl =
                isSilent ? Crawl(from: last.place) : cause == .walking ? nil : ending.rest?.crawl
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
        ending.settlePending(gapLimit: &gapLimit, journal: &journal)
        ending.include(stamp)
        ending.use(vehicle: vehicle)
        let endedAt = EventTime(stamp.occurredAt, utcOffset: stamp.utcOffset)
        var trip = ending.measured
        trip.end(
            at: ending.latest?.coordinate,
            endedAt,
            by: cause,
            on: ending.way,
            rules: ending.rules
        )
        close(trip, steps: &steps)
    }

    private mutating func close(_ trip: Trip, steps: inout [TripStep]) {
        open = nil
        awaitingDetails = trip.status == .completed ? trip.id : nil
        betweenTripsSince = trip.endedAt?.timestamp
        noteEnd(of: trip, steps: &steps)
    }

    /// Tells of a trip that is over.
    mutating func noteEnd(of trip: Trip, steps: inout [TripStep]) {
        tally.note(trip)
        steps.append(.ended(trip))
    }
}

extension Tracker {
    /// Lets time pass without an event, and ends the trip if a silence long enough does.
    ///
    /// The next event would end the same trip in the same way: whether this is called changes no
    /// figure.
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
        return try advance(to: instant, events: events, steps: &steps, journal: &journal)
    }

    /// Lets time pass without an event, and tells `journal` every verdict that it decides.
    @discardableResult
    public mutating func advance<Events: EventDirectory>(
        to instant: Timestamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) -> LiveStatus {
        try endIfDue(by: instant, events: events, steps: &steps, journal: &journal)
        return liveStatus(at: instant)
    }

    /// When the trip in progress ends if nothing is reported any more; `nil` between trips.
    public var endsAt: Timestamp? { nextEnd?.at }

    /// Lets time pass to the next event.
    mutating func passTime<Events: EventDirectory>(
        to instant: Timestamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        try endIfDue(by: instant, events: events, steps: &steps, journal: &journal)
        latestAt = instant
    }

    private mutating func endIfDue<Events: EventDirectory>(
        by instant: Timestamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        if let end = nextEnd, end.at <= instant {
            try self.end(end.cause, events: events, steps: &steps, journal: &journal)
        }
    }

    /// When and why the trip in progress ends if nothing is reported any more: the earliest of the
    /// ends by the passing of time.
    private var nextEnd: (at: Timestamp, cause: TripCause)? {
        guard let open else { return nil }
        let rules = open.rules
        let lastReportAt = lastReportAt ?? open.trip.startedAt.timestamp
        let longest =
            isToldByPresses
            ? max(TrackingRules.pressesMilliseconds, rules.deviceOffMilliseconds)
            : rules.deviceOffMilliseconds
        var end = (
            at: lastReportAt.advanced(byMilliseconds: longest),
            cause: TripCause.deviceOff
        )
        guard !open.isPressed, let latest = open.latest else { return end }
        let rest = open.rest?.began.place ?? latest
        guard !skipPlaces.contain(rest.coordinate) else { return end }
        let limit = max(
            gapLimit.silenceMilliseconds(rules: rules),
            open.stationarySince == nil ? rules.maximumSilenceMilliseconds : 0
        )
        let silentAt = latest.at.advanced(byMilliseconds: limit + 1)
        if silentAt < end.at { end = (silentAt, .silence) }
        if let since = open.walkingSince {
            let gone = since.advanced(byMilliseconds: TrackingRules.walkingMilliseconds)
            if gone < end.at { end = (gone, .walking) }
        }
        return end
    }

    private func liveStatus(at instant: Timestamp) -> LiveStatus {
        let phase = phase(asOf: instant)
        guard let open, let trip = openTrip else {
            return LiveStatus(phase: phase, since: betweenTripsSince, awaitedTrip: awaitingDetails)
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

/// An event that starts a trip, now or once the trip in progress has turned out to be over.
struct PendingStart: Hashable, Sendable {
    var cause: TripCause
    var at: Timestamp
    var recordedAt: Timestamp

    /// Where the event stands in the log.
    var position: UInt64

    /// The vehicle, if the driver named one.
    var vehicle: String?
}

extension PendingStart {
    /// Creates the start of a trip at the moment of an event.
    init(_ cause: TripCause, at stamp: EventStamp, vehicle: String? = nil) {
        self.init(
            cause: cause,
            at: stamp.occurredAt,
            recordedAt: stamp.recordedAt,
            position: stamp.position,
            vehicle: vehicle
        )
    }
}

extension PendingStart {
    func write(to writer: inout RowEncoder) {
        writer.write(cause)
        writer.write(at)
        writer.write(recordedAt)
        writer.write(position)
        writer.write(vehicle) { $0.write($1) }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        cause = try reader.readTripCause()
        at = try reader.readTimestamp()
        recordedAt = try reader.readTimestamp()
        position = try reader.readUInt64()
        vehicle = try reader.readOptionalText()
    }
}
