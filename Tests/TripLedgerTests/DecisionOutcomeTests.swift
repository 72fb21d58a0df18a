import DriveSimulation
import LedgerTestSupport
import Projections
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// What a decision changed, as the command tells the person who decided.
@Suite struct DecisionOutcomeTests {
    @Test func `an outcome tells what one decision changed, and nothing of the others`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .tunnel, seed: 1, source: "phone"))
        let trip = try #require(try book.ledger.trips().first).trip.id

        let first = try book.decide(
            .detailsEdited(DetailsEdited(trip: trip, purpose: .set("roof"), client: .set("ACME")))
        )
        let second = try book.decide(
            .detailsEdited(DetailsEdited(trip: trip, purpose: .set("wall"), client: .set("ACME")))
        )
        let third = try book.decide(
            .detailsEdited(DetailsEdited(trip: trip, client: .set("ACME")))
        )
        #expect(try book.ledger.outcome(ofDecisionAt: first, for: trip).changes.count == 2)
        #expect(
            try book.ledger.outcome(ofDecisionAt: second, for: trip).changes
                == [FieldChange(field: "purpose", old: .text("roof"), new: .text("wall"))]
        )
        #expect(try book.ledger.outcome(ofDecisionAt: third, for: trip).changes == [])
    }

    @Test func `voiding twice and restoring what stands change nothing`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .tunnel, seed: 1, source: "phone"))
        let trip = try #require(try book.ledger.trips().first).trip.id
        let decided: [(EventBody, Int)] = [
            (.tripRestored(TripRestored(trip: trip)), 0), (.tripVoided(TripVoided(trip: trip)), 1),
            (.tripVoided(TripVoided(trip: trip)), 0), (.tripRestored(TripRestored(trip: trip)), 1),
        ]
        for (body, changes) in decided {
            let position = try book.decide(body)
            let outcome = try book.ledger.outcome(ofDecisionAt: position, for: trip)
            #expect(outcome.changes.count == changes, "\(body)")
            #expect(outcome.kind == body.kind)
        }
    }

    @Test func `an entry that is no decision has no outcome`() throws {
        let book = try TemporaryLedger()
        let trip = TripID(high: 1, low: 2)
        for position: UInt64 in [0, 99] {
            let error = #expect(throws: LedgerError.self) {
                try book.ledger.outcome(ofDecisionAt: position, for: trip)
            }
            #expect(error?.code == .notFound)
        }
    }
}

extension TemporaryLedger {
    /// Appends a decision and returns its position.
    fileprivate func decide(_ body: EventBody) throws -> UInt64 {
        let event = TripEvent(source: "manual", occurredAt: now, actor: "Eva", body: body)
        guard case .appended(let position) = try append([event])[0] else {
            throw Rejection(.invalidValue, sentence: "\(body) was not appended")
        }
        return position
    }
}
