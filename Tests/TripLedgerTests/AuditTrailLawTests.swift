import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
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
                let field = "\(line.setting?.text ?? ""), \(line.change.field)"
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

    @Test(arguments: Seeds.fresh(8))
    func `two periods that are all days have every change between them`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let localDay = LocalDay(zone: .utc)
        try book.ledger.read { snapshot in
            let trail = try snapshot.auditTrail()
            #expect(try snapshot.auditTrail(in: LocalPeriod(localDay: localDay)) == trail)
            for year in [2023, 2025, 2027, 2030] {
                let last = try #require(CivilDate(year: year, month: 6, day: 30))
                let first = CivilDate(daysSince1970: last.daysSince1970 + 1)
                let before = LocalPeriod(to: last, localDay: localDay)
                let after = LocalPeriod(from: first, localDay: localDay)
                let both = try snapshot.auditTrail(in: before) + snapshot.auditTrail(in: after)
                #expect(Set(both) == Set(trail), "seed \(seed), \(year)")
            }
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `a change came after a report if its entry is none of those that the report was made from`(
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let head = try book.ledger.head()
        var random = SplitMix64(seed: seed)
        let day = try #require(CivilDate(year: 2025, month: 1, day: 1))
        let middles = (0..<3).map { _ in UInt64.random(in: 0...head.size, using: &random) }
        // The entries of one append have the same time: only their positions tell.
        for size in [0, head.size] + middles {
            let content = ReportIssued(
                report: "log",
                periodStart: day,
                periodEnd: day,
                outputHash: head.root,
                treeSize: size,
                treeHash: head.root
            )
            let now = EventTime(Timestamp(milliseconds: 1_790_000_000_000))
            _ = try book.ledger.issue(content, now: now)
        }
        try book.ledger.read { snapshot in
            let trail = try snapshot.auditTrail()
            let known = try snapshot.reports(about: LocalPeriod(localDay: LocalDay(zone: .utc)))
            #expect(known.reports.count == 5, "seed \(seed)")
            for report in known.reports {
                let size = report.head.size
                let later = trail.filter { known.isLater($0, than: report) }
                if size == 0 { #expect(later == trail, "seed \(seed)") }
                if size == head.size { #expect(later.isEmpty, "seed \(seed)") }
                #expect(
                    later.filter { $0.setting != nil } == (try snapshot.settingChanges(from: size)),
                    "seed \(seed), size \(size)"
                )
                let amended = try snapshot.changes(since: .size(size)).amendments
                #expect(
                    Set(amended.map { AuditLine($0.amendment) }).isSubset(of: later),
                    "seed \(seed), size \(size)"
                )
            }
            let other = try #require(CivilDate(year: 2024, month: 12, day: 31))
            let before = LocalPeriod(to: other, localDay: LocalDay(zone: .utc))
            #expect(try snapshot.reports(about: before).reports.isEmpty)
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `its marked lines are those of decisions that have no effect, and of those taken back`(
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        // The places and rules of a rare seed leave no trip.
        let first = try book.ledger.trips(TripFilter(includesUncounted: true)).first
        if let trip = first?.trip.id {
            let edit = DetailsEdited(trip: trip, fields: ["nowhere": .null])
            let event = TripEvent(
                source: "elsewhere",
                occurredAt: book.now,
                body: .detailsEdited(edit)
            )
            try book.append([event])
        }
        try book.ledger.read { snapshot in
            let rows = try snapshot.trips(TripFilter(includesUncounted: true))
            let groups = Dictionary(rows.map { ($0.trip.id, $0.trip.group) }) { first, _ in first }
            var listed: [IdentityDigest: String] = [:]
            for found in try snapshot.decisionsWithoutEffect() {
                let decision = found.decision
                if found.obstacle == .isMissing {
                    // Decisions about trips that are not there stand in no history, and a merge
                    // has its effect on two trips that are.
                    let there = Set(decision.namedTrips)
                        .filter { trip in groups[trip].map { decision.concerns($0) } ?? false }
                    guard there.count == 1, listed[decision.order.identity] == nil else { continue }
                }
                listed[decision.order.identity] = found.obstacle.name
            }
            var marked: [IdentityDigest: String] = [:]
            var takenBack: Set<IdentityDigest> = []
            for row in rows {
                let history = try snapshot.history(of: row.trip.id)
                let decisions = try snapshot.decisions(about: row.trip.id)
                let end = decisions.lastIndex { $0.event.body.kind == .tripRestored } ?? 0
                takenBack.formUnion(decisions[..<end].map(\.order.identity))
                for line in history {
                    guard let obstacle = line.withoutEffect else { continue }
                    #expect(marked[line.decision] ?? obstacle.name == obstacle.name)
                    marked[line.decision] = obstacle.name
                }
            }
            for (decision, reason) in listed {
                #expect(marked[decision] == reason, "seed \(seed), \(decision)")
            }
            for (decision, reason) in marked where listed[decision] == nil {
                #expect(takenBack.contains(decision), "seed \(seed), \(decision): \(reason)")
            }
            #expect(first == nil || listed.values.contains("unknown_field"), "seed \(seed)")
            let lines = try snapshot.auditTrail().filter { $0.withoutEffect != nil }
            #expect(Set(lines.compactMap(\.withoutEffect?.name)) == Set(marked.values))
        }
    }
}
