import DriveSimulation
import Geodesy
import TestSupport
import Testing

@testable import Maps
@testable import Papers

/// The places of positions on maps, and the truth of their scales.
@Suite struct MapFrameTests {
    private static let box = Box(x: 24, y: 96, width: 912, height: 580)
    private static let kilometers = MapUnit(name: "km", meters: 1_000)

    /// Positions of one drive somewhere on earth, also at the poles and across 180°.
    static func drive(seed: UInt64) -> [Coordinate] {
        var random = SplitMix64(seed: seed)
        let size = Double.random(in: 0.000_1...6, using: &random)
        var latitude = Double.random(in: -89...89, using: &random)
        var longitude = Double.random(in: -180...180, using: &random)
        return (0..<50)
            .compactMap { _ in
                latitude = min(
                    89.9,
                    max(-89.9, latitude + Double.random(in: -0.1...0.1, using: &random) * size)
                )
                longitude += Double.random(in: -0.1...0.1, using: &random) * size
                return Coordinate(
                    latitude: latitude,
                    longitude: MapProjection.wrapped(longitude)
                )
            }
    }

    private static func frame(seed: UInt64) -> MapFrame {
        MapFrame(fitting: drive(seed: seed), in: box, margin: (84, 62))
    }

    @Test(arguments: Seeds.fresh(200))
    func `each position of a drive stands in the map, and is found where it stands`(seed: UInt64) {
        let frame = Self.frame(seed: seed)
        for position in Self.drive(seed: seed) where abs(position.latitude) < 85 {
            let point = frame.point(position)
            #expect(Self.box.expanded(by: -83, -61).contains(point), "seed \(seed)")
            let found = frame.coordinate(at: point)
            let meters = found?.geodesicMeters(to: position) ?? .infinity
            #expect(meters < frame.widthMeters / 1e6 + 0.001, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(200))
    func `the scale is true in the middle of the map`(seed: UInt64) throws {
        let frame = Self.frame(seed: seed)
        let bar = ScaleBar(frame, Self.kilometers, MapWords())
        let middle = Self.box.center
        let west = try #require(frame.coordinate(at: Point(middle.x - bar.length / 2, middle.y)))
        let east = try #require(frame.coordinate(at: Point(middle.x + bar.length / 2, middle.y)))
        let words = bar.text.split(separator: " ")
        let number = try #require(Double(words[0]))
        let unit = words[1] == "m" ? 1.0 : 1_000
        // From left to right is a little longer than straight, where meridians meet.
        let share = west.geodesicMeters(to: east) / (number * unit)
        #expect(abs(share - 1) < 0.03, "seed \(seed): \(bar.text) are \(share)")
        #expect((30...150).contains(bar.length), "seed \(seed)")
    }

    @Test func `a drive across 180 degrees is as small as it is`() {
        let positions = [179.9, -179.9, 179.8, -179.8]
            .compactMap { Coordinate(latitude: -17, longitude: $0) }
        let frame = MapFrame(fitting: positions, in: Self.box, margin: (84, 62))
        #expect(frame.widthMeters < 60_000)
        let middle = frame.coordinate(at: Self.box.center)
        #expect((middle.map { abs($0.longitude) } ?? 0) > 179.99)
    }

    @Test(arguments: [(0, 0, false), (52.37, 4.9, true), (40, -40, false), (-25, 134, true)])
    func `land is where it is`(latitude: Double, longitude: Double, isLand: Bool) throws {
        let point = (x: longitude * 100, y: latitude * 100)
        let crossings = LandOutlines.all.shores.reduce(0) { count, line in
            count
                + zip(line.corners, line.corners.dropFirst())
                .count { first, second in
                    let (y1, y2) = (Double(first.latitude), Double(second.latitude))
                    guard (y1 > point.y) != (y2 > point.y) else { return false }
                    let (x1, x2) = (Double(first.longitude), Double(second.longitude))
                    return x1 + (point.y - y1) * (x2 - x1) / (y2 - y1) > point.x
                }
        }
        #expect((crossings % 2 == 1) == isLand)
    }

    @Test func `shores and borders lie on earth, and shores are closed`() {
        let outlines = LandOutlines.all
        #expect(outlines.shores.count > 1_000)
        #expect(outlines.borders.count > 150)
        for line in outlines.shores + outlines.borders {
            #expect((-18_000...18_000).contains(line.longitudes.lowerBound))
            #expect((-18_000...18_000).contains(line.longitudes.upperBound))
            #expect((-9_000...9_000).contains(line.latitudes.lowerBound))
        }
        #expect(outlines.shores.allSatisfy { $0.corners.first == $0.corners.last })
    }
}
