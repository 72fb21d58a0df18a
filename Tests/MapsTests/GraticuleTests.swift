import Geodesy
import TestSupport
import Testing

@testable import Maps
@testable import Papers

/// Lines of latitude and longitude are named where their names are seen whole.
@Suite struct GraticuleTests {
    @Test(arguments: Seeds.fresh(200))
    func `no name of a line is cut by the edge of the map`(seed: UInt64) {
        let frame = MapFrame(
            fitting: MapFrameTests.drive(seed: seed),
            in: Box(x: 24, y: 96, width: 912, height: 580),
            margin: (84, 62)
        )
        for label in Graticule(frame, MapWords()).labels {
            let space = label.estimatedBox
            #expect(space.origin.x >= frame.box.origin.x, "seed \(seed): \(label.text)")
            #expect(space.right <= frame.box.right, "seed \(seed): \(label.text)")
        }
    }

    /// The words of Dutch, as far as names of lines and scales have any.
    private static var dutch: MapWords {
        var words = MapWords()
        (words.north, words.east, words.south, words.west) = ("N", "O", "Z", "W")
        (words.at, words.decimalMark) = ("op", ",")
        return words
    }

    private static func frame(_ corners: [(latitude: Double, longitude: Double)]) -> MapFrame {
        MapFrame(
            fitting: corners.compactMap {
                Coordinate(latitude: $0.latitude, longitude: $0.longitude)
            },
            in: Box(x: 24, y: 96, width: 912, height: 580),
            margin: (84, 62)
        )
    }

    @Test(arguments: [(52.0, 4.4, [" N", " O"]), (-33.9, -18.4, [" Z", " W"])])
    func `names of lines have the letters and the decimal mark of the language`(
        latitude: Double,
        longitude: Double,
        ends: [String]
    ) {
        let frame = Self.frame([(latitude, longitude), (latitude + 0.05, longitude + 0.1)])
        let names = Graticule(frame, Self.dutch).labels.map(\.text)
        for end in ends { #expect(names.contains { $0.hasSuffix(end) }, "\(names)") }
        #expect(names.allSatisfy { name in ends.contains { name.hasSuffix($0) } }, "\(names)")
        #expect(names.contains { $0.contains(",") }, "\(names)")
        #expect(!names.contains { $0.contains(".") }, "\(names)")
    }

    @Test func `a scale names its latitude as the language does`() {
        let kilometers = MapUnit(name: "km", meters: 1_000)
        let text = ScaleBar(Self.frame([(30, 0), (55, 20)]), kilometers, Self.dutch).text
        #expect(text.contains(/^\d+ km op \d+,\d° N$/), "\(text)")
    }
}
