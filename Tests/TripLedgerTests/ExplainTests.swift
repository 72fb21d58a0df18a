import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// An explanation computes a trip again, and comes to what the view says.
@Suite struct ExplainTests {
    @Test(arguments: Scenario.allCases)
    func `every trip of every scenario is confirmed, fix by fix`(scenario: Scenario) throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: scenario, source: "phone"))
        for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
            let id = row.trip.id.description
            let reference = try #require(TripReference(id))
            let explanation = try book.ledger.explain(reference)
            #expect(explanation.isConfirmed, "\(scenario) \(id)")
            #expect(explanation.events.last?.sum == explanation.trip.distance, "\(scenario)")
            let accepted = explanation.events.count { $0.verdict == .accepted }
            #expect(accepted == Int(row.trip.fixes[.accepted]), "\(scenario)")
        }
    }

    /// With it a split ends a trip, and the part that it begins ends in the same instant.
    private static let seedOfShortPart: UInt64 = 1_019_095_065

    @Test(arguments: Seeds.fresh(6) + [seedOfShortPart])
    func `every trip is confirmed, whatever people decided about it`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
            let id = row.trip.id.description
            let explanation = try book.ledger.explain(try #require(TripReference(id)))
            let comment: Comment = "seed \(seed), trip \(id)"
            #expect(explanation.trip == row.trip, comment)
            #expect(explanation.isConfirmed, comment)
            #expect((explanation.events.last?.sum ?? .zero) == row.trip.distance, comment)
            #expect(
                explanation.events.map(\.gap).reduce(.zero, +) == row.trip.gaps.distance,
                comment
            )
            for verdict in Verdict.allCases {
                let count = explanation.events.count { $0.verdict == verdict }
                if [.accepted, .jitter, .afterGap].contains(verdict) {
                    #expect(count == Int(row.trip.fixes[verdict]), comment)
                }
            }
        }
    }

    @Test func `an explanation whose lines do not add up is not confirmed`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .homeToOffice, source: "phone"))
        let explanation = try book.ledger.explain(.last)
        try explanation.confirm(in: book.ledger.path)

        var short = explanation
        short.events.removeLast(2)
        var wide = explanation
        wide.events[1].gap += explanation.trip.distance
        for wrong in [short, wide] {
            #expect(!wrong.addsUp)
            #expect(throws: LedgerError.self) { try wrong.confirm(in: book.ledger.path) }
        }
    }

    @Test func `people do everything to trips that has to be explained`() throws {
        var causes: Set<TripCause> = []
        var statuses: Set<BookedStatus> = []
        var flags: BookedFlags = []
        for seed in 1...4 as ClosedRange<UInt64> {
            let book = try TemporaryLedger()
            try book.append(try Arrival.events(seed: seed))
            for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
                causes.insert(row.trip.startedBy)
                statuses.insert(row.booked.status)
                flags.formUnion(row.booked.flags)
            }
        }
        #expect(causes == [.press, .motion, .movement, .resumed, .report, .split])
        #expect(statuses == Set(BookedStatus.allCases))
        // Nothing is erased here, no odometer read at GO and STOP, no routine applies by itself:
        // ErasureLawTests, OdometerLogbookLawTests and RoutineRuleTests do that.
        #expect(flags == BookedFlags.all.subtracting([.erased, .odometer, .byRule]))
    }
}
