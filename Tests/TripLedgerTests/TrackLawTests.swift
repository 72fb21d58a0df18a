import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// A track holds every fix once, with what an explanation says of it.
@Suite struct TrackLawTests {
    /// What trips say of a fix.
    private struct Said: Hashable {
        var trip: TripID?
        var verdict: Verdict?
    }

    @Test(arguments: Seeds.fresh(6))
    func `every fix comes once, in order of time, as its trip explains it`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        try book.ledger.read { snapshot in
            var said: [UInt64: Set<Said>] = [:]
            for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
                let id = row.trip.id
                for event in try snapshot.explain(.prefix(id.description)).events {
                    let one = Said(trip: row.booked.mergedInto ?? id, verdict: event.verdict)
                    said[event.stored.position, default: []].insert(one)
                }
            }
            var logged: Set<UInt64> = []
            try snapshot.scanLog(from: 0) { stored in
                if case .fixRecorded = stored.event.body { logged.insert(stored.position) }
                return true
            }
            var found: [TrackedFix] = []
            try snapshot.readFixes(ofSources: [], in: nil) { found.append($0) }
            #expect(found.count == logged.count, "seed \(seed)")
            #expect(Set(found.map(\.stored.position)) == logged, "seed \(seed)")
            for (fix, next) in zip(found, found.dropFirst())
            where fix.stored.event.source == next.stored.event.source {
                #expect(fix.time.timestamp <= next.time.timestamp, "seed \(seed)")
            }
            for fix in found {
                let expected = said[fix.stored.position] ?? [Said()]
                #expect(
                    expected.contains(Said(trip: fix.trip, verdict: fix.verdict)),
                    "seed \(seed), position \(fix.stored.position)"
                )
            }
            try expectParts(of: found, snapshot, seed: seed)
        }
    }

    /// Days and sources choose among all fixes, and a trip has its own.
    private func expectParts(
        of all: [TrackedFix],
        _ snapshot: borrowing Snapshot,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let some = try #require(all.randomElement(using: &random))
        let day = CivilDate(of: some.time)
        let period = LocalPeriod(
            from: day,
            to: day,
            localDay: LocalDay(zone: try TimeZoneRules.ofMachine(named: "UTC"))
        )
        let source = some.stored.event.source
        var found: [UInt64] = []
        try snapshot.readFixes(ofSources: [source], in: period) {
            found.append($0.stored.position)
        }
        let expected = all.filter { $0.stored.event.source == source && period.contains($0.time) }
        #expect(found == expected.map(\.stored.position), "seed \(seed)")

        for row in try snapshot.trips() {
            let events = try snapshot.explain(.prefix(row.trip.id.description)).events
            var positions: [UInt64] = []
            try snapshot.readFixes(of: [row.trip.id]) { positions.append($0.stored.position) }
            let fixes = events.filter { event in
                if case .fixRecorded = event.stored.event.body { true } else { false }
            }
            #expect(positions == fixes.map(\.stored.position), "seed \(seed)")
        }
    }
}
