import Geodesy
import Papers

/// Lines of equal latitude and of equal longitude, and their labels.
struct Graticule {
    private let frame: MapFrame
    private let words: MapWords

    /// How far apart the lines are, in thousandths of a degree.
    private let step: Int

    /// In thousandths of a degree.
    private static let steps = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 45_000,
    ]

    /// The most lines of a map from left to right.
    private static let mostLines = 7

    /// Chooses lines for a map whose labels are in a language.
    init(_ frame: MapFrame, _ words: MapWords) {
        self.frame = frame
        self.words = words
        let degrees = frame.box.width / frame.scale * 180 / .pi
        let least = Int(degrees * 1_000) / Self.mostLines
        let isPolar = if case .polar = frame.projection { true } else { false }
        step =
            isPolar && degrees > 4
            ? 5_000 : Self.steps.first { $0 > least } ?? Self.steps[Self.steps.count - 1]
    }

    /// The lines: also beyond the map, as far as it can be moved.
    var lines: Path {
        let box = frame.box.expanded(by: frame.box.width, frame.box.height)
        let lines: [[Point]]
        switch frame.projection {
        case .mercator:
            lines =
                meridians(in: box)
                .map { [Point($0.x, box.origin.y), Point($0.x, box.bottom)] }
                + parallels(in: box).map { [Point(box.origin.x, $0.y), Point(box.right, $0.y)] }
        case .polar(let isNorth, _):
            let meridians = stride(from: 0, to: 360, by: 15)
                .map { east in
                    [isNorth ? 89.9 : -89.9, isNorth ? 40 : -40]
                        .map {
                            frame.onPage(frame.projection.point(latitude: $0, east: Double(east)))
                        }
                }
            let circles = stride(from: 90_000 - step, through: 50_000, by: -step)
                .map { latitude in
                    stride(from: 0, through: 360, by: 3)
                        .map { east in
                            frame.onPage(
                                frame.projection.point(
                                    latitude: Double(isNorth ? latitude : -latitude) / 1_000,
                                    east: Double(east)
                                )
                            )
                        }
                }
            lines = (meridians + circles).flatMap { PolygonClip.pieces($0, in: box) }
        }
        return Path(lines, stroke: .grid, width: 0.7)
    }

    /// The labels of the lines in the map, at its left and lower edges.
    var labels: [Label] {
        guard case .mercator = frame.projection else { return polarLabels }
        let (left, bottom) = (frame.box.origin.x + 4, frame.box.bottom - 5)
        let inner = frame.box.expanded(by: -30, -14)
        return parallels(in: inner)
            .map { label(name(ofLatitude: $0.thousandths), Point(left, $0.y - 3)) }
            + meridians(in: inner)
            .map { label(name(ofLongitude: $0.thousandths), Point($0.x + 3, bottom)) }
            .filter(isInside)
    }

    private var polarLabels: [Label] {
        guard case .polar(let isNorth, _) = frame.projection else { return [] }
        return stride(from: 90_000 - step, through: 50_000, by: -step)
            .compactMap { latitude in
                let degrees = isNorth ? latitude : -latitude
                let point = frame.onPage(
                    frame.projection.point(latitude: Double(degrees) / 1_000, east: 0)
                )
                guard frame.box.expanded(by: -30, -14).contains(point) else { return nil }
                return label(name(ofLatitude: degrees), Point(point.x + 3, point.y - 3))
            }
            .filter(isInside)
    }

    /// Returns whether the map's edge does not cut a label; some fonts are wider than the estimate.
    private func isInside(_ label: Label) -> Bool {
        label.estimatedBox.right + 0.05 * label.estimatedWidth < frame.box.right - 2
    }

    private func label(_ text: String, _ point: Point) -> Label {
        Label(text, at: point, size: 10, .faint, halo: .casing)
    }

    private func meridians(in box: Box) -> [(thousandths: Int, x: Double)] {
        let west = frame.inPlane(box.origin).x * 180 / .pi + frame.projection.middle
        let east =
            frame.inPlane(Point(box.right, box.bottom)).x * 180 / .pi
            + frame.projection.middle
        return multiples(from: west, to: east)
            .map { thousandths in
                let degrees = Double(thousandths) / 1_000 - frame.projection.middle
                let point = frame.projection.point(latitude: 0, east: degrees)
                return (thousandths, frame.onPage(point).x)
            }
    }

    private func parallels(in box: Box) -> [(thousandths: Int, y: Double)] {
        guard let north = frame.coordinate(at: box.origin)?.latitude,
            let south = frame.coordinate(at: Point(box.origin.x, box.bottom))?.latitude
        else { return [] }
        return multiples(from: max(south, -85), to: min(north, 85))
            .map { thousandths in
                let point = frame.projection.point(latitude: Double(thousandths) / 1_000, east: 0)
                return (thousandths, frame.onPage(point).y)
            }
    }

    private func multiples(from least: Double, to most: Double) -> [Int] {
        guard least < most else { return [] }
        let first = Int((least * 1_000 / Double(step)).rounded(.up))
        let last = Int((most * 1_000 / Double(step)).rounded(.down))
        return (first...max(first, last)).prefix(max(0, last - first + 1)).map { $0 * step }
    }

    private func name(ofLatitude thousandths: Int) -> String {
        guard thousandths != 0 else { return text(0) }
        return "\(text(thousandths)) \(thousandths > 0 ? words.north : words.south)"
    }

    private func name(ofLongitude thousandths: Int) -> String {
        var east = thousandths % 360_000
        if east > 180_000 { east -= 360_000 }
        if east <= -180_000 { east += 360_000 }
        if east == 0 || east == 180_000 { return text(east) }
        return "\(text(east)) \(east > 0 ? words.east : words.west)"
    }

    /// Returns thousandths of a degree without their sign.
    private func text(_ thousandths: Int) -> String {
        words.shortNumber(Int64(abs(thousandths)), decimals: 3) + "°"
    }
}
