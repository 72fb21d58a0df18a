import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@Suite struct TripsProjectorTests {
    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(TripsProjector(), seed: seed)
    }

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

    @Test func `each trip is one row, whatever happens to it`() throws {
        var booked = BookedRows(TripsProjector())
        var trip = SampleTrip.active(high: 7)
        try booked.take(.opened(trip))
        trip.distance = Distance(millimeters: 5)
        try booked.take(.updated(trip))
        trip.status = .completed
        try booked.take(.ended(trip))
        #expect(try booked.decoded() == [TripRow(trip)])
        #expect(try booked.rows.value(forKey: TripRow.key(of: trip.id)) == TripRow(trip).value)
    }

    @Test func `a withdrawn trip has no row`() throws {
        var booked = BookedRows(TripsProjector())
        let stays = SampleTrip.active(high: 1)
        let goes = SampleTrip.active(high: 2)
        try booked.take(.ended(stays))
        try booked.take(.opened(goes))
        try booked.take(.withdrawn(goes.id))
        #expect(try booked.decoded() == [TripRow(stays)])
    }
}
