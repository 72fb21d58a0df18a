import DriveSimulation
import Geodesy
import Testing

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
