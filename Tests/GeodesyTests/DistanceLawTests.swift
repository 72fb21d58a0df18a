import DriveSimulation
import Geodesy
import TestSupport
import Testing

@Suite struct DistanceLawTests {
    private static let rounds = 1_000

    @Test(arguments: Seeds.fresh(4))
    func `a distance is the same in both directions`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<Self.rounds {
            let one = try places.anywhere()
            for other in [try places.anywhere(), try places.near(one)] {
                #expect(one.geodesicMeters(to: other) == other.geodesicMeters(to: one))
            }
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `a distance is zero for one point and positive for two`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<Self.rounds {
            let one = try places.anywhere()
            #expect(one.geodesicMeters(to: one) == 0)
            for other in [try places.anywhere(), try places.near(one)] where other != one {
                #expect(one.geodesicMeters(to: other) > 0 || abs(one.latitude) == 90)
            }
        }
    }

    @Test func `names of the same point have no distance between them`() throws {
        let pairs = [
            ((12.5, 180.0), (12.5, -180.0)), ((90.0, 0.0), (90.0, 77.0)),
            ((-90.0, -3.0), (-90.0, 180.0)), ((0.0, -0.0), (-0.0, 0.0)),
        ]
        for (one, other) in pairs {
            let first = try #require(Coordinate(latitude: one.0, longitude: one.1))
            let second = try #require(Coordinate(latitude: other.0, longitude: other.1))
            #expect(first.distance(to: second) == .zero)
        }
    }

    /// Numbers at which formulas divide by nothing, and those beside them.
    private static let corners = [0, 30, 45, 90, 180]
        .flatMap { center in
            [0, .leastNonzeroMagnitude, 1e-200, 1e-100, 1e-20, 1e-15, 1e-12, 1e-9, 1e-7, 1e-4, 0.5]
                .flatMap { [center + $0, center - $0] }
        }

    @Test func `any two points have a distance`() throws {
        let latitudes = Set(Self.corners.filter { abs($0) <= 90 })
        for first in latitudes {
            let one = try #require(Coordinate(latitude: first, longitude: 0))
            for (second, longitude) in latitudes.flatMap({ latitude in
                Set(Self.corners).map { (latitude, $0) }
            }) where abs(longitude) <= 180 {
                let other = try #require(Coordinate(latitude: second, longitude: longitude))
                let meters = one.geodesicMeters(to: other)
                #expect(0...20_003_931.46 ~= meters, "\(one), \(other)")
            }
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `a detour is not shorter than the direct way`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<Self.rounds {
            let start = try places.anywhere()
            let near = try places.near(start)
            let nearer = try places.near(near)
            let far = try places.anywhere()
            for (middle, end) in [(near, nearer), (near, far), (far, near)] {
                let direct = start.geodesicMeters(to: end)
                let detour = start.geodesicMeters(to: middle) + middle.geodesicMeters(to: end)
                #expect(direct <= detour + 0.001)
            }
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `the antimeridian is a meridian like any other`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<Self.rounds {
            let latitude = places.number(below: 180) - 90
            let otherLatitude = max(-90, latitude - places.number(below: 0.1))
            let west = places.number(below: 0.1)
            let east = places.number(below: 0.1)
            let across = try Self.meters(latitude, 180 - west, otherLatitude, -180 + east)
            let elsewhere = try Self.meters(latitude, 7 - west, otherLatitude, 7 + east)
            #expect(abs(across - elsewhere) < 0.001)
        }
    }

    @Test(arguments: [1_000.0, 10_000], Seeds.fresh(4))
    func `regimes agree where one follows the other`(border: Double, seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<200 {
            let latitude = places.number(below: 169) - 84.5
            let north = places.number(below: 2) - 1
            let east = (places.number(below: 2) - 1) * 8
            func meters(_ scale: Double) throws -> Double {
                try Self.meters(latitude, 4, latitude + north * scale, 4 + east * scale)
            }
            var below = 0.0
            var beyond = 0.4
            guard try meters(beyond) > border else { continue }
            while beyond - below > 1e-12 {
                let middle = (below + beyond) / 2
                if try meters(middle) < border {
                    below = middle
                } else {
                    beyond = middle
                }
            }
            #expect(try abs(meters(beyond) - meters(below)) < 0.001)
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `regimes agree at 85 degrees`(seed: UInt64) throws {
        var places = RandomPlaces(seed: seed)
        for _ in 0..<Self.rounds {
            let latitude = 85 - places.number(below: 0.08)
            let longitude = places.number(below: 0.8)
            let below = try Self.meters(latitude, 0, (85.0).nextDown, longitude)
            let beyond = try Self.meters(latitude, 0, 85, longitude)
            #expect(abs(below - beyond) < 0.001)
        }
    }

    private static func meters(
        _ latitude: Double,
        _ longitude: Double,
        _ otherLatitude: Double,
        _ otherLongitude: Double
    ) throws -> Double {
        let one = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let other = try #require(Coordinate(latitude: otherLatitude, longitude: otherLongitude))
        return one.geodesicMeters(to: other)
    }
}

/// Places for the laws, from a seed: all over the earth, and close to one another.
struct RandomPlaces {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Returns a place anywhere, on a grid of 1e-7°, often near a pole or the antimeridian.
    mutating func anywhere() throws -> Coordinate {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try place(latitudes: 849_000_000...900_000_000, longitudes: 0...1_800_000_000)
        case 1: try place(latitudes: -900_000_000...0, longitudes: 1_799_000_000...1_800_000_000)
        case 2: try place(latitudes: -100...100, longitudes: -1_800_000_000...1_800_000_000)
        default:
            try place(
                latitudes: -900_000_000...900_000_000,
                longitudes: -1_800_000_000...1_800_000_000
            )
        }
    }

    /// Returns a place up to about ten kilometres from `center`, perhaps across the antimeridian.
    mutating func near(_ center: Coordinate) throws -> Coordinate {
        let reach = [0.000_01, 0.001, 0.005, 0.08][Int.random(in: 0..<4, using: &random)]
        let latitude = center.latitude + Double.random(in: -reach...reach, using: &random)
        let longitude = center.longitude + Double.random(in: -reach...reach, using: &random)
        return try #require(
            Coordinate(
                latitude: min(90, max(-90, latitude)),
                longitude: longitude > 180
                    ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
            )
        )
    }

    /// Returns a number below `limit`.
    mutating func number(below limit: Double) -> Double {
        Double.random(in: 0..<limit, using: &random)
    }

    private mutating func place(
        latitudes: ClosedRange<Int>,
        longitudes: ClosedRange<Int>
    ) throws -> Coordinate {
        try #require(
            Coordinate(
                latitude: Double(Int.random(in: latitudes, using: &random)) / 1e7,
                longitude: Double(Int.random(in: longitudes, using: &random)) / 1e7
            )
        )
    }
}
