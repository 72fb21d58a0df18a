public import Geodesy
public import TripEvents

/// Finds when one source entered and left places, fix by fix.
///
/// It is given the source's usable fixes (`TrackingRules.canUse`) in event order; what it finds
/// depends on nothing else, and not on where the fixes are divided. Each place is visited by
/// itself: a source can be at a site and in an office on it.
///
/// A visit begins with the first fix within the radius. It ends with the first fix beyond the
/// radius and the ``hysteresis``, so that drift at the edge does not begin and end visits. If a
/// place is saved again meanwhile, its new circle counts; if it is removed, its visits end.
public struct VisitFinder: Sendable {
    /// How far beyond the radius a source has left a place: 50 m, because a usable fix may be that
    /// wrong.
    public static let hysteresis = Distance(millimeters: 50_000)

    /// A box and a time within which no fix can begin or end a visit, so fixes in it are not
    /// compared with the places.
    private struct QuietZone: Hashable, Sendable {
        let box: CoordinateBox
        let until: Timestamp
    }

    /// A visit that goes on.
    private struct Stay: Hashable, Sendable {
        let name: Int
        var visit: Visit

        /// Whether the last fix was within the radius and not in the hysteresis around it.
        var isWithinRadius = true

        /// Goes on with a visit that another finder has found.
        init(_ open: OpenVisit, name: Int) {
            self.name = name
            visit = open.visit
            isWithinRadius = open.isWithinRadius
        }

        /// Begins or goes on with a visit at a fix within the radius.
        init(at outline: PlaceOutline, of places: PlaceBook, _ visit: Visit?, at time: EventTime) {
            name = outline.name
            let place = places.versions[outline.index]
            self.visit = visit ?? Visit(place: place, enteredAt: time, lastInsideAt: time)
            self.visit.lastInsideAt = time
        }
    }

    /// Farther than two positions can be apart: half way round the earth.
    private static let everywhere = Distance(millimeters: 20_100_000_000)

    private let places: PlaceBook
    private var stays: [Stay] = []
    private var quietZone: QuietZone?

    /// The last fix.
    private var latest: EventTime?

    /// Creates a finder that has seen no fix.
    public init(_ places: PlaceBook) {
        self.places = places
    }

    /// Creates a finder that goes on where another one stopped.
    ///
    /// - Parameters:
    ///   - places: The places.
    ///   - open: The ``openStays`` of the other one. Their places MUST be places of the book.
    package init(_ places: PlaceBook, goingOnWith open: [OpenVisit]) {
        self.places = places
        stays = open.compactMap { open in
            places.outlines
                .first { places.versions[$0.index].name.hasSameBytes(as: open.visit.place.name) }
                .map { Stay(open, name: $0.name) }
        }
    }

    /// The visits that go on, in order of the places' names.
    public var openVisits: [Visit] { settledStays.map(\.visit) }

    /// The visits that go on, with all that a finder needs to go on with them.
    package var openStays: [OpenVisit] {
        settledStays.map { OpenVisit(visit: $0.visit, isWithinRadius: $0.isWithinRadius) }
    }

    /// Takes the next usable fix and returns what it means: what was left, then what was entered,
    /// each in order of the places' names.
    @inline(__always)
    public mutating func take(_ fix: Fix, utcOffset: UTCOffset? = nil) -> [VisitChange] {
        let time = EventTime(fix.occurredAt, utcOffset: utcOffset)
        if let quietZone, fix.occurredAt < quietZone.until,
            quietZone.box.contains(fix.coordinate)
        {
            latest = time
            return []
        }
        return compare(fix.coordinate, at: time)
    }

    /// The stays with the fixes in the quiet zone counted.
    private var settledStays: [Stay] {
        stays.map { stay in
            var stay = stay
            if stay.isWithinRadius, let latest { stay.visit.lastInsideAt = latest }
            return stay
        }
    }

    /// Compares a position with every place, and computes the quiet zone around it.
    private mutating func compare(_ position: Coordinate, at time: EventTime) -> [VisitChange] {
        let before = settledStays
        latest = time
        stays = []
        var margin = Self.everywhere
        var until = PlaceOutline.never
        var held: Set<Int> = []
        var left: [VisitChange] = []
        var entered: [VisitChange] = []
        for outline in places.outlines {
            guard outline.holds(at: time.timestamp) else {
                if outline.holdsFrom > time.timestamp { until = min(until, outline.holdsFrom) }
                continue
            }
            held.insert(outline.name)
            until = min(until, outline.holdsUntil)
            let distance = outline.center.distance(to: position)
            let exitRadius = outline.radius + Self.hysteresis
            margin = min(margin, Self.difference(distance, outline.radius))
            margin = min(margin, Self.difference(distance, exitRadius))
            let stay = before.first { $0.name == outline.name }
            if distance <= outline.radius {
                stays.append(Stay(at: outline, of: places, stay?.visit, at: time))
                if stay == nil, let visit = stays.last?.visit { entered.append(.entered(visit)) }
            } else if var stay {
                stay.isWithinRadius = false
                if distance <= exitRadius {
                    stays.append(stay)
                } else {
                    left.append(.left(stay.visit.ended(at: time)))
                }
            }
        }
        quietZone = QuietZone(
            box: CoordinateBox(around: position, within: margin),
            until: until
        )
        let removed = before.filter { !held.contains($0.name) }
            .map { VisitChange.left($0.visit.ended(at: removal(of: $0, before: time))) }
        return removed + left + entered
    }

    /// Returns when the place of a visit was removed.
    private func removal(of stay: Stay, before time: EventTime) -> EventTime {
        let ends = places.outlines.filter { $0.name == stay.name }.map(\.holdsUntil)
        let end = ends.last { $0 <= time.timestamp } ?? time.timestamp
        return EventTime(end, utcOffset: time.utcOffset)
    }

    private static func difference(_ left: Distance, _ right: Distance) -> Distance {
        left < right ? right - left : left - right
    }
}

/// A visit that goes on, as a finder stores it.
package struct OpenVisit: Hashable, Sendable {
    /// The visit.
    package var visit: Visit

    /// Whether the last fix was within the radius and not in the hysteresis around it.
    package var isWithinRadius: Bool

    /// Creates a visit that goes on.
    package init(visit: Visit, isWithinRadius: Bool) {
        self.visit = visit
        self.isWithinRadius = isWithinRadius
    }
}

/// A stay of one source at a place.
public struct Visit: Hashable, Sendable {
    /// The place, as it was saved when the visit began.
    public let place: SavedPlace

    /// When the first usable fix was taken within the place's radius.
    public let enteredAt: EventTime

    /// When the last usable fix was taken within the radius.
    public internal(set) var lastInsideAt: EventTime

    /// When the first usable fix was taken beyond the radius and the hysteresis, or when the place
    /// was removed; `nil` while the source is there.
    public internal(set) var leftAt: EventTime?

    /// Creates a visit.
    package init(
        place: SavedPlace,
        enteredAt: EventTime,
        lastInsideAt: EventTime,
        leftAt: EventTime? = nil
    ) {
        self.place = place
        self.enteredAt = enteredAt
        self.lastInsideAt = lastInsideAt
        self.leftAt = leftAt
    }

    /// Returns the visit, ended at a time.
    func ended(at time: EventTime) -> Visit {
        var visit = self
        visit.leftAt = time
        return visit
    }
}

/// The effect of a fix on visits.
public enum VisitChange: Hashable, Sendable {
    /// A visit began.
    case entered(Visit)

    /// A visit is over.
    case left(Visit)
}
