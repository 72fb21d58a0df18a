import DriveSimulation
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
}
