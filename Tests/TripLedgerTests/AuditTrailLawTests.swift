import LedgerTestSupport
import Projections
import Testing
import TripEvents
import TripLedger

/// The audit trail of a whole book.
@Suite struct AuditTrailLawTests {
    @Test(arguments: Seeds.fresh(8))
    func `it has the history of every trip once, and each setting goes on from what it was`(
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let size = try book.ledger.head().size
        try book.ledger.read { snapshot in
            let trail = try snapshot.auditTrail()
            var histories: Set<AuditLine> = []
            for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
                histories.formUnion(try snapshot.history(of: row.trip.id).map(AuditLine.init))
            }
            #expect(Set(trail.filter { $0.trip != nil }) == histories, "seed \(seed)")
            #expect(Set(trail).count == trail.count, "seed \(seed)")
            let times = trail.map(\.occurredAt.timestamp)
            #expect(times == times.sorted(), "seed \(seed)")

            var settings: [String: CustomValue] = [:]
            let changes = trail.filter { $0.setting != nil }
            for line in changes {
                let field = "\(line.setting ?? ""), \(line.change.field)"
                #expect(settings[field] == line.change.old, "seed \(seed), \(field)")
                #expect(line.change.old != line.change.new, "seed \(seed), \(field)")
                settings[field] = line.change.new
            }
            #expect(try snapshot.settingChanges() == changes, "seed \(seed)")
            #expect(try snapshot.settingChanges(from: size).isEmpty, "seed \(seed)")
            for actor in Set(trail.map(\.actor)) {
                guard let actor else { continue }
                #expect(
                    try snapshot.auditTrail(by: actor) == trail.filter { $0.actor == actor },
                    "seed \(seed), \(actor)"
                )
            }
        }
    }
}
