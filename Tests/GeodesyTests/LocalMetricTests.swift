import Geodesy
import TestSupport
import Testing

@Suite struct LocalMetricTests {
    @Test(arguments: Seeds.fresh(8))
    func `what was measured before changes no bit`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        var metric = LocalMetric()
        var here = try places.anywhere()
        for step in 0..<2_000 {
            let next = step % 10 == 0 ? try places.anywhere() : try places.near(here)
            let cached = metric.geodesicMeters(from: here, to: next)
            #expect(cached.bitPattern == here.geodesicMeters(to: next).bitPattern)
            #expect(metric.distance(from: here, to: next) == here.distance(to: next))
            here = next
        }
    }

    @Test func `a cell's edge is not felt`() throws {
        for hundredth in stride(from: -8_490, through: 8_490, by: 10) {
            // The mean latitude crosses a hundredth of a degree.
            let edge = Double(hundredth) / 100
            let south = try #require(Coordinate(latitude: edge - 0.001, longitude: 4))
            let below = try #require(
                Coordinate(latitude: edge + 0.001 - 1e-10, longitude: 4.01)
            )
            let above = try #require(
                Coordinate(latitude: edge + 0.001 + 1e-10, longitude: 4.01)
            )
            let difference = south.geodesicMeters(to: above) - south.geodesicMeters(to: below)
            #expect(abs(difference) < 3e-5)
        }
    }
}
