import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import Testing
import TripEvents
import TripTracking
import TripsProjection

@Suite struct TripsProjectorTests {
    @Test(arguments: TrackingPreset.allCases, Seeds.fresh(6))
    func `the laws hold for drives with every fault`(preset: TrackingPreset, seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        let rules = TrackingRules(.v1, preset: preset)
        try ProjectorLaws.check(TripsProjector(), events: events, rules: rules, seed: seed)
    }

    @Test(arguments: Scenario.allCases)
    func `the laws hold for every scenario`(scenario: Scenario) throws {
        let events = DriveSimulator.events(of: scenario)
        try ProjectorLaws.check(TripsProjector(), events: events, seed: 1)
    }

    @Test func `each trip is one row, whatever happens to it`() {
        let projector = TripsProjector()
        var rows = MemoryRows()
        var trip = TripRowTests.trip(high: 7)
        projector.evolve(.opened(trip), in: &rows)
        trip.distance = Distance(millimeters: 5)
        projector.evolve(.updated(trip), in: &rows)
        trip.status = .completed
        projector.evolve(.ended(trip), in: &rows)
        #expect(rows.inOrder.map(\.value) == [TripRow(trip).value])
        #expect(rows.value(forKey: TripRow.key(of: trip.id)) == TripRow(trip).value)
    }

    @Test func `a withdrawn trip has no row`() {
        let projector = TripsProjector()
        var rows = MemoryRows()
        let stays = TripRowTests.trip(high: 1)
        let goes = TripRowTests.trip(high: 2)
        projector.evolve(.ended(stays), in: &rows)
        projector.evolve(.opened(goes), in: &rows)
        projector.evolve(.withdrawn(goes.id), in: &rows)
        #expect(rows.inOrder.map(\.value) == [TripRow(stays).value])
    }
}
