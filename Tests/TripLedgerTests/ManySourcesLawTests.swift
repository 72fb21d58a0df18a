import DriveSimulation
import EventStore
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// One ledger of many sources gives the same trips as each source alone would, however their events
/// are interleaved, repeated and late, and however few folds stay in memory.
@Suite struct ManySourcesLawTests {
    /// More than the rows of a commit.
    private static let sourceCount = ProjectionRunner.rowsPerCommit + 40

    /// Short drives of all sources, in order of time: the sources report in turn.
    private static func events(seed: UInt64) -> [TripEvent] {
        let drive = Array(DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 8...12))
        return drive.flatMap { event in
            (0..<sourceCount)
                .map { number in
                    var event = event
                    event.source = "car-\(number)"
                    return event
                }
        }
    }

    /// Returns the events in three deliveries: some come later than those after them, and some come
    /// twice.
    private static func deliveries(
        of events: [TripEvent],
        using random: inout SplitMix64
    ) -> [[TripEvent]] {
        var deliveries: [[TripEvent]] = [[], [], []]
        for event in events {
            let isLate = Int.random(in: 0..<20, using: &random) == 0
            deliveries[isLate ? 1 : 0].append(event)
            if Int.random(in: 0..<10, using: &random) == 0 { deliveries[2].append(event) }
        }
        deliveries[1].shuffle(using: &random)
        return deliveries
    }

    @Test(arguments: Seeds.fresh(2))
    func `late and repeated events of interleaved sources give the same trips`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = Self.events(seed: seed)
        let inOrder = try TemporaryLedger()
        try inOrder.append(events)
        let expected = try inOrder.rowsWithoutArrival()
        #expect(expected.count >= Self.sourceCount, "seed \(seed)")
        let book = try TemporaryLedger()
        for delivery in Self.deliveries(of: events, using: &random) {
            try book.append(delivery)
            _ = try book.ledger.project()
        }
        #expect(try book.rowsWithoutArrival() == expected, "seed \(seed)")
        #expect(try book.ledger.head().size == inOrder.ledger.head().size, "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2), [0, 200_000])
    func `the same rows follow when few folds stay in memory`(seed: UInt64, bytes: Int) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        for delivery in Self.deliveries(of: Self.events(seed: seed), using: &random) {
            try book.append(Array(delivery.prefix(1_500)))
        }
        let directory = try TemporaryDirectory()
        let store = try ViewStore.create(at: FilePath(directory.path).appending("views"))
        defer { store.close() }
        let writer = store.forFilling()
        var runner = ProjectionRunner(
            log: book.ledger.log,
            rules: book.ledger.rules,
            changing: writer,
            from: ViewCursor(versions: ViewSet.versions)
        )
        runner.trackers.keptFolds = KeptFolds(mostBytes: bytes)
        try runner.run(upTo: book.ledger.log.head().size)
        var check = ViewCheck(
            writer.views,
            at: runner.cursor,
            log: book.ledger.log,
            rules: book.ledger.rules
        )
        #expect(try check.differences { _ in }.isEmpty, "seed \(seed)")
    }
}
