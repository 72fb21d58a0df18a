import Geodesy
import Testing

/// Distances that others have published.
@Suite struct CoordinateDistanceTests {
    /// A published distance between two points.
    struct Published: CustomTestStringConvertible, Sendable {
        let source: String
        let start: (latitude: Double, longitude: Double)
        let end: (latitude: Double, longitude: Double)
        let meters: Double

        var testDescription: String { source }
    }

    @Test(arguments: published)
    func `the distance is the published one`(published: Published) throws {
        let start = try #require(
            Coordinate(latitude: published.start.latitude, longitude: published.start.longitude)
        )
        let end = try #require(
            Coordinate(latitude: published.end.latitude, longitude: published.end.longitude)
        )
        let expected = Int64((published.meters * 1_000).rounded())
        #expect(abs(start.distance(to: end).millimeters - expected) <= 1)
        #expect(abs(start.geodesicMeters(to: end) - published.meters) < 0.001)
    }

    static let published = [
        Published(
            source: "Karney 2013, table 3: a short line, solved on a sphere",
            start: (-30.123_45, 0),
            end: (-30.123_44, 0.000_05),
            meters: 4.944_208
        ),
        Published(
            source: "Karney 2013, table 4: nearly opposite points",
            start: (-30, 0),
            end: (29.9, 179.8),
            meters: 19_989_832.827_610
        ),
        Published(
            source: "Karney 2013, table 2: a line of 10,000 km",
            start: (40, 0),
            end: (41.793_310_205_06, 137.844_900_043_77),
            meters: 10_000_000
        ),
        Published(
            source: "Geocentric Datum of Australia technical manual: Flinders Peak to Buninyong",
            start: (-37.951_033_416_667, 144.424_867_888_889),
            end: (-37.652_821_138_889, 143.926_495_527_778),
            meters: 54_972.271
        ),
        Published(
            source: "the quarter meridian of WGS-84, 10,001,965.729 m",
            start: (0, 0),
            end: (90, 0),
            meters: 10_001_965.729
        ),
        Published(
            source: "two quarter meridians: opposite points on the equator, over a pole",
            start: (0, -90),
            end: (0, 90),
            meters: 20_003_931.459
        ),
        Published(
            source: "a degree of the equator: a · π ÷ 180",
            start: (0, 179.5),
            end: (0, -179.5),
            meters: 111_319.491
        ),
    ]
}
