import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// What the server keeps of trips with many fixes is what comes out anew.
@Suite struct ServeLongTripTests {
    /// More fixes than those of trips of which nothing is kept.
    private static let fixCount = 10_500

    private struct Line: Decodable {
        struct Properties: Decodable {
            var pointCount: Int
            var times: [String]

            private enum CodingKeys: String, CodingKey {
                case pointCount = "point_count"
                case times
            }
        }

        var properties: Properties
    }

    private static func line(_ body: String) throws -> Line.Properties {
        try JSONDecoder().decode(Line.self, from: Data(body.utf8)).properties
    }

    @Test func `a way that is kept is shown until a split makes it another one`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let drive = DriveSimulator.drives(
            seed: 7,
            count: 1,
            fixesPerDrive: Self.fixCount...Self.fixCount
        )
        try process.append(DriveLines.data(DriveLines.lines(drive)))
        let server = try ServedLedger(onSocketOf: process)
        let row = try #require(try process.run("trips", "--format", "json").lines.first)
        let trip = try #require(row.firstMatch(of: #/"id":"([0-9a-f]{32})"/#).map { "\($0.1)" })
        func body(_ part: String) throws -> String {
            try server.get("/v1/trips/\(trip)\(part)").body
        }

        let (track, options) = (try body("/track"), try body("/options"))
        let whole = try Self.line(track)
        #expect(whole.pointCount > 2_000)
        #expect(whole.times.count == 2_000)
        // An expense has nothing to do with the way.
        let paid = try process.run("expense", "add", "parking", "4.50", "EUR")
        #expect(paid.exitCode == 0, "\(paid.errors)")
        #expect(try body("/track") == track)
        #expect(try body("/options") == options)

        let time = whole.times[whole.times.count / 2]
        let split = try process.run("split", trip, "--at", time)
        try #require(split.exitCode == 0, "\(split.errors)")
        let first = try Self.line(try body("/track"))
        #expect(first.pointCount < whole.pointCount)
        #expect(first.times.first == whole.times.first)
        #expect(try #require(first.times.last) < time)
        #expect(try body("/options") != options)
    }
}
