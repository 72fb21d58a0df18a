import Projections
import RoutinesProjection
import TotalsProjection
import TripEvents
import TripsProjection

@testable import TripLedger

// Single questions, each with a snapshot of its own: what a test asks stands in one line.
extension Ledger {
    func trip(_ reference: TripReference) throws(LedgerError) -> TripRow {
        try reading { try $0.trip(reference) }
    }

    func trips(_ filter: TripFilter = TripFilter()) throws(LedgerError) -> [TripRow] {
        try reading { try $0.trips(filter) }
    }

    func history(of trip: TripID) throws(LedgerError) -> [TripAmendment] {
        try reading { try $0.history(of: trip) }
    }

    func orphans() throws(LedgerError) -> [OrphanedDecision] {
        try reading { try $0.orphans() }
    }

    func status(asOf instant: Timestamp) throws(LedgerError) -> LedgerStatus {
        try reading { try $0.status(asOf: instant) }
    }

    func routines() throws(LedgerError) -> RoutineCatalogue {
        try reading { try $0.routines() }
    }

    func rulesInForce() throws(LedgerError) -> [SourceRules] {
        try reading { try $0.rulesInForce() }
    }

    func totals(
        by grouping: TotalsGrouping,
        in period: LocalPeriod
    ) throws(LedgerError) -> TotalsTable {
        try reading { try $0.totals(by: grouping, in: period) }
    }

    func explain(_ reference: TripReference) throws(LedgerError) -> TripExplanation {
        try reading { try $0.explain(reference) }
    }

    func canSplit(_ trip: TripID, at instant: Timestamp) throws(LedgerError) -> Bool {
        try reading { try $0.canSplit(trip, at: instant) }
    }

    func parts(ofSplit trip: TripID) throws(LedgerError) -> [TripRow] {
        try reading { try $0.parts(ofSplit: trip) }
    }

    func visits(_ filter: VisitFilter = VisitFilter()) throws(LedgerError) -> [SourceVisit] {
        try reading { try $0.visits(filter) }
    }

    func changes(since start: ChangesStart) throws(LedgerError) -> LedgerChanges {
        try reading { try $0.changes(since: start) }
    }

    func planErasure(of positions: RangeSet<UInt64>) throws(LedgerError) -> ErasurePlan {
        try reading { try $0.planErasure(of: positions) }
    }

    func planErasure(of trip: TripReference) throws(LedgerError) -> ErasurePlan {
        try reading { try $0.planErasure(of: trip) }
    }

    func places() throws(LedgerError) -> PlaceBook {
        try reading { try $0.places() }
    }

    func vehicles() throws(LedgerError) -> VehicleBook {
        try reading { try $0.vehicles() }
    }
}
