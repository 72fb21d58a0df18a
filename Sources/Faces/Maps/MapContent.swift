package import Geodesy
package import Papers

/// The content of a map, with all its text.
package struct MapContent: Sendable {
    /// The title.
    package var title: String

    /// Further facts, a line each.
    package var facts: [String]

    /// The unit of its scale.
    package var unit: MapUnit

    /// The routes, the first one lowest.
    package var routes: [MapRoute]

    /// The fixes that were recorded and not counted.
    package var rejected: [RejectedFix]

    /// Places that have names.
    package var places: [MapPlace]

    /// Whether it shows how often each road was driven, and not one route beside the other.
    package var isHeat: Bool

    /// How fast the only trip was; `nil` without one.
    package var profile: SpeedProfile?

    /// The remarks at the foot, a line each.
    package var remarks: [String]

    /// The words that are not about these trips.
    package var words = MapWords()

    /// Creates a map's content.
    package init(title: String, facts: [String], unit: MapUnit) {
        self.title = title
        self.facts = facts
        self.unit = unit
        routes = []
        rejected = []
        places = []
        isHeat = false
        remarks = []
    }
}

/// A unit of distances.
package struct MapUnit: Hashable, Sendable {
    /// Its sign.
    package let name: String

    /// How many metres it has.
    package let meters: Double

    /// Creates a unit.
    package init(name: String, meters: Double) {
        self.name = name
        self.meters = meters
    }
}

/// The way of a trip.
package struct MapRoute: Sendable {
    /// Its name in the legend; routes of one name share a line there.
    package var name: String

    /// A short description, for a reader who points at it.
    package var title: String

    /// Its colour.
    package var ink: Ink

    /// The measured pieces; between them lie gaps.
    package var pieces: [[Coordinate]]

    /// The labels of its first and its last position; `nil` for none.
    package var ends: (start: String, end: String)?

    /// Creates a route without a position.
    package init(name: String, title: String, _ ink: Ink) {
        self.name = name
        self.title = title
        self.ink = ink
        pieces = []
    }

    /// Adds a position that was measured to, or that ends a gap.
    package mutating func add(_ position: Coordinate, isAfterGap: Bool) {
        if isAfterGap || pieces.isEmpty { pieces.append([]) }
        pieces[pieces.count - 1].append(position)
    }
}

/// A fix that was not counted.
package struct RejectedFix: Sendable {
    /// Where it was.
    package let position: Coordinate

    /// Why it was not counted.
    package let verdict: String

    /// A short description, for a reader who points at it.
    package let title: String

    /// Creates one.
    package init(_ position: Coordinate, verdict: String, title: String) {
        self.position = position
        self.verdict = verdict
        self.title = title
    }
}

/// A place that has a name.
package struct MapPlace: Sendable {
    /// How large the letters of its name are.
    package static let letterSize = 12.0

    /// How wide its name is at most, in pixels, before it is shortened in the middle.
    package static let widestName = 300.0

    /// Its middle.
    package let position: Coordinate

    /// How far it reaches, in metres.
    package let radiusMeters: Double

    /// Its name.
    package let name: String

    /// Its importance: a place with a higher weight comes first if there is no room for all names.
    package let weight: Int

    /// Creates a place.
    package init(_ position: Coordinate, radiusMeters: Double, name: String, weight: Int) {
        self.position = position
        self.radiusMeters = radiusMeters
        self.name = name
        self.weight = weight
    }
}
