import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Long stretches that arrive in any order, and overlap or not, give the same trips: they are
/// decoded as whole stretches, and events that arrive out of order one by one.
@Suite struct LateStretchLawTests {
    /// Drives that are longer than what is decoded one by one, with movements at the instants of
    /// fixes, which come before them in event order.
    private func events(seed: UInt64, using random: inout SplitMix64) throws -> [TripEvent] {
        let drives = Array(
            DriveSimulator.drives(seed: seed, count: 5, fixesPerDrive: 700...1_500)
        )
        var events = drives
        for _ in 0..<30 {
            let fix = try #require(drives.randomElement(using: &random))
            let isOwn = Bool.random(using: &random)
            let motion = MotionChanged(state: .automotive, confidence: .high)
            events.append(
                TripEvent(
                    source: isOwn ? fix.source : "other",
                    occurredAt: fix.occurredAt,
                    body: .motionChanged(motion)
                )
            )
        }
        return events.sorted { $0.occurredAt < $1.occurredAt }
    }

    /// Returns the events in two deliveries, cut into pieces that come in any order; of some, every
    /// other event comes in the second one.
    private func deliveries(
        of events: [TripEvent],
        using random: inout SplitMix64
    ) -> [[TripEvent]] {
        let cuts = (0..<7).map { _ in Int.random(in: 0...events.count, using: &random) }.sorted()
        let pieces = zip([0] + cuts, cuts + [events.count]).map { events[$0..<$1] }
        var first: [TripEvent] = []
        var second: [TripEvent] = []
        for piece in pieces.shuffled(using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                for (index, event) in piece.enumerated() {
                    if index % 2 == 0 { first.append(event) } else { second.append(event) }
                }
            case 1...2:
                second += piece
            default:
                first += piece
            }
        }
        return [first, second]
    }

    @Test(arguments: Seeds.fresh(6))
    func `stretches that arrive in any order give the same trips`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = try events(seed: seed, using: &random)
        let inOrder = try TemporaryLedger()
        try inOrder.append(events)
        let expected = try inOrder.rowsWithoutArrival()
        #expect(expected.count >= 5, "seed \(seed)")

        let book = try TemporaryLedger()
        for delivery in deliveries(of: events, using: &random) {
            try book.append(delivery)
            _ = try book.ledger.project()
        }
        #expect(try book.rowsWithoutArrival() == expected, "seed \(seed)")
        #expect(try book.ledger.head().size == inOrder.ledger.head().size, "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
    }

    @Test func `what is older than a whole log is folded with it in one go`() throws {
        let drives = Array(DriveSimulator.drives(seed: 3, count: 20, fixesPerDrive: 900...1_100))
        let middle = drives.count / 2
        let inOrder = try TemporaryLedger()
        try inOrder.append(drives)
        let book = try TemporaryLedger()
        try book.append(Array(drives[middle...]))
        _ = try book.ledger.project()
        try book.append(Array(drives[..<middle]))
        let report = try book.ledger.project()
        #expect(report.refoldedSources == 1)
        #expect(try book.rowsWithoutArrival() == inOrder.rowsWithoutArrival())
        try expectSound(book.ledger)
    }
}
