import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// Late events have years of a source folded again, which is committed in parts.
///
/// Killed between two of them, and followed by more late events, it comes to the trips of a run
/// that nothing interrupted, and none of those before is left.
@Suite struct CutRefoldTests {
    /// Enough trips for several parts.
    private static let drives = 420

    /// Returns deliveries, all but the first of which fold every trip again.
    ///
    /// Each of these begins with the earliest event of all, and holds the first events of many
    /// trips.
    private func deliveries(seed: UInt64) -> [[TripEvent]] {
        let events = Array(
            DriveSimulator.drives(seed: seed, count: Self.drives, fixesPerDrive: 20...30)
        )
        let parts = (0..<3)
            .map { part in
                events.indices.filter { $0 > 0 && $0 % 3 == part }.map { events[$0] }
            }
        return [parts[0]] + parts[1...].map { events[..<1] + $0 } + [events]
    }

    @Test(arguments: Seeds.fresh(2))
    func `what is folded again comes to the same trips wherever it is cut off`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let deliveries = deliveries(seed: seed)
        let expected = try LedgerProcess()
        try expected.begin()
        try expected.append(DriveLines.data(DriveLines.lines(deliveries.joined())))
        let trips = try expected.tripsWithoutArrival()
        #expect(trips.count > Self.drives / 2)

        let book = try LedgerProcess()
        try book.begin()
        try book.append(DriveLines.data(DriveLines.lines(deliveries[0])))
        #expect(try book.run("project").exitCode == 0)
        var killed = 0
        for (number, delivery) in deliveries.enumerated().dropFirst() {
            let file = book.directory.url.appendingPathComponent("\(number).jsonl")
            try DriveLines.data(DriveLines.lines(delivery)).write(to: file)
            for attempt in 0..<8 {
                // Only what appends something brings the views up to date by itself.
                let process = book.process(
                    attempt == 0 ? ["append", file.lastPathComponent] : ["project"]
                )
                process.standardOutput = .null
                process.standardError = .null
                try process.start()
                // Chance, not waiting for something: the moment of the kill is what is tested, 1 to
                // 256 ms, so that fast programs are met too.
                usleep(1_000 << UInt32.random(in: 0...8, using: &random))
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                if process.waitForEnd().wasKilled { killed += 1 }
            }
        }
        #expect(killed > 0, "seed \(seed)")
        try book.append(DriveLines.data(DriveLines.lines(deliveries.joined())))
        #expect(try book.tripsWithoutArrival() == trips, "seed \(seed)")
        try book.expectViewsConfirmed("seed \(seed)")
    }
}
