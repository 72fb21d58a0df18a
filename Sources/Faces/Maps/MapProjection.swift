package import Geodesy
import Glibc
import Papers

/// The projection of a part of the earth onto a plane.
///
/// Angles are preserved, and so are the shapes of towns.
///
/// The unit of the plane is the radius of the earth at the equator, or at the pole; x grows to the
/// right and y downwards.
package enum MapProjection: Hashable, Sendable {
    /// Web Mercator, as map tiles use it, around a meridian.
    ///
    /// Source: EPSG 3857 (epsg.org).
    case mercator(middle: Double)

    /// The stereographic projection from the other pole, with a meridian upright.
    ///
    /// Source: Snyder, Map Projections, a Working Manual (1987), 21-5 to 21-15, on the sphere.
    case polar(isNorth: Bool, middle: Double)

    /// The latitude at which tiles and Web Mercator end.
    private static let highestMercatorLatitude = 85.051_128

    /// From this latitude on, the pole is the better middle: Mercator stretches sixfold there.
    private static let polarLatitude = 80.0

    /// Chooses the projection that fits positions best.
    package init(fitting positions: some Sequence<Coordinate>) {
        var isUsed = [Bool](repeating: false, count: 360)
        var (lowest, highest) = (90.0, -90.0)
        for position in positions {
            isUsed[min(359, Int(position.longitude + 180))] = true
            lowest = min(lowest, position.latitude)
            highest = max(highest, position.latitude)
        }
        let middle = Self.middle(of: isUsed)
        if lowest > 0, highest > Self.polarLatitude {
            self = .polar(isNorth: true, middle: middle)
        } else if highest < 0, lowest < -Self.polarLatitude {
            self = .polar(isNorth: false, middle: middle)
        } else {
            self = .mercator(middle: middle)
        }
    }

    /// Returns the meridian opposite to the middle of the longest stretch without a position.
    private static func middle(of isUsed: [Bool]) -> Double {
        var (longest, end, run) = (0, 0, 0)
        // Twice around, for the stretch may lie across 180°.
        for index in 0..<720 {
            run = isUsed[index % 360] ? 0 : run + 1
            if run > longest, run <= 360 { (longest, end) = (run, index) }
        }
        let emptyMiddle = Double(end) + 1 - Double(longest) / 2 - 180
        return wrapped(emptyMiddle + 180)
    }

    /// Returns a longitude as −180 … 180.
    static func wrapped(_ longitude: Double) -> Double {
        longitude - 360 * (longitude / 360).rounded()
    }

    /// The meridian in the middle.
    var middle: Double {
        switch self {
        case .mercator(let middle), .polar(_, let middle): middle
        }
    }

    /// Returns the point of a position.
    func point(_ position: Coordinate) -> Point {
        let east = Self.wrapped(position.longitude - middle)
        return point(latitude: position.latitude, east: east)
    }

    /// Returns the point of a latitude, so many degrees east of the middle, which may be more than
    /// half way round the earth.
    func point(latitude: Double, east: Double) -> Point {
        switch self {
        case .mercator:
            let highest = Self.highestMercatorLatitude
            let radians = min(max(latitude, -highest), highest) * .pi / 180
            return Point(east * .pi / 180, -asinh(tan(radians)))
        case .polar(let isNorth, _):
            // No map shows more of the other half of the earth than this.
            let northward = max(isNorth ? latitude : -latitude, -60)
            let radius = 2 * tan((90 - northward) * .pi / 360)
            let angle = east * .pi / 180
            return Point(radius * sin(angle), (isNorth ? 1 : -1) * radius * cos(angle))
        }
    }

    /// Returns the position of a point.
    func coordinate(at point: Point) -> Coordinate? {
        switch self {
        case .mercator(let middle):
            let east = point.x * 180 / .pi
            return Coordinate(
                latitude: atan(sinh(-point.y)) * 180 / .pi,
                longitude: Self.wrapped(middle + east)
            )
        case .polar(let isNorth, let middle):
            let radius = (point.x * point.x + point.y * point.y).squareRoot()
            let northward = 90 - 2 * atan(radius / 2) * 180 / .pi
            let east = atan2(point.x, isNorth ? point.y : -point.y) * 180 / .pi
            return Coordinate(
                latitude: isNorth ? northward : -northward,
                longitude: Self.wrapped(middle + east)
            )
        }
    }
}
