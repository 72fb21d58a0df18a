import Geodesy
import LedgerRows
import Projections
import Tables
import TripEvents
import TripTracking

/// A trip's facts in words for people.
struct TripText {
    private let booked: BookedTrip
    private let unit: DistanceUnit
    private let clock: LocalDay?
    private let places: PlaceBook

    private var trip: Trip { booked.trip }

    init(
        _ booked: BookedTrip,
        unit: DistanceUnit,
        clock: LocalDay?,
        places: PlaceBook = PlaceBook()
    ) {
        self.booked = booked
        self.unit = unit
        self.clock = clock
        self.places = places
    }

    var source: String { Excerpt.escaped(trip.source) }

    var startedAt: String { text(trip.startedAt) }

    /// The time from start to end; `-` while it is active.
    var duration: String {
        guard let endedAt = trip.endedAt else { return "-" }
        return LocalTime.duration(
            milliseconds: endedAt.timestamp.milliseconds(since: trip.startedAt.timestamp)
        )
    }

    /// The distance that counts.
    var distance: String { DistanceText.text(booked.claimedDistance, in: unit) }

    /// Distance and time in a few words, such as `8.63 km in 5 min`.
    var shortFigures: String {
        let end = (trip.endedAt ?? trip.startedAt).timestamp
        let time = end.milliseconds(since: trip.startedAt.timestamp)
        return "\(distance) in \(LocalTime.span(milliseconds: time))"
    }

    /// The status, with the reason if the trip was abandoned.
    var status: String {
        booked.status.rawValue + (booked.abandonReason.map { " (\($0.rawValue))" } ?? "")
    }

    /// The distance that counts, beside the measured one.
    var claimBesideMeasurement: String {
        let origin = originOfDistance
        let meters = DistanceText.meters(trip.distance)
        let claimed = DistanceText.meters(booked.claimedDistance)
        return "\(origin) \(meters) m (\(DistanceText.text(trip.distance, in: unit))), "
            + "claimed \(claimed) m (\(distance))."
    }

    /// The origin of the distance.
    private var originOfDistance: String {
        guard !booked.isMeasured else { return "Measured" }
        return booked.flags.contains(.odometer) ? "Odometer" : "Reported"
    }

    /// The gaps in a sentence.
    var gaps: String {
        guard trip.gaps.count > 0 else { return "none" }
        let meters = DistanceText.meters(trip.gaps.distance)
        return "\(trip.gaps.count), \(gapDuration) long, \(gapDistance) (\(meters) m) in a "
            + "straight line, not in the distance"
    }

    /// The fixes by verdict.
    var fixes: String {
        let counted = Verdict.allCases.filter { trip.fixes[$0] > 0 }
        let total = counted.reduce(0) { $0 + trip.fixes[$1] }
        guard total > 0 else { return "none" }
        let parts = counted.map { "\(trip.fixes[$0]) \($0.rawValue)" }
        return "\(total): \(parts.joined(separator: ", "))"
    }

    /// Everything, labelled, a fact on a line.
    var labelled: [(label: String, fact: String)] {
        var facts = [
            ("Trip", trip.id.description), ("Status", status), ("Source", source),
        ]
        if let lead = booked.mergedInto { facts.append(("Into", lead.description)) }
        if let vehicle = booked.details.vehicle {
            facts.append(("Vehicle", Excerpt.escaped(vehicle)))
        }
        facts += [
            ("Started", "\(startedAt) by \(trip.startedBy.rawValue)"), ("Ended", endedAt),
            ("Duration", duration),
            (
                "From",
                Self.text(
                    booked.origin,
                    places.start(of: booked),
                    booked.originAddress,
                    trip.start
                )
            ),
            (
                "To",
                Self.text(
                    booked.destination,
                    places.end(of: booked),
                    booked.destinationAddress,
                    trip.end
                )
            ),
            ("Distance", "\(distance) (\(DistanceText.meters(booked.claimedDistance)) m)"),
        ]
        facts += figures + [("Mode", mode)] + details
        if !booked.flagNames.isEmpty {
            facts.append(("Flags", booked.flagNames.joined(separator: ", ")))
        }
        if trip.startedBy != .report { facts.append(("Rules", trip.rules.rawValue)) }
        let firstAt = text(EventTime(trip.recorded.firstAt))
        let lastAt = text(EventTime(trip.recorded.lastAt))
        facts.append(("Recorded", "\(firstAt) to \(lastAt)"))
        return facts
    }

    /// The figures that make up the distance.
    private var figures: [(label: String, fact: String)] {
        var facts: [(label: String, fact: String)] = []
        if booked.adjusted != nil {
            facts.append((originOfDistance, "\(DistanceText.meters(trip.distance)) m"))
        }
        if booked.flags.contains(.odometer) {
            facts.append(("Measured", "no: by the odometer at GO and at STOP"))
        }
        guard trip.startedBy == .report else { return facts + [("Gaps", gaps), ("Fixes", fixes)] }
        facts.append(("Measured", "no: a person reported the trip"))
        if let importedFrom = booked.importedFrom {
            facts.append(("Imported", "from \(Excerpt.escaped(importedFrom))"))
        }
        return facts
    }

    /// The means of transport, and the evidence for it.
    var mode: String {
        let byRules = trip.mode.rawValue
        if let said = booked.details.mode?.rawValue {
            return said == byRules
                ? "\(said), as a person said" : "\(said), as a person said; by the rules \(byRules)"
        }
        if trip.startedBy == .report { return "\(byRules), because a person reported it" }
        return trip.isPersonal
            ? "\(byRules), because the driver pressed GO" : "\(byRules): \(evidence)"
    }

    /// The time at each pace, the turns and stops, and the sensor's opinions.
    private var evidence: String {
        let evidence = trip.evidence
        let paces = [
            ("standing", evidence.standingMilliseconds),
            ("at walking pace", evidence.walkingPaceMilliseconds),
            ("at cycling pace", evidence.ridingPaceMilliseconds),
            ("at driving pace", evidence.drivingPaceMilliseconds),
        ]
        let senses = [
            ("driving", evidence.automotiveMilliseconds), ("cycling", evidence.cyclingMilliseconds),
            ("walking", evidence.onFootMilliseconds),
        ]
        func spans(_ figures: [(String, Int64)]) -> [String] {
            figures.filter { $0.1 > 0 }
                .map { "\(LocalTime.span(milliseconds: $0.1)) \($0.0)" }
        }
        let turns = Count.text(evidence.turns, "turn", "turns")
        let stops = Count.text(evidence.stops, "stop", "stops")
        let seen = (spans(paces) + [turns, stops]).joined(separator: ", ")
        let sensed = spans(senses).joined(separator: ", ")
        return seen + (sensed.isEmpty ? "" : "; the sensor said \(sensed)")
    }

    /// The details that people gave.
    private var details: [(label: String, fact: String)] {
        guard booked.hasDetails else { return [] }
        let details = booked.details
        let texts = [
            ("Title", details.title), ("Purpose", details.purpose), ("Notes", details.notes),
            ("Category", details.category), ("Client", details.client),
            ("Class", booked.tripClass.rawValue),
            ("Routine", booked.routine.map { $0 + (isByRule ? ", which applies by itself" : "") }),
        ]
        let fields = (details.fields?.all ?? [])
            .map { field in
                (
                    Excerpt.escaped(field.key),
                    Cell.value(field.value).text(in: TextStyle(unit: unit))
                )
            }
        return texts.compactMap { label, text in text.map { (label, Excerpt.escaped($0)) } }
            + fields
    }

    private var isByRule: Bool { booked.flags.contains(.byRule) }

    private var endedAt: String {
        guard let endedAt = trip.endedAt else { return "-" }
        return text(endedAt) + (trip.endedBy.map { " by \($0.rawValue)" } ?? "")
    }

    private func text(_ time: EventTime) -> String { LocalTime.text(time.told(by: clock)) }

    private var gapDuration: String {
        LocalTime.duration(milliseconds: trip.gaps.milliseconds)
    }

    private var gapDistance: String { DistanceText.text(trip.gaps.distance, in: unit) }

    /// Returns a person's words for one end, else the place, with the given address; the position
    /// is shown with a place and an address, or alone.
    private static func text(
        _ words: String?,
        _ place: SavedPlace?,
        _ address: String?,
        _ position: Coordinate?
    ) -> String {
        let names = [words ?? (position == nil ? nil : place?.title), address].compactMap { $0 }
        let name = names.map { Excerpt.escaped($0) }.joined(separator: ", ")
        guard words == nil, let position else { return name.isEmpty ? "-" : name }
        let numbers = "\(position.latitude), \(position.longitude)"
        return name.isEmpty ? numbers : "\(name) (\(numbers))"
    }
}

/// Inferences of other programs about the time of a trip, in words for people.
struct InferenceText {
    /// The most that are shown beside a trip.
    private static let mostShown = 5

    private let inferences: [ReportedInference]
    private let trip: Trip
    private let unit: DistanceUnit
    private let clock: LocalDay?

    init(
        _ inferences: [ReportedInference],
        beside trip: Trip,
        in unit: DistanceUnit,
        by clock: LocalDay?
    ) {
        self.inferences = inferences
        self.trip = trip
        self.unit = unit
        self.clock = clock
    }

    /// The facts, each with its label; how many more there are, and the command that lists them.
    var labelled: [(label: String, fact: String)] {
        var facts = inferences.prefix(Self.mostShown).map { ("Inferred", text($0)) }
        let rest = inferences.count - facts.count
        if rest > 0 {
            let command = ProgramName.shown("`ledger inferences \(trip.id.short)`")
            facts.append(("Inferred", "\(rest) more: see \(command)"))
        }
        return facts
    }

    private func text(_ inferred: ReportedInference) -> String {
        let inference = inferred.inference
        let times = "\(text(inference.startedAt))–\(text(inference.endedAt))"
        let who = Excerpt.escaped(inference.inferredBy)
        var text = "\(who): \(Excerpt.escaped(inferred.words)) \(times)"
        if let distance = inferred.claimedDistance {
            text += ", claims \(DistanceText.text(distance, in: unit))"
        }
        if !inferred.source.hasSameBytes(as: trip.source) {
            text += " (source \(Excerpt.escaped(inferred.source)))"
        }
        return text
    }

    /// Returns the time of day by the clock of the trip's start, with its date if that is another.
    private func text(_ time: EventTime) -> String {
        let local = EventTime(time.timestamp, utcOffset: trip.startedAt.utcOffset)
        return LocalTime.clock(local, seenAt: trip.startedAt.timestamp, by: clock)
    }
}
