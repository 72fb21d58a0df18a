import Geodesy
import Papers

/// A small map in the corner of a map of a town or a region, which shows where on earth it lies.
struct LocatorMap {
    /// Maps wider than this show by themselves where they lie.
    private static let mostMeters = 900_000.0

    /// How many times as wide as the map it is at least, and in metres.
    private static let leastMeters = 1_400_000.0

    /// Its rectangle.
    let box: Box

    private let frame: MapFrame
    private let shown: Box

    /// Prepares it for a map; `nil` if that needs none.
    init?(_ map: MapFrame) {
        guard map.widthMeters < Self.mostMeters, case .mercator = map.projection else { return nil }
        let box = Box(x: map.box.right - 142, y: map.box.origin.y + 10, width: 132, height: 96)
        let meters = max(Self.leastMeters, map.widthMeters * 6)
        let scale = map.scale * map.metersPerPixel(at: map.box.center) * box.width / meters
        let frame = MapFrame(map.projection, in: box, center: map.center, scale: scale)
        self.frame = frame
        self.box = box
        let corners = [map.box.origin, Point(map.box.right, map.box.bottom)]
            .map { frame.onPage(map.inPlane($0)) }
        shown = Box(
            x: corners[0].x,
            y: corners[0].y,
            width: corners[1].x - corners[0].x,
            height: corners[1].y - corners[0].y
        )
    }

    /// What is drawn.
    var items: [Item] {
        let inner = box.outline + [box.origin]
        // A town would be a point that is not seen.
        let sign: Item =
            shown.width < 8
            ? .mark(Mark(.disc, at: box.center, radius: 4, .end))
            : .path(Path([shown.outline + [shown.origin]], stroke: .end, width: 1.5))
        return MapBackground(frame, surroundings: 0).ground
            + [sign, .path(Path([inner], stroke: .shore, width: 2))]
    }
}
