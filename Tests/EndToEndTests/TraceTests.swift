import DriveSimulation
import Foundation
import TestSupport
import Testing

/// Whole drives through the real binary: appended twice, projected, and checked.
@Suite struct TraceTests {
    /// A line, as far as this test has to understand it.
    private struct Line: Decodable {
        var occurredAt: String?
        var lat: Double?
        var lon: Double?

        private enum CodingKeys: String, CodingKey {
            case occurredAt = "occurred_at"
            case lat, lon
        }

        /// Whether the ledger may take it.
        var isAcceptable: Bool {
            occurredAt != nil && abs(lat ?? 0) <= 90 && abs(lon ?? 0) <= 180
        }
    }

    /// A trip, as far as this test compares it.
    private struct ShownTrip: Decodable {
        struct Gaps: Decodable {
            var meters: Double
        }

        var status: String
        var distanceMeters: Double
        var gaps: Gaps

        private enum CodingKeys: String, CodingKey {
            case status, gaps
            case distanceMeters = "distance_m"
        }
    }

    /// The drives whose lengths must be within 0.2 % of the independent ones.
    private static let measured: Set = [
        "nds_10", "comma2k19_ex1", "smartloc_Berlin_Potsdamer_Platz", "rsk_T3_04_22_2021_1",
    ]

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `there are 46 shared drives, those to be measured among them`() {
        #expect(SharedTrace.drives.count == 46)
        #expect(Self.measured.isSubset(of: SharedTrace.drives.map(\.id)))
    }

    @Test(
        .enabled(if: SharedData.isPresent, SharedData.missing),
        arguments: SharedTrace.drives.filter { measured.contains($0.id) }
            + Seeds.sample(of: SharedTrace.drives.filter { !measured.contains($0.id) })
    )
    func `a real drive is one trip, however often it is appended`(trace: SharedTrace) throws {
        let data = try SharedData.data(trace.file)
        let trips = try tripsAfterAppendingTwice(data, comment: "\(trace.id)")
        let trip = try #require(trips.first)
        #expect(trips.count == 1)
        #expect(trip.status == "completed")
        guard Self.measured.contains(trace.id) else { return }
        let expected = try #require(trace.lengthWithGapsMeters) - trip.gaps.meters
        #expect(abs(trip.distanceMeters - expected) <= 0.002 * expected)
    }

    @Test(arguments: Seeds.fresh(2))
    func `simulated drives are as many trips, however often they are appended`(
        seed: UInt64
    ) throws {
        let drives = DriveSimulator.drives(seed: seed, count: 5, fixesPerDrive: 20...200)
        let data = DriveLines.data(DriveLines.lines(drives))
        let trips = try tripsAfterAppendingTwice(data, comment: "seed \(seed)")
        #expect(trips.map(\.status) == Array(repeating: "completed", count: 5), "seed \(seed)")
    }

    /// Appends lines twice into a new ledger, expects every answer to be right, and returns the
    /// trips.
    private func tripsAfterAppendingTwice(
        _ data: Data,
        comment: Comment
    ) throws -> [ShownTrip] {
        let lines = data.split(separator: UInt8(ascii: "\n"))
        let decoded = try lines.map { try JSONDecoder().decode(Line.self, from: $0) }
        let refused = zip(1..., decoded).filter { !$1.isAcceptable }.map(\.0)
        let acceptable = zip(lines, decoded).filter(\.1.isAcceptable).map(\.0)

        let book = try LedgerProcess()
        try book.begin()
        let first = try book.answers(to: data)
        #expect(first.map(\.line) == Array(1..<lines.count + 1), comment)
        #expect(first.filter { $0.receipt == "rejected" }.map(\.line) == refused, comment)
        let appended = first.filter { $0.receipt == "appended" }
        #expect(appended.count == Set(acceptable).count, comment)
        // Position 0 is ledger_created, 1 is source_registered.
        #expect(appended.compactMap(\.position) == Array(2..<UInt64(appended.count + 2)), comment)

        let size = UInt64(appended.count + 2)
        let second = try book.append(data)
        #expect(second.appended == 0, comment)
        #expect(second.duplicate == acceptable.count, comment)
        #expect(second.rejected == refused.count, comment)
        #expect(second.size == size, comment)

        #expect(try book.run("project").exitCode == 0, comment)
        let outcome = try book.run("trips", "--format", "json")
        try book.expectViewsConfirmed(comment)
        return try outcome.lines.map {
            try JSONDecoder().decode(ShownTrip.self, from: Data($0.utf8))
        }
    }
}
