package import Geodesy
package import Papers

/// The part of the earth that a map shows, and the place of each position on the page.
package struct MapFrame: Hashable, Sendable {
    /// How the earth is laid flat.
    package let projection: MapProjection

    /// The rectangle of the map on the page.
    package let box: Box

    /// The point in the middle of the map, in the plane.
    let center: Point

    /// How many pixels the unit of the plane is long.
    let scale: Double

    /// The closest view of a map: 0.35 m to a pixel.
    private static let leastMetersPerPixel = 0.35

    /// Creates a frame.
    init(_ projection: MapProjection, in box: Box, center: Point, scale: Double) {
        self.projection = projection
        self.box = box
        self.center = center
        self.scale = scale
    }

    /// Shows positions at the largest scale at which they fit.
    ///
    /// - Parameters:
    ///   - positions: The positions, at least one.
    ///   - box: The rectangle of the map.
    ///   - margin: The space that stays free on each side of it.
    package init(
        fitting positions: some Sequence<Coordinate>,
        in box: Box,
        margin: (x: Double, y: Double)
    ) {
        let projection = MapProjection(fitting: positions)
        var (left, right) = (Double.infinity, -Double.infinity)
        var (top, bottom) = (Double.infinity, -Double.infinity)
        for position in positions {
            let point = projection.point(position)
            left = min(left, point.x)
            right = max(right, point.x)
            top = min(top, point.y)
            bottom = max(bottom, point.y)
        }
        let center = Point((left + right) / 2, (top + bottom) / 2)
        let finest = Self.metersPerUnit(projection, at: center) / Self.leastMetersPerPixel
        let across = (box.width - 2 * margin.x) / max(right - left, 1e-12)
        let down = (box.height - 2 * margin.y) / max(bottom - top, 1e-12)
        self.init(projection, in: box, center: center, scale: min(finest, across, down))
    }

    /// Returns where a position stands on the page.
    package func point(_ position: Coordinate) -> Point { onPage(projection.point(position)) }

    /// Returns where a point of the plane stands on the page.
    func onPage(_ point: Point) -> Point {
        Point(
            box.center.x + (point.x - center.x) * scale,
            box.center.y + (point.y - center.y) * scale
        )
    }

    /// Returns which point of the plane stands at one of the page.
    func inPlane(_ point: Point) -> Point {
        Point(
            center.x + (point.x - box.center.x) / scale,
            center.y + (point.y - box.center.y) / scale
        )
    }

    /// Returns which position stands at a point of the page.
    func coordinate(at point: Point) -> Coordinate? { projection.coordinate(at: inPlane(point)) }

    /// Returns how many metres a pixel is long, from left to right, at a point of the page.
    func metersPerPixel(at point: Point) -> Double {
        Self.metersPerUnit(projection, at: inPlane(point)) / scale
    }

    /// How many metres the map shows from left to right, in its middle.
    package var widthMeters: Double { metersPerPixel(at: box.center) * box.width }

    /// Returns how many metres the unit of the plane is long at a point of it.
    private static func metersPerUnit(_ projection: MapProjection, at point: Point) -> Double {
        // Short enough to be straight, and long enough for the digits of a `Double`.
        let half = 1e-5
        guard let west = projection.coordinate(at: Point(point.x - half, point.y)),
            let east = projection.coordinate(at: Point(point.x + half, point.y))
        else { return 6_378_137 }
        return max(west.geodesicMeters(to: east), 1e-3) / (2 * half)
    }
}
