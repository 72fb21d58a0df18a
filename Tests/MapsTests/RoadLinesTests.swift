import DriveSimulation
import Geodesy
import TestSupport
import Testing

@testable import Maps

/// Tests how often each road was driven, as maps of others show it.
struct RoadLinesTests {
    /// Returns a road eastwards from a position, in steps of about 100 metres.
    private static func road(
        latitude: Double,
        longitude: Double,
        steps: Int,
        shift: () -> Double
    ) -> [Coordinate] {
        (0...steps)
            .compactMap { step in
                let east = (longitude + 0.0015 * Double(step)).remainder(dividingBy: 360)
                return Coordinate(latitude: latitude + shift(), longitude: east)
            }
    }

    @Test(arguments: Seeds.fresh(12))
    func `a road has the class of all trips along it, also across 180°`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 2...40, using: &random)
        let latitude = Double.random(in: -70...70, using: &random)
        let longitude: Double = [4.5, 179.99, -179.999].randomElement(using: &random) ?? 0
        let busy = (0..<count)
            .map { _ in
                [
                    Self.road(latitude: latitude, longitude: longitude, steps: 30) {
                        Double.random(in: -0.00002...0.00002, using: &random)
                    }
                ]
            }
        let lonely = [
            Self.road(latitude: latitude + 0.05, longitude: longitude, steps: 30) { 0 }
        ]
        let classes = RoadLines(busy + [lonely]).classes
        let often = try #require(classes.last)
        #expect(often.trips.contains(count), "seed \(seed)")
        #expect(classes.first?.trips.lowerBound == 1, "seed \(seed)")
        let seldom = try #require(classes.first).lines.joined()
        #expect(seldom.contains { abs($0.latitude - latitude - 0.05) < 1e-6 }, "seed \(seed)")
        #expect(often.lines.joined().allSatisfy { abs($0.latitude - latitude) < 0.001 })
        // Each point that is drawn is one that was measured.
        let measured = (busy + [lonely]).joined().joined()
        for point in classes.flatMap(\.lines).joined() {
            #expect(
                measured.contains {
                    abs($0.latitude - point.latitude) < 1e-9
                        && abs(($0.longitude - point.longitude).remainder(dividingBy: 360)) < 1e-9
                },
                "seed \(seed)"
            )
        }
    }

    @Test func `where nothing was measured there are no roads`() {
        #expect(RoadLines([]).classes.isEmpty)
        #expect(RoadLines([[], [[]]]).classes.isEmpty)
    }
}
