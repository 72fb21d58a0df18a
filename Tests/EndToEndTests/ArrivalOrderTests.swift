import DriveSimulation
import Foundation
import TestSupport
import Testing

/// A file shuffled, doubled and appended in ten pieces in any order gives the same trips, byte for
/// byte, but for when they were recorded.
@Suite struct ArrivalOrderTests {
    @Test(arguments: Seeds.fresh(4))
    func `simulated drives give the same trips in any order of arrival`(seed: UInt64) throws {
        try expectSameTrips(DriveLines.mixed(seed: seed), seed: seed)
    }

    @Test(
        .enabled(if: SharedData.isPresent, SharedData.missing),
        arguments: zip(
            ["nds_10", "rsk_T3_04_22_2021_1", "smartloc_Berlin_Potsdamer_Platz", "nds_history"],
            Seeds.fresh(4)
        )
    )
    func `a real drive gives the same trips in any order of arrival`(
        name: String,
        seed: UInt64
    ) throws {
        let text = String(decoding: try SharedData.data("traces/\(name).jsonl"), as: UTF8.self)
        try expectSameTrips(text.split(separator: "\n").map(String.init), seed: seed)
    }

    private func expectSameTrips(_ lines: [String], seed: UInt64) throws {
        let comment: Comment = "seed \(seed)"
        let inOrder = try LedgerProcess()
        try inOrder.begin()
        let expected = try inOrder.append(DriveLines.data(lines))

        var random = SplitMix64(seed: seed)
        let shuffled = (lines + lines).shuffled(using: &random)
        let cuts = (0..<9).map { _ in Int.random(in: 0...shuffled.count, using: &random) }.sorted()
        var pieces = zip([0] + cuts, cuts + [shuffled.count]).map { shuffled[$0..<$1] }
        pieces.shuffle(using: &random)

        let book = try LedgerProcess()
        try book.begin()
        var appended = 0
        for piece in pieces {
            appended += try book.append(DriveLines.data(piece)).appended
            if Bool.random(using: &random) {
                #expect(try book.run("project").exitCode == 0, comment)
            }
        }
        #expect(appended == expected.appended, comment)
        #expect(try book.tripsWithoutArrival() == inOrder.tripsWithoutArrival(), comment)
        try book.expectViewsConfirmed(comment)
        try inOrder.expectViewsConfirmed(comment)
    }
}
