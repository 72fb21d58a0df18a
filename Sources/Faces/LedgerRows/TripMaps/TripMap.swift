import Geodesy
package import Maps
import Papers
package import Projections
package import Tables
import TripEvents
package import TripLedger
import TripTracking

/// Trips as the content of a map: their ways, the places and what was not counted.
///
/// Up to ``mostColours`` trips have a colour each; more trips have the colour of their class; for
/// even more trips, or a year, the map shows how often each road was driven.
package struct TripMap {
    /// If there are more trips than distinguishable colours, they have the colour of their class.
    package static let mostColours = 8

    /// More trips than these show how often roads were driven.
    private static let mostRoutes = 150

    private let trips: [NamedTrip]
    private let style: TextStyle
    private let isHeat: Bool
    private let showsRejected: Bool
    private var routes: [MapRoute]
    private var rejected: [RejectedFix] = []
    private let indexes: [TripID: Int]
    private var profile: SpeedProfile?

    /// The sources of the trips: nothing is told about others.
    private let sources: Set<NameKey>

    /// How long each source stayed, by place; times of different sources are never added up.
    private var stays: [NameKey: [NameKey: Stay]] = [:]

    /// How often a source was at a place, and for how long together.
    private struct Stay {
        var count = 0
        var milliseconds: Int64 = 0

        var phrase: Phrase { MapPhrases.stay(count, LocalTime.span(milliseconds: milliseconds)) }
    }

    /// How wide the name of a place is at most, in pixels, before it is shortened in the middle.
    private static let nameWidth = 150.0

    /// Begins a map.
    ///
    /// - Parameters:
    ///   - trips: The trips, the oldest first.
    ///   - style: How people see times and distances.
    ///   - isYear: Whether a year was asked for.
    ///   - showsRejected: Whether fixes that were not counted are marked, however many the trips.
    package init(
        _ trips: [NamedTrip],
        _ style: TextStyle,
        isYear: Bool,
        showsRejected: Bool
    ) {
        self.trips = trips
        self.style = style
        isHeat = trips.count > 1 && (isYear || trips.count > Self.mostRoutes)
        self.showsRejected = showsRejected || trips.count <= Self.mostColours
        indexes = Dictionary(
            trips.enumerated().map { ($1.booked.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        sources = Set(trips.map { NameKey($0.booked.trip.source) })
        routes = trips.enumerated().map { Self.route(of: $1, index: $0, of: trips.count, style) }
    }

    private static func route(
        of named: NamedTrip,
        index: Int,
        of count: Int,
        _ style: TextStyle
    ) -> MapRoute {
        let title = TrackTitle(named, style)
        let booked = named.booked
        let distance = text(booked.claimedDistance, style)
        let (start, end) = (
            minute(booked.trip.startedAt, style), booked.trip.endedAt.map { minute($0, style) }
        )
        let when = "\(day(booked.trip.startedAt, style)) \(start)"
        let full = "\(when), \(title.way), \(title.facts)"
        guard count <= mostColours else {
            let name = style.words.text(booked.tripClass.phrase)
            return MapRoute(name: name, title: full, ink(of: booked.tripClass))
        }
        var route = MapRoute(
            name: count == 1
                ? style.words.text(MapPhrases.countedWay) : "\(when), \(title.way), \(distance)",
            title: full,
            Ink.lines[index % Ink.lines.count]
        )
        route.ends =
            count == 1
            ? (
                style.words.text(MapPhrases.start(start)),
                style.words.text(end.map { MapPhrases.end($0) } ?? MapPhrases.notEnded)
            ) : (start, end ?? "…")
        return route
    }

    private static func ink(of tripClass: TripClass) -> Ink {
        switch tripClass {
        case .business: .line1
        case .commute: .line2
        case .personal: .line3
        case .medical: .line4
        case .charity: .line5
        case .moving: .line6
        case .mixed: .line8
        case .unclassified: .line7
        }
    }

    private static func day(_ time: EventTime, _ style: TextStyle) -> String {
        style.words.day(CivilDate(of: time.told(by: style.clock)))
    }

    private static func text(_ distance: Distance, _ style: TextStyle) -> String {
        style.words.text(Phrase("\(distance, in: style.unit)"))
    }

    private static func minute(_ time: EventTime, _ style: TextStyle) -> String {
        let local = time.told(by: style.clock)
        return Cell.minute(time, on: CivilDate(of: local)).text(in: style)
    }
}

// MARK: - What is added to it

extension TripMap {
    /// The visits that are to be added; `nil` if the map shows none.
    package var visits: VisitFilter? {
        guard !isHeat else { return nil }
        return VisitFilter(from: span.lowerBound, to: span.upperBound)
    }

    /// The time from the first start to the last end of the trips; a trip in progress has no end.
    private var span: ClosedRange<Timestamp> {
        let trips = trips.map(\.booked.trip)
        let never = Timestamp(milliseconds: .max)
        let start = trips.map(\.startedAt.timestamp).min() ?? never
        return start...max(start, trips.map { $0.endedAt?.timestamp ?? never }.max() ?? never)
    }

    /// Adds a fix of one of the trips; those of a trip come in event order.
    package mutating func add(_ fix: TrackedFix) {
        guard let trip = fix.trip, let index = indexes[trip], let verdict = fix.verdict,
            let position = Coordinate(
                latitude: fix.fix.latitude.doubleValue,
                longitude: fix.fix.longitude.doubleValue
            )
        else { return }
        if fix.counts {
            routes[index].add(position, isAfterGap: fix.isAfterBreak)
        } else if showsRejected, !isHeat, let phrase = MapPhrases.verdict(verdict) {
            let words = style.words.text(phrase)
            let time = LocalTime.text(fix.time, by: style.clock)
            rejected.append(RejectedFix(position, verdict: words, title: "\(time): \(words)"))
        }
    }

    /// Adds the speed profile of the only trip.
    package mutating func add(_ explanation: TripExplanation) {
        guard trips.count == 1, let trip = trips.first?.booked.trip else { return }
        let start = trip.startedAt.timestamp
        let moments = explanation.events.compactMap { event -> SpeedProfile.Moment? in
            guard case .fixRecorded(let fix) = event.stored.event.body,
                event.verdict.map({ $0.movesAnchor || $0 == .jitter }) ?? false,
                let position = Coordinate(
                    latitude: fix.latitude.doubleValue,
                    longitude: fix.longitude.doubleValue
                )
            else { return nil }
            return SpeedProfile.Moment(
                time: event.stored.happenedAt.milliseconds(since: start),
                sum: event.sum,
                position: position,
                isAfterGap: event.verdict == .afterGap
            )
        }
        let local = trip.startedAt.told(by: style.clock)
        let seconds =
            local.timestamp.milliseconds / 1_000 + 60 * Int64(local.utcOffset?.minutes ?? 0)
        profile = SpeedProfile(
            moments,
            startSeconds: (seconds % 86_400 + 86_400) % 86_400,
            duration: trip.endedAt?.timestamp.milliseconds(since: start) ?? 0
        )
    }

    /// Adds how long a source was at a place, if it is one of the trips' sources and its whole
    /// visit lies between the first start and the last end of the trips: of other visits the map
    /// would show a part only.
    package mutating func add(_ found: SourceVisit) {
        let (visit, source) = (found.visit, NameKey(found.source))
        let entered = visit.enteredAt.timestamp
        guard sources.contains(source), let left = visit.leftAt?.timestamp,
            span.lowerBound < entered, entered < left, left <= span.upperBound
        else { return }
        var stay = stays[NameKey(visit.place.name)]?[source] ?? Stay()
        stay.count += 1
        stay.milliseconds += left.milliseconds(since: entered)
        stays[NameKey(visit.place.name), default: [:]][source] = stay
    }
}

// MARK: - Result

extension TripMap {
    /// Returns the map's content.
    ///
    /// - Parameters:
    ///   - places: The places that people saved.
    ///   - period: The days that were asked for; `nil` if trips were named.
    ///   - evidence: The ledger from which it was made.
    /// - Returns: The content of the map.
    package func content(
        _ places: PlaceBook,
        period: Phrase?,
        evidence: Phrase
    ) -> MapContent {
        var content = MapContent(title: title(period), facts: facts, unit: Self.unit(style.unit))
        content.isHeat = isHeat
        content.profile = profile
        content.routes = routes.filter { !$0.pieces.isEmpty }
        content.rejected = rejected
        content.places = mapPlaces(places)
        let remarks = [
            MapPhrases.straightLines, style.clock.map { MapPhrases.times(in: $0.zone.words) },
            MapPhrases.land,
        ]
        .compactMap(\.self).map { style.words.text($0) }
        content.remarks = [remarks.joined(separator: " "), style.words.text(evidence)]
        content.words = MapWords(style.words)
        return content
    }

    private static func unit(_ unit: DistanceUnit) -> MapUnit {
        switch unit {
        case .kilometers: MapUnit(name: unit.rawValue, meters: 1_000)
        case .miles: MapUnit(name: unit.rawValue, meters: 1_609.344)
        }
    }

    private var distance: String {
        let sum = trips.reduce(Distance.zero) { $0 + $1.booked.claimedDistance }
        return Self.text(sum, style)
    }

    private func title(_ period: Phrase?) -> String {
        if trips.count == 1, let trip = trips.first {
            let start = trip.booked.trip.startedAt
            let when = "\(Self.day(start, style)) \(Self.minute(start, style))"
            return "\(when), \(TrackTitle(trip, style).way), \(distance)"
        }
        let what = isHeat ? MapPhrases.howOften : MapPhrases.count(trips.count)
        let words = [what, period].compactMap(\.self).map { style.words.text($0) }
        return (words + [distance]).joined(separator: ", ")
    }

    private var facts: [String] {
        var facts: [String] = []
        if trips.count == 1, let booked = trips.first?.booked {
            let duration = booked.durationMilliseconds.map { LocalTime.duration(milliseconds: $0) }
            facts.append(
                [
                    duration, style.words.text(booked.tripClass.phrase),
                    booked.details.purpose ?? booked.details.title, booked.details.client,
                    booked.details.vehicle,
                    style.words.text(MapPhrases.source(booked.trip.source)),
                    style.words.text(MapPhrases.trip(booked.id.short)),
                ]
                .compactMap(\.self).joined(separator: " · ")
            )
        } else if isHeat {
            facts.append(style.words.text(MapPhrases.count(trips.count)))
        }
        let gaps = trips.map(\.booked.trip.gaps)
        let count = gaps.reduce(0) { $0 + $1.count }
        let length = gaps.reduce(Distance.zero) { $0 + $1.distance }
        let time = gaps.reduce(0) { $0 + $1.milliseconds }
        let gapText = MapPhrases.gaps(
            count,
            Phrase("\(length, in: style.unit)"),
            LocalTime.duration(milliseconds: time)
        )
        facts.append(style.words.text(count == 0 ? MapPhrases.noGaps : gapText))
        let unseen = routes.count { $0.pieces.isEmpty }
        if unseen > 0 {
            facts.append(style.words.text(MapPhrases.withoutWay(unseen)))
        }
        return facts
    }

    /// Returns the name of a place with how long a source stayed there: if there is no room for
    /// both, only the name is shortened, never a figure.
    package static func name(_ title: String, _ stay: String) -> String {
        let words = ", " + stay
        let room = MapPlace.widestName - MapPlace.letterSize * TextWidth.estimate(words)
        let width = min(nameWidth, room)
        return TextWidth.fittingEnds(title, size: MapPlace.letterSize, into: width) + words
    }

    /// Returns how long the only source stayed at a place; `nil` if none did, or several.
    private func stay(at place: SavedPlace) -> Stay? {
        guard let stays = stays[NameKey(place.name)], stays.count == 1 else { return nil }
        return stays.values.first
    }

    /// Returns all places; those at which trips end or a source stayed come first.
    private func mapPlaces(_ places: PlaceBook) -> [MapPlace] {
        var uses: [NameKey: Int] = [:]
        for named in trips {
            for place in [places.start(of: named.booked), places.end(of: named.booked)] {
                if let place { uses[NameKey(place.name), default: 0] += 1 }
            }
        }
        return places.places.map { place in
            let stay = stay(at: place)
            let name = stay.map { Self.name(place.title, style.words.text($0.phrase)) }
            return MapPlace(
                place.center,
                radiusMeters: place.radius.meters,
                name: name ?? place.title,
                weight: 2 * (uses[NameKey(place.name)] ?? 0)
                    + (stays[NameKey(place.name)] == nil ? 0 : 1)
            )
        }
    }
}
