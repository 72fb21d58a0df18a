import Foundation
import Geodesy
import TestSupport
import Testing

/// The reference lines of GeographicLib: every one, to the millimetre.
@Suite struct ReferenceGeodesicsTests {
    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `all 10,000 lines of GeodTest-short are right to the millimetre`() throws {
        let lines = try Self.lines("geodesics/GeodTest-short.dat")
        #expect(lines.count == 10_000)
        for line in lines {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            try #require(numbers.count == 10)
            try Self.expect(numbers[0], numbers[1], numbers[3], numbers[4], meters: numbers[6])
        }
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `all 833 short lines are right to the millimetre`() throws {
        let lines = try Self.lines("geodesics/short-distance-vectors.tsv")
        #expect(lines.count == 833)
        for line in lines {
            let numbers = line.split(separator: "\t").dropFirst().compactMap { Double($0) }
            try #require(numbers.count == 5)
            try Self.expect(numbers[0], numbers[1], numbers[2], numbers[3], meters: numbers[4])
        }
    }

    private static func lines(_ path: String) throws -> [Substring] {
        String(decoding: try SharedData.data(path), as: UTF8.self)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
    }

    private static func expect(
        _ latitude: Double,
        _ longitude: Double,
        _ otherLatitude: Double,
        _ otherLongitude: Double,
        meters: Double
    ) throws {
        let start = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let end = try #require(Coordinate(latitude: otherLatitude, longitude: otherLongitude))
        let reference = Int64((meters * 1_000).rounded())
        let distance = start.distance(to: end)
        #expect(abs(distance.millimeters - reference) <= 1, "\(start) to \(end): \(meters) m")
    }
}
