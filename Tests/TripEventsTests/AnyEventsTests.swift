import DriveSimulation
import LedgerTestSupport
import Testing
import TripLedger

@testable import TripEvents

/// Whatever the ledger takes, it can read: an event that is stored stays, and one that made the
/// views unreadable would make the ledger so.
@Suite struct AnyEventsTests {
    @Test(arguments: Seeds.fresh(12))
    func `views can be read after any events`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        var random = RandomEvents(seed: seed)
        var taken = 0
        for _ in 0..<4 {
            let events = try (0..<50)
                .map { _ in
                    let kinds = EventKind.allCases.filter { !$0.isReserved }
                    var event = try random.event(
                        kinds[Int.random(in: kinds.indices, using: &random.generator)]
                    )
                    // Few sources and one week, so that events meet.
                    event.source = ["a", "b"][Int.random(in: 0...1, using: &random.generator)]
                    event.occurredAt = Timestamp(
                        milliseconds: 1_790_000_000_000
                            + Int64.random(in: 0...604_800_000, using: &random.generator)
                    )
                    return event
                }
            for receipt in try book.append(events) {
                if case .appended = receipt { taken += 1 }
            }
            _ = try book.ledger.trips()
            _ = try book.ledger.visits()
            _ = try book.ledger.inferences()
            _ = try book.ledger.routines()
            _ = try book.ledger.status(asOf: RandomEvents.recordedAt)
        }
        #expect(taken > 50, "seed \(seed): only \(taken) events were taken")
        try expectSound(book.ledger, "seed \(seed)")
    }
}
