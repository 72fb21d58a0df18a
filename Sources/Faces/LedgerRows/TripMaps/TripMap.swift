import Geodesy
package import Maps
import Papers
package import Projections
package import Tables
package import TripEvents
package import TripLedger
import TripTracking

/// Trips as the content of a map: their ways, the places and what was not counted.
///
/// Up to ``mostColours`` trips have a colour each; more of them have that of their class; where
/// even more are drawn, or a year, the map shows how often each road was driven.
package struct TripMap {
    /// More trips than colours that can be told apart have the colour of their class.
    package static let mostColours = 8

    /// More trips than these show how often roads were driven.
    package static let mostRoutes = 150

    private let trips: [NamedTrip]
    private let style: TextStyle
    private let isHeat: Bool
    private let showsRejected: Bool
    private var routes: [MapRoute]
    private var rejected: [RejectedFix] = []
    private let indexes: [TripID: Int]
    private var profile: SpeedProfile?
    private var stays: [NameKey: Int64] = [:]

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
        let distance = DistanceText.text(booked.claimedDistance, in: style.unit)
        let (start, end) = (
            minute(booked.trip.startedAt, style), booked.trip.endedAt.map { minute($0, style) }
        )
        let when = "\(day(booked.trip.startedAt, style)) \(start)"
        let full = "\(when), \(title.way), \(title.facts)"
        guard count <= mostColours else {
            let name = booked.tripClass.rawValue
            return MapRoute(name: name, title: full, ink(of: booked.tripClass))
        }
        var route = MapRoute(
            name: count == 1 ? "counted way" : "\(when), \(title.way), \(distance)",
            title: full,
            Ink.lines[index % Ink.lines.count]
        )
        route.ends =
            count == 1
            ? ("Start \(start)", end.map { "End \($0)" } ?? "not ended") : (start, end ?? "…")
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
        CivilDate(of: time.told(by: style.clock)).description
    }

    private static func minute(_ time: EventTime, _ style: TextStyle) -> String {
        let local = time.told(by: style.clock)
        return Cell.minute(time, on: CivilDate(of: local)).text(in: style)
    }
}

// MARK: - What is added to it

extension TripMap {
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
        } else if showsRejected, !isHeat, let words = Self.words(for: verdict) {
            let time = LocalTime.text(fix.time, by: style.clock)
            rejected.append(RejectedFix(position, verdict: words, title: "\(time): \(words)"))
        }
    }

    /// Why a fix was not counted; `nil` for one that was, or that only stood still.
    private static func words(for verdict: Verdict) -> String? {
        switch verdict {
        case .accepted, .afterGap, .jitter: nil
        case .poorAccuracy: "poor accuracy"
        case .stale: "stale"
        case .impossibleSpeed: "impossible speed"
        case .spike: "spike"
        case .nullCoordinate: "null coordinate"
        case .mock: "mock"
        }
    }

    /// Adds how fast the only trip was.
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

    /// Adds how long a source was at a place within a span of time.
    package mutating func add(_ visit: Visit, within span: ClosedRange<Timestamp>) {
        let start = max(span.lowerBound, visit.enteredAt.timestamp)
        let end = min(span.upperBound, visit.leftAt?.timestamp ?? visit.lastInsideAt.timestamp)
        guard start < end else { return }
        stays[NameKey(visit.place.name), default: 0] += end.milliseconds(since: start)
    }
}

// MARK: - Result

extension TripMap {
    /// Returns the map's content.
    ///
    /// - Parameters:
    ///   - places: The places that people saved.
    ///   - period: The days that were asked for, in words; `nil` if trips were named.
    ///   - evidence: The ledger from which it was made, in a line.
    /// - Returns: The content of the map.
    package func content(
        _ places: PlaceBook,
        period: String?,
        evidence: String
    ) -> MapContent {
        var content = MapContent(title: title(period), facts: facts, unit: Self.unit(style.unit))
        content.isHeat = isHeat
        content.profile = profile
        content.routes = routes.filter { !$0.pieces.isEmpty }
        content.rejected = rejected
        content.places = mapPlaces(places)
        content.remarks = [
            "Lines are straight from one counted fix to the next. "
                + (style.clock.map { "Times in \($0.zone.words). " } ?? "")
                + "Land and borders on small scales: Natural Earth 1:50m, public domain.",
            evidence,
        ]
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
        return DistanceText.text(sum, in: style.unit)
    }

    private func title(_ period: String?) -> String {
        if trips.count == 1, let trip = trips.first {
            let start = trip.booked.trip.startedAt
            let when = "\(Self.day(start, style)) \(Self.minute(start, style))"
            return "\(when), \(TrackTitle(trip, style).way), \(distance)"
        }
        let what = isHeat ? "How often each road was driven" : "\(trips.count) trips"
        return [what, period, distance].compactMap(\.self).joined(separator: ", ")
    }

    private var facts: [String] {
        var facts: [String] = []
        if trips.count == 1, let booked = trips.first?.booked {
            let duration = booked.durationMilliseconds.map { LocalTime.duration(milliseconds: $0) }
            facts.append(
                [
                    duration, booked.tripClass.rawValue,
                    booked.details.purpose ?? booked.details.title, booked.details.client,
                    booked.details.vehicle, "source \(booked.trip.source)",
                    "trip \(booked.id.short)",
                ]
                .compactMap(\.self).joined(separator: " · ")
            )
        } else if isHeat {
            facts.append("\(trips.count) trips")
        }
        let gaps = trips.map(\.booked.trip.gaps)
        let count = gaps.reduce(0) { $0 + $1.count }
        let length = gaps.reduce(Distance.zero) { $0 + $1.distance }
        let time = gaps.reduce(0) { $0 + $1.milliseconds }
        facts.append(
            count == 0
                ? "No gaps"
                : "\(count) gap\(count == 1 ? "" : "s") of "
                    + "\(DistanceText.text(length, in: style.unit)) and "
                    + "\(LocalTime.duration(milliseconds: time)), which are not in the distance"
        )
        let unseen = routes.count { $0.pieces.isEmpty }
        if unseen > 0 {
            facts.append(
                "\(unseen) trip\(unseen == 1 ? " has" : "s have") no recorded way, and no line"
            )
        }
        return facts
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
            let stay = isHeat ? nil : stays[NameKey(place.name)]
            let words = stay.map { ", stayed \(LocalTime.span(milliseconds: $0))" } ?? ""
            return MapPlace(
                place.center,
                radiusMeters: place.radius.meters,
                name: place.title + words,
                weight: 2 * (uses[NameKey(place.name)] ?? 0) + (stay == nil ? 0 : 1)
            )
        }
    }
}
