import DriveSimulation
import Geodesy
import TestSupport
import Testing

@Suite struct CoordinateBoxTests {
    private func coordinate(
        near center: Coordinate,
        within degrees: Double,
        using random: inout SplitMix64
    ) throws -> Coordinate {
        let latitude = center.latitude + Double.random(in: -degrees...degrees, using: &random)
        let stretch = center.latitude.magnitude > 60 ? 20.0 : 2.0
        var longitude =
            center.longitude
            + Double.random(in: -degrees * stretch...degrees * stretch, using: &random)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return try #require(
            Coordinate(
                latitude: min(90, max(-90, latitude)),
                longitude: min(180, max(-180, longitude))
            )
        )
    }

    @Test(arguments: Seeds.fresh(40))
    func `a box around a circle misses none of it, and one within it nothing else has`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var held = [0, 0]
        for _ in 0..<2_000 {
            let center = try #require(
                Coordinate(
                    latitude: Bool.random(using: &random)
                        ? Double.random(in: -90...90, using: &random)
                        : Double.random(in: 88...90, using: &random),
                    longitude: Bool.random(using: &random)
                        ? Double.random(in: -180...180, using: &random) : 179.999_9
                )
            )
            let reach = Distance(
                millimeters: Int64.random(
                    in: 0...(Bool.random(using: &random) ? 200_000 : 400_000_000),
                    using: &random
                )
            )
            let position = try coordinate(
                near: center,
                within: reach.meters / 100_000,
                using: &random
            )
            let distance = center.distance(to: position)
            let around = CoordinateBox(around: center, reaching: reach)
            let within = CoordinateBox(around: center, within: reach)
            let comment: Comment = "seed \(seed): \(center) \(reach) \(position)"
            if distance <= reach { #expect(around.contains(position), comment) }
            if within.contains(position) { #expect(distance <= reach, comment) }
            if distance <= reach { held[0] += 1 }
            if within.contains(position) { held[1] += 1 }
        }
        #expect(held[0] > 50 && held[1] > 20, "seed \(seed): \(held)")
    }

    @Test func `a box around a small circle leaves out what is far away`() throws {
        let home = try #require(Coordinate(latitude: 51.927, longitude: 4.362))
        let box = CoordinateBox(around: home, reaching: Distance(millimeters: 100_000))
        let north = try #require(Coordinate(latitude: 51.928, longitude: 4.362))
        let east = try #require(Coordinate(latitude: 51.927, longitude: 4.363_6))
        #expect(box.contains(home))
        #expect(!box.contains(north))
        #expect(!box.contains(east))
    }
}
