import Geodesy
import RowCoding
public import TripEvents

extension Tracker {
    /// Opens a trip at an event, before which the source was last seen somewhere.
    mutating func start<Events: EventDirectory>(
        _ beginning: PendingStart,
        lastSeen: Coordinate?,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        let facts = try context.events.facts(at: beginning.position)
        let isResumed = press != nil && beginning.cause != .press
        var trip = Trip(
            id: TripID(openedBy: facts.identity),
            source: source,
            group: group,
            vehicle: beginning.vehicle ?? (isResumed ? press?.vehicle : nil),
            driver: beginning.driver ?? (isResumed ? press?.driver : nil),
            rules: rules.name,
            startedBy: isResumed ? .resumed : beginning.cause,
            startedAt: EventTime(beginning.at, utcOffset: facts.utcOffset),
            recorded: Trip.Recorded(
                firstAt: beginning.recordedAt,
                lastAt: beginning.recordedAt
            )
        )
        trip.lastSeen = lastSeen
        var open = OpenTrip(trip, rules: rules, gapLimit: stage.gapLimit)
        open.hearing = MotionHearing(motion, since: beginning.at)
        open.exclusions = exclusions
        if let stop = stage.between?.stop, !isResumed, beginning.cause != .press,
            beginning.at.milliseconds(since: stop.at) <= TrackingRules.afterStopMilliseconds
        {
            open.stoppedAt = stop.coordinate
        }
        stage = .arming(Kept(ArmingTrip(open: open)))
        context.steps.append(.opened(trip))
        awaitedSplits.removeAll { $0.at <= beginning.at }
        awaitNextSplit()
    }

    /// Ends the trip at one of its fixes: where it last drove.
    ///
    /// A trip that the driver's GO started ends at the last kept fix or, if for lack of movement,
    /// where it last moved. A trip of a logger that fell silent ends at the last kept fix.
    mutating func end<Events: EventDirectory>(
        _ cause: TripCause,
        isDiscarded: Bool = false,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        stage.settlePending(journal: &context.journal)
        let ending: PlacedTrip
        switch stage {
        case .betweenTrips: return
        case .arming(let arming):
            // Without a position it took no time either.
            let open = arming.value.open
            var trip = open.trip
            trip.end(at: nil, trip.startedAt, by: cause, on: WaySketcher(), rules: open.rules)
            return close(trip, in: &context)
        case .underWay(let placed): ending = placed.value
        }
        let last =
            if ending.open.isPressed && (cause == .noMovement || cause == .forgottenStop) {
                ending.asOfRest
            } else if cause == .silence && ending.open.rules.preset == .logger {
                // Its recorder is on only while the engine runs.
                ending.asOfLatest
            } else {
                ending.asOfDriving
            }
        var trip = last.trip
        trip.vehicle = ending.open.trip.vehicle
        trip.driver = ending.open.trip.driver
        trip.flags.formUnion(ending.open.trip.flags)
        let facts = try context.events.facts(at: last.place.position)
        let endedAt = EventTime(last.place.at, utcOffset: facts.utcOffset)
        trip.end(
            at: last.place.coordinate,
            endedAt,
            by: cause,
            on: ending.way,
            rules: ending.open.rules
        )
        if isDiscarded {
            trip.abandon(because: .discarded)
        } else if let place = ending.open.stoppedAt, !trip.isPersonal,
            place.distance(to: last.place.coordinate) <= TrackingRules.afterStopDistance,
            trip.travelled <= TrackingRules.afterStopDistance
        {
            trip.abandon(because: .afterStop)
        }
        close(trip, crawl: crawl(after: ending, from: last.place, cause), in: &context)
    }

    /// Returns the way with which the next trip may begin, after one that has ended by itself.
    private func crawl(
        after ending: PlacedTrip,
        from place: Waypoint,
        _ cause: TripCause
    ) -> Crawl? {
        guard motion != .onFoot else { return nil }
        guard cause != .silence, cause != .deviceOff, let rest = ending.rest else {
            return Crawl(from: place)
        }
        return cause == .walking ? nil : rest.crawl
    }

    /// Ends the trip at the moment of an event that says so.
    mutating func end(
        _ cause: TripCause,
        at stamp: EventStamp,
        vehicle: String? = nil,
        driver: String? = nil,
        in context: inout TrackingContext<some EventDirectory>
    ) {
        stage.settlePending(journal: &context.journal)
        stage.changeOpen { open in
            open.include(stamp)
            open.use(vehicle: vehicle, driver: driver)
        }
        guard var trip = stage.measured, let rules = stage.rules else { return }
        trip.end(
            at: stage.latest?.coordinate,
            EventTime(stamp.occurredAt, utcOffset: stamp.utcOffset),
            by: cause,
            on: stage.placed?.way ?? WaySketcher(),
            rules: rules
        )
        close(trip, in: &context)
    }

    private mutating func close(
        _ trip: Trip,
        crawl: Crawl? = nil,
        in context: inout TrackingContext<some EventDirectory>
    ) {
        let awaited = trip.status == .completed ? trip.id : nil
        let between = BetweenTrips(
            gapLimit: stage.gapLimit,
            awaitingDetails: awaited,
            crawl: crawl
        )
        stage = .betweenTrips(Kept(between))
        betweenTripsSince = trip.endedAt?.timestamp
        noteEnd(of: trip, in: &context)
    }

    /// Tells of a trip that is over.
    mutating func noteEnd(
        of trip: Trip,
        in context: inout TrackingContext<some EventDirectory>
    ) {
        tally.note(trip)
        context.steps.append(.ended(trip))
    }
}

extension Tracker {
    /// Lets time pass without an event, and ends the trip if a silence long enough does.
    ///
    /// The next event would end the same trip in the same way, so calling this changes no figure.
    ///
    /// - Parameters:
    ///   - instant: the time to look at, not before the latest event.
    ///   - context: asked about the fix at which a trip ends; told of the trip that has ended.
    /// - Returns: what the tracker is doing then.
    /// - Throws: only what the context's events throw.
    @discardableResult
    public mutating func advance<Events: EventDirectory>(
        to instant: Timestamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) -> LiveStatus {
        try endIfDue(by: instant, in: &context)
        return liveStatus(at: instant)
    }

    /// When the trip in progress ends if nothing is reported any more; `nil` between trips.
    public var endsAt: Timestamp? { nextEnd?.at }

    /// Lets time pass to the next event.
    mutating func passTime<Events: EventDirectory>(
        to instant: Timestamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        try endIfDue(by: instant, in: &context)
        latestAt = instant
    }

    private mutating func endIfDue<Events: EventDirectory>(
        by instant: Timestamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        if let end = nextEnd, end.at <= instant {
            try self.end(end.cause, in: &context)
        }
    }

    /// When and why the trip in progress ends if nothing is reported any more: the earliest of the
    /// ends by the passing of time.
    private var nextEnd: (at: Timestamp, cause: TripCause)? {
        switch stage {
        case .betweenTrips: return nil
        case .arming(let arming): return deviceOff(arming.value.open)
        case .underWay(let placed): return nextEnd(of: placed.value)
        }
    }

    /// When a trip ends because its device is off.
    private func deviceOff(_ open: OpenTrip) -> (at: Timestamp, cause: TripCause) {
        let lastReportAt = lastReportAt ?? open.trip.startedAt.timestamp
        let limit = open.rules.deviceOffMilliseconds
        let longest = isToldByPresses ? max(TrackingRules.pressesMilliseconds, limit) : limit
        return (lastReportAt.advanced(byMilliseconds: longest), .deviceOff)
    }

    private func nextEnd(of placed: PlacedTrip) -> (at: Timestamp, cause: TripCause) {
        let open = placed.open
        var end = deviceOff(open)
        guard !open.isPressed else { return end }
        let latest = placed.latest
        let rest = placed.rest?.began.place ?? latest
        guard !skipPlaces.contain(rest.coordinate) else { return end }
        let limit = max(
            open.gapLimit.silenceMilliseconds(rules: open.rules),
            open.stationarySince == nil ? open.rules.maximumSilenceMilliseconds : 0
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
        guard let open = stage.open, let trip = openTrip, let unmovedSince = stage.unmovedSince
        else {
            return LiveStatus(phase: phase, since: betweenTripsSince, awaitedTrip: awaitingDetails)
        }
        let latestAt = stage.latest?.at
        let startedAt = trip.startedAt.timestamp
        let since =
            switch phase {
            case .recovering: open.recoveringSince
            case .signalLost: latestAt
            case .idle, .arming, .tracking, .details: startedAt
            }
        let still = instant.milliseconds(since: unmovedSince)
        return LiveStatus(
            phase: phase,
            since: since,
            trip: trip,
            lastFixAgeMilliseconds: latestAt.map { instant.milliseconds(since: $0) },
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

    /// Who drives, if the driver said it.
    var driver: String?
}

extension PendingStart {
    /// Creates the start of a trip at the moment of an event.
    init(
        _ cause: TripCause,
        at stamp: EventStamp,
        vehicle: String? = nil,
        driver: String? = nil
    ) {
        self.init(
            cause: cause,
            at: stamp.occurredAt,
            recordedAt: stamp.recordedAt,
            position: stamp.position,
            vehicle: vehicle,
            driver: driver
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
        writer.write(driver) { $0.write($1) }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        cause = try reader.readTripCause()
        at = try reader.readTimestamp()
        recordedAt = try reader.readTimestamp()
        position = try reader.readUInt64()
        vehicle = try reader.readOptionalText()
        driver = try reader.readOptionalText()
    }
}
