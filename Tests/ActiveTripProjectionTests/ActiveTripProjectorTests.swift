import ActiveTripProjection
import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import RowCoding
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct ActiveTripProjectorTests {
    private static let start = Timestamp(milliseconds: 1_740_987_000_000)

    private static func trip(_ number: UInt64 = 1) -> Trip {
        Trip(
            id: TripID(high: number, low: 0),
            source: "phone",
            vehicle: "van",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: EventTime(start, utcOffset: UTCOffset(minutes: 60)),
            recorded: Trip.Recorded(firstAt: start, lastAt: start)
        )
    }

    private static func edit(_ trip: TripID, _ edit: DetailsEdited) throws -> Decision {
        let event = TripEvent(
            source: "manual",
            occurredAt: start.advanced(byMilliseconds: 60_000),
            body: .detailsEdited(edit)
        )
        let identity = ProjectorLaws.identity(of: event)
        return try #require(
            Decision(event, identity: identity, recordedAt: event.occurredAt)
        )
    }

    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(ActiveTripProjector(), seed: seed)
    }

    @Test(arguments: TrackingPreset.allCases, Seeds.fresh(4))
    func `the laws hold for drives with every fault`(preset: TrackingPreset, seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        let rules = TrackingRules(.v1, preset: preset)
        try ProjectorLaws.check(ActiveTripProjector(), events: events, rules: rules, seed: seed)
    }

    @Test(arguments: Scenario.allCases)
    func `the laws hold for every scenario`(scenario: Scenario) throws {
        let events = DriveSimulator.events(of: scenario)
        try ProjectorLaws.check(ActiveTripProjector(), events: events, seed: 1)
    }

    @Test func `a trip has a row as long as it goes on`() throws {
        var booked = BookedRows(ActiveTripProjector())
        var trip = Self.trip()
        try booked.take(.opened(trip))
        #expect(try booked.decoded() == [ActiveTripRow(BookedTrip(trip))])
        trip.distance = Distance(millimeters: 5)
        let before = booked.rows
        try booked.take(.updated(trip))
        #expect(booked.rows == before, "how far it has got is not in the row")
        trip.status = .completed
        try booked.take(.ended(trip))
        #expect(try booked.decoded() == [])
    }

    @Test func `a trip that turns out not to have ended has a row again`() throws {
        var booked = BookedRows(ActiveTripProjector())
        let trip = Self.trip()
        var ended = trip
        ended.status = .completed
        try booked.take(.ended(ended))
        try booked.take(.updated(trip))
        #expect(try booked.decoded().map(\.trip) == [trip.id])
        try booked.take(.withdrawn(trip.id))
        #expect(try booked.decoded() == [])
    }

    @Test func `what people say about a trip on its way is in its row`() throws {
        var booked = BookedRows(ActiveTripProjector())
        let trip = Self.trip()
        try booked.take(.opened(trip))
        var edit = DetailsEdited(trip: trip.id)
        edit.purpose = .set("Client visit")
        edit.vehicle = .set("car")
        try booked.take(try Self.edit(trip.id, edit))
        let row = try #require(try booked.decoded().first)
        #expect(row.details.purpose == "Client visit")
        #expect(row.details.vehicle == "car")
        #expect(row.startedAt == trip.startedAt)
        #expect(row.source == "phone")
    }

    @Test func `rows are in order of start`() throws {
        var booked = BookedRows(ActiveTripProjector())
        for (number, minutes) in [(3, 0), (1, 2), (2, -1)] as [(UInt64, Int64)] {
            var trip = Self.trip(number)
            trip.source = "phone \(number)"
            trip.startedAt.timestamp = Self.start.advanced(byMilliseconds: minutes * 60_000)
            try booked.take(.opened(trip))
        }
        #expect(try booked.decoded().map(\.trip.high) == [2, 3, 1])
    }

    @Test func `bytes that are no row are refused`() throws {
        let bytes = ActiveTripRow(BookedTrip(Self.trip())).value
        for length in 0..<bytes.count {
            #expect(throws: RowCodingError.self) {
                try ActiveTripRow(decoding: Array(bytes.prefix(length)))
            }
        }
        #expect(throws: RowCodingError.trailingBytes) { try ActiveTripRow(decoding: bytes + [0]) }
        #expect(throws: RowCodingError.unknownVersion(9)) {
            try ActiveTripRow(decoding: [9] + bytes.dropFirst())
        }
    }
}
