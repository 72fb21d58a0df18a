import ActiveTripProjection
import Geodesy
import Projections
import TripEvents
import TripLedger
import TripTracking

/// What a source is doing, in a driver's words.
struct ShownActivity {
    let source: LedgerStatus.Source
    private let unit: DistanceUnit

    init(_ source: LedgerStatus.Source, unit: DistanceUnit) {
        self.source = source
        self.unit = unit
    }

    private var live: LiveStatus { source.live }

    /// Whether a trip goes on or waits for its purpose.
    var isWorthALook: Bool { live.phase != .idle }

    /// What it is doing, in one sentence without a full stop.
    var message: String {
        let began = live.trip.map { clock($0.startedAt) } ?? "-"
        let rest = LocalTime.span(milliseconds: live.restMilliseconds ?? 0)
        let silence = LocalTime.span(milliseconds: live.lastFixAgeMilliseconds ?? 0)
        switch live.phase {
        case .idle: return "No trip is going on"
        case .arming:
            return live.asksStillRecording
                ? "Still recording? There is no position since \(began)"
                : "Started \(began); waiting for a position"
        case .tracking:
            return live.asksStillRecording
                ? "Still recording? Nothing has moved for \(rest)" : "Driving since \(began)"
        case .signalLost:
            return live.asksStillRecording
                ? "Still recording? Nothing has moved for \(rest), and the signal is lost"
                : "Signal lost for \(silence); driving since \(began)"
        case .recovering:
            let offset = live.trip?.startedAt.utcOffset
            let back = live.since.map { clock(EventTime($0, utcOffset: offset)) } ?? "-"
            return "Recovering: the recorder fell silent and was back at \(back); "
                + "the trip since \(began) is still open"
        case .details:
            let ended = source.awaited?.trip.endedAt.map { clock($0) } ?? "-"
            let isForgotten = source.awaited?.trip.flags.contains(.autoStopped) ?? false
            return "Trip ended \(ended)\(isForgotten ? " by itself" : ""); say what it was for"
        }
    }

    /// What is shown for people, labelled.
    var labelled: [(label: String, fact: String)] {
        var facts = [("Now", message), ("Source", Excerpt.escaped(source.name))]
        if let trip = live.trip {
            facts += self.facts(of: trip)
        } else if let awaited = source.awaited {
            let figures = ShownTrip(awaited, unit: unit).shortFigures
            facts.append(("Trip", "\(awaited.id.short): \(figures)"))
        }
        let choices = live.phase == .recovering ? " (or save, or abandon)" : ""
        facts.append(("Next", SuggestedCommand(source).text + choices))
        return facts
    }

    /// For programs: a member of the list in `status.v1.schema.json`.
    var json: RowJSON {
        var json = RowJSON()
        json.add("source", text: source.name)
        json.add("events", integer: Int64(source.events))
        json.add("latest_at", time: EventTime(source.latestAt))
        json.add("phase", text: live.phase.rawValue)
        json.add("since", time: live.since.map { EventTime($0) })
        json.add("message", text: message)
        json.add("suggested_action", text: SuggestedCommand(source).text)
        json.add("trip", text: live.trip?.id.description)
        if let trip = live.trip { add(trip, to: &json) }
        if let age = live.lastFixAgeMilliseconds {
            json.add("last_fix_age_s", thousandths: age)
        }
        if live.phase == .details { json.add("ended_trip", text: live.awaitedTrip?.description) }
        return json
    }

    private func facts(of trip: Trip) -> [(label: String, fact: String)] {
        let isVoided = source.said?.status == .voided
        var facts = [
            ("Trip", trip.id.short + (isVoided ? ", voided" : ""))
        ]
        let details = source.said?.details
        for (label, text) in [
            ("Vehicle", details?.vehicle ?? trip.vehicle), ("Title", details?.title),
            ("Purpose", details?.purpose), ("Client", details?.client),
            ("Class", details?.tripClass?.rawValue), ("Routine", source.said?.routine),
        ] {
            if let text { facts.append((label, Excerpt.escaped(text))) }
        }
        let place = trip.start.map { " at \($0.latitude), \($0.longitude)" } ?? ""
        facts.append(("Started", LocalTime.text(trip.startedAt) + place))
        let elapsed = LocalTime.span(milliseconds: elapsedMilliseconds(of: trip))
        let speed = speed(of: trip).map { "; \($0.text(in: unit)) on average while moving" } ?? ""
        facts.append(
            ("Distance", "\(ShownDistance.text(trip.distance, in: unit)) in \(elapsed)\(speed)")
        )
        if let age = live.lastFixAgeMilliseconds {
            facts.append(("Last fix", "\(LocalTime.span(milliseconds: age)) ago"))
        }
        return facts
    }

    private func add(_ trip: Trip, to json: inout RowJSON) {
        let details = source.said?.details
        for (name, text) in [
            ("vehicle", details?.vehicle ?? trip.vehicle), ("title", details?.title),
            ("purpose", details?.purpose), ("client", details?.client),
            ("class", details?.tripClass?.rawValue), ("routine", source.said?.routine),
        ] where text != nil {
            json.add(name, text: text)
        }
        json.add("started_at", time: trip.startedAt)
        if let start = trip.start {
            json.add("start") { place in
                place.add("lat", double: start.latitude)
                place.add("lon", double: start.longitude)
            }
        } else {
            json.addNull("start")
        }
        json.add("distance_m", thousandths: trip.distance.millimeters)
        json.add("minutes", integer: elapsedMilliseconds(of: trip) / 60_000)
        if let speed = speed(of: trip) {
            json.add("average_speed_kmh", thousandths: speed.metersPerHour)
        } else {
            json.addNull("average_speed_kmh")
        }
        json.add("signal_lost", boolean: live.isSignalLost)
        json.add("asks_still_recording", boolean: live.asksStillRecording)
    }

    /// Gaps are in neither the distance nor the time.
    private func speed(of trip: Trip) -> ShownSpeed? {
        ShownSpeed(trip.distance, inMilliseconds: trip.movingMilliseconds)
    }

    private func elapsedMilliseconds(of trip: Trip) -> Int64 {
        max(0, source.instant.milliseconds(since: trip.startedAt.timestamp))
    }

    private func clock(_ time: EventTime) -> String {
        LocalTime.clock(time, seenAt: source.instant)
    }
}
