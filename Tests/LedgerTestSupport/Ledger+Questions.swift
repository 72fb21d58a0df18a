package import LedgerKeeping
package import Projections
package import RoutinesProjection
package import TotalsProjection
package import TripEvents
package import TripLedger
package import TripsProjection

// Single questions, each with a snapshot of its own: what a test asks stands in one line.
extension Ledger {
    package func trip(_ reference: TripReference) throws(LedgerError) -> TripRow {
        try reading { try $0.trip(reference) }
    }

    package func trips(_ filter: TripFilter = TripFilter()) throws(LedgerError) -> [TripRow] {
        try reading { try $0.trips(filter) }
    }

    package func history(of trip: TripID) throws(LedgerError) -> [TripAmendment] {
        try reading { try $0.history(of: trip) }
    }

    package func decisionsWithoutEffect() throws(LedgerError) -> [DecisionWithoutEffect] {
        try reading { try $0.decisionsWithoutEffect() }
    }

    package func status(asOf instant: Timestamp) throws(LedgerError) -> LedgerStatus {
        try reading { try $0.status(asOf: instant) }
    }

    package func routines() throws(LedgerError) -> RoutineCatalogue {
        try reading { try $0.routines() }
    }

    package func rulesInForce() throws(LedgerError) -> [SourceRules] {
        try reading { try $0.rulesInForce() }
    }

    package func totals(
        by grouping: TotalsGrouping,
        in period: LocalPeriod
    ) throws(LedgerError) -> TotalsTable {
        try reading { try $0.totals(by: grouping, in: period) }
    }

    package func explain(_ reference: TripReference) throws(LedgerError) -> TripExplanation {
        try reading { try $0.explain(reference) }
    }

    package func canSplit(_ trip: TripID, at instant: Timestamp) throws(LedgerError) -> Bool {
        try reading { try $0.canSplit(trip, at: instant) }
    }

    package func parts(ofSplit trip: TripID) throws(LedgerError) -> [TripRow] {
        try reading { try $0.parts(ofSplit: trip) }
    }

    package func inferences(
        _ filter: InferenceFilter = InferenceFilter(),
        beside booked: BookedTrip? = nil
    ) throws(LedgerError) -> [ReportedInference] {
        try reading { try $0.inferences(filter, beside: booked) }
    }

    package func visits(_ filter: VisitFilter = VisitFilter()) throws(LedgerError) -> [SourceVisit]
    {
        try reading { try $0.visits(filter) }
    }

    package func changes(since start: ChangesStart) throws(LedgerError) -> LedgerChanges {
        try reading { try $0.changes(since: start) }
    }

    package func planErasure(of positions: RangeSet<UInt64>) throws(LedgerError) -> ErasurePlan {
        try reading { try $0.planErasure(of: positions) }
    }

    package func planErasure(of trip: TripReference) throws(LedgerError) -> ErasurePlan {
        try reading { try $0.planErasure(of: trip) }
    }

    package func places() throws(LedgerError) -> PlaceBook {
        try reading { try $0.places() }
    }

    package func vehicles() throws(LedgerError) -> VehicleBook {
        try reading { try $0.vehicles() }
    }
}
