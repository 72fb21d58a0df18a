import Geodesy
import Papers

/// The background of routes: land, sea, borders and lines of equal latitude and longitude.
struct MapBackground {
    private let frame: MapFrame

    /// The region that is drawn: more than is seen at first, for maps that can be moved.
    private let region: Box

    /// Points that differ by less than this, in pixels, are drawn as one.
    private static let coarseness = 0.6

    /// Narrower maps show no land, because its outlines would be too inaccurate.
    static let leastWidthMeters = 120_000.0

    /// Prepares the background of a map.
    ///
    /// - Parameters:
    ///   - frame: The map.
    ///   - surroundings: How much beyond its edges is drawn, in widths of the map.
    init(_ frame: MapFrame, surroundings: Double) {
        self.frame = frame
        region = frame.box.expanded(
            by: surroundings * frame.box.width,
            surroundings * frame.box.height
        )
    }

    /// The items of land, sea and borders.
    var ground: [Item] {
        guard frame.widthMeters >= Self.leastWidthMeters else {
            return [.path(Path([region.outline], fill: .land))]
        }
        var (areas, shores, borders) = ([[Point]](), [[Point]](), [[Point]]())
        for line in LandOutlines.all.shores where isNear(line) {
            for shift in shifts where isNear(line, shift) {
                let ring = projected(line.corners, shift)
                guard isNear(ring) else { continue }
                let area = PolygonClip.area(ring, in: region)
                if area.count > 2 {
                    areas.append(LineThinning.coarse(area, distance: Self.coarseness))
                }
                for piece in seen(line.corners) {
                    shores += pieces(of: projected(piece, shift))
                }
            }
        }
        for line in LandOutlines.all.borders where isNear(line) {
            for shift in shifts where isNear(line, shift) {
                borders += pieces(of: projected(line.corners, shift))
            }
        }
        return [
            .path(Path([region.outline], fill: .sea)),
            // The stroke covers the seams of areas that meet at 180°.
            .path(Path(areas, fill: .land, stroke: .land, width: 0.5)),
            .path(Path(borders, stroke: .border, width: 0.9, dash: 4)),
            .path(Path(shores, stroke: .shore, width: 0.8)),
        ]
    }

    private func pieces(of line: [Point]) -> [[Point]] {
        guard isNear(line) else { return [] }
        return PolygonClip.pieces(LineThinning.coarse(line, distance: Self.coarseness), in: region)
    }

    /// Returns the real parts of a shore, without the edges where Natural Earth cuts land at 180°
    /// and at the pole.
    private func seen(_ corners: [LandOutlines.Corner]) -> [[LandOutlines.Corner]] {
        var parts: [[LandOutlines.Corner]] = [[]]
        for (first, second) in zip(corners, corners.dropFirst()) {
            let isCut =
                (abs(first.longitude) == 18_000 && abs(second.longitude) == 18_000)
                || (first.latitude <= -8_990 && second.latitude <= -8_990)
            if isCut {
                parts.append([])
            } else {
                if parts[parts.count - 1].isEmpty { parts[parts.count - 1].append(first) }
                parts[parts.count - 1].append(second)
            }
        }
        return parts.filter { $0.count > 1 }
    }

    /// The degrees by which outlines are shifted to appear on both sides of the cut.
    private var shifts: [Double] {
        switch frame.projection {
        case .mercator: [-360, 0, 360]
        case .polar: [0]
        }
    }

    private func isNear(_ line: LandOutlines.Line) -> Bool {
        switch frame.projection {
        case .mercator: true
        case .polar(let isNorth, _):
            isNorth ? line.latitudes.upperBound > 3_000 : line.latitudes.lowerBound < -3_000
        }
    }

    /// Returns whether the box around an outline is near: most outlines are far, and need not be
    /// projected corner by corner.
    private func isNear(_ line: LandOutlines.Line, _ shift: Double) -> Bool {
        guard case .mercator = frame.projection else { return true }
        let (longitudes, latitudes) = (line.longitudes, line.latitudes)
        let box = [
            LandOutlines.Corner(longitude: longitudes.lowerBound, latitude: latitudes.lowerBound),
            LandOutlines.Corner(longitude: longitudes.upperBound, latitude: latitudes.upperBound),
        ]
        return isNear(projected(box, shift))
    }

    private func isNear(_ points: [Point]) -> Bool {
        var (left, right) = (Double.infinity, -Double.infinity)
        var (top, bottom) = (Double.infinity, -Double.infinity)
        for point in points {
            (left, right) = (min(left, point.x), max(right, point.x))
            (top, bottom) = (min(top, point.y), max(bottom, point.y))
        }
        return right >= region.origin.x && left <= region.right && bottom >= region.origin.y
            && top <= region.bottom
    }

    private func projected(_ corners: [LandOutlines.Corner], _ shift: Double) -> [Point] {
        corners.map { corner in
            frame.onPage(
                frame.projection.point(
                    latitude: Double(corner.latitude) / 100,
                    east: Double(corner.longitude) / 100 - frame.projection.middle + shift
                )
            )
        }
    }
}
