package import Geodesy
import Glibc
import Papers

/// How often each road was driven, as lines between positions: the data of a map of a year, for
/// maps that other programs draw.
package struct RoadLines: Sendable {
    /// Roads that were driven about as often.
    package struct Class: Sendable {
        /// The number of trips on each of the roads.
        package let trips: ClosedRange<Int>

        /// The lines.
        package let lines: [[Coordinate]]
    }

    /// The classes from seldom to often, without those that no road has.
    package let classes: [Class]

    /// How many metres a pixel of the plane is long on which roads are counted.
    private static let metersPerPixel = 25.0

    /// The number of points that is enough for every road of a driver's year.
    private static let mostPoints = 30_000

    /// Counts the trips on each road.
    ///
    /// - Parameter trips: The lines of each trip; between two of them nothing was measured.
    package init(_ trips: [[[Coordinate]]]) {
        guard let plane = RoadPlane(around: trips, metersPerPixel: Self.metersPerPixel) else {
            classes = []
            return
        }
        let heat = RouteHeat(
            trips.map { lines in lines.map { line in line.map(plane.point) } },
            metersPerPixel: Self.metersPerPixel,
            mostPoints: Self.mostPoints
        )
        classes = heat.classes.map { found in
            Class(
                trips: found.counts,
                lines: found.lines.map { line in line.compactMap(plane.position) }
            )
        }
    }
}

/// A plane on which degrees are equally long in both directions at one latitude: fields that are
/// counted on it are a little wider or narrower at others.
private struct RoadPlane {
    private static let metersPerDegree = 111_195.0

    /// Nearer to a pole, a degree of longitude counts as long as at this latitude.
    private static let highestLatitude = 85.0

    /// The longitude in the middle: no line jumps where longitudes begin anew.
    private let middle: Double

    private let pixelsPerDegree: (east: Double, north: Double)

    /// Makes a plane; `nil` if there is no position.
    init?(around trips: [[[Coordinate]]], metersPerPixel: Double) {
        guard let first = trips.lazy.joined().joined().first else { return nil }
        middle = first.longitude
        let north = Self.metersPerDegree / metersPerPixel
        let latitude = min(Self.highestLatitude, abs(first.latitude))
        pixelsPerDegree = (north * cos(latitude * .pi / 180), north)
    }

    /// Returns the place of a position.
    func point(_ position: Coordinate) -> Point {
        let east = (position.longitude - middle).remainder(dividingBy: 360)
        return Point(east * pixelsPerDegree.east, -position.latitude * pixelsPerDegree.north)
    }

    /// Returns the position at a place; `nil` outside the earth.
    func position(_ point: Point) -> Coordinate? {
        let longitude = (middle + point.x / pixelsPerDegree.east).remainder(dividingBy: 360)
        return Coordinate(latitude: -point.y / pixelsPerDegree.north, longitude: longitude)
    }
}
