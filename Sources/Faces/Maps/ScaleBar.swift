import Geodesy
import Papers

/// The scale bar of a map.
struct ScaleBar {
    private static let longest = 150.0

    /// Its text and its length in pixels.
    let text: String
    let length: Double

    /// Measures a map where its scale holds: in its middle, from left to right.
    init(_ frame: MapFrame, _ unit: MapUnit, _ words: MapWords) {
        let middle = frame.metersPerPixel(at: frame.box.center)
        let most = Self.longest * middle / unit.meters
        var power = 1.0
        while power > most { power /= 10 }
        while power * 10 <= most { power *= 10 }
        let number = [5, 2, 1].map { power * $0 }.first { $0 <= most } ?? power
        length = number * unit.meters / middle
        let edges = [frame.box.origin.y, frame.box.bottom]
            .map { frame.metersPerPixel(at: Point(frame.box.center.x, $0)) }
        let isSame = edges.allSatisfy { abs($0 / middle - 1) < 0.02 }
        let latitude = frame.coordinate(at: frame.box.center)?.latitude ?? 0
        let place = isSame ? "" : " \(words.at) \(Self.latitude(latitude, words))"
        text = "\(Self.number(number, unit, words))\(place)"
    }

    /// What is drawn, in the right lower corner of a map.
    func items(in box: Box) -> [Item] {
        let (right, y) = (box.right - 14, box.bottom - 26)
        let left = right - length
        let ends = [Point(left, y - 5), Point(left, y), Point(right, y), Point(right, y - 5)]
        return [
            .path(Path([ends], stroke: .casing, width: 4, opacity: 0.85)),
            .path(Path([ends], stroke: .text, width: 1.4)),
            .label(
                Label(
                    text,
                    at: Point((left + right) / 2, y - 5),
                    size: 11,
                    anchor: .middle,
                    halo: .casing
                )
            ),
        ]
    }

    /// Its rectangle, in which no name may stand.
    func box(in box: Box) -> Box {
        Box(x: box.right - length - 24, y: box.bottom - 48, width: length + 24, height: 48)
    }

    /// Less than a kilometre is shown in metres, and less than a mile in feet if miles are the
    /// unit.
    private static func number(
        _ number: Double,
        _ unit: MapUnit,
        _ words: MapWords
    ) -> String {
        if number >= 1 { return "\(Int(number.rounded())) \(unit.name)" }
        guard unit.meters == 1_000 else {
            let tenThousandths = Int64((number * 10_000).rounded())
            return "\(words.shortNumber(tenThousandths, decimals: 4)) \(unit.name)"
        }
        return "\(Int((number * 1_000).rounded())) m"
    }

    private static func latitude(_ degrees: Double, _ words: MapWords) -> String {
        words.number(Int64((abs(degrees) * 10).rounded()), decimals: 1)
            + "° \(degrees < 0 ? words.south : words.north)"
    }
}
