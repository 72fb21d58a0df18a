import Projections
import ProjectorTestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct DriverBookTests {
    private static func decision(
        _ number: UInt64,
        at milliseconds: Int64,
        _ body: EventBody
    ) throws -> Decision {
        let event = TripEvent(
            source: "manual",
            occurredAt: Timestamp(milliseconds: milliseconds),
            body: body
        )
        let identity = IdentityDigest(words: [number, 0, 0, 0])
        return try #require(
            Decision(event, identity: identity, recordedAt: event.occurredAt)
        )
    }

    @Test func `a press says who drives a trip about which nothing was decided`() {
        var trip = SampleTrip.active(high: 1, startedAt: 5_000)
        trip.driver = "Ida"
        #expect(BookedTrip(trip).details == TripDetails(driver: "Ida"))
        #expect(DriverBook().driver(of: BookedTrip(trip)) == "Ida")
    }

    @Test func `the trip's own word comes before its vehicle's, and that before its source's`()
        throws
    {
        let vehicles = VehicleBook([
            try Self.decision(
                1,
                at: 0,
                .vehicleRegistered(VehicleRegistered(vehicle: "van", driver: "Tom"))
            )
        ])
        let said = SettingsChanged(driver: .set("Eva"), appliesTo: "phone")
        let taken = SettingsChanged(driver: .cleared, appliesTo: "phone")
        let settings = SettingsBook(
            founding: LedgerCreated(
                ledger: "l",
                timeZone: "UTC",
                units: .kilometers,
                rulesVersion: "1"
            ),
            [
                try Self.decision(2, at: 1_000, .settingsChanged(said)),
                try Self.decision(3, at: 9_000, .settingsChanged(taken)),
            ]
        )
        let book = DriverBook(vehicles: vehicles, settings: settings)
        func driver(at start: Int64, _ change: (inout TripDetails) -> Void) -> String? {
            var trip = SampleTrip.active(high: 1, startedAt: start)
            trip.source = "phone"
            var booked = BookedTrip(trip)
            change(&booked.details)
            return book.driver(of: booked)
        }
        #expect(driver(at: 5_000) { _ in } == "Eva")
        #expect(driver(at: 500) { _ in } == nil)
        #expect(driver(at: 9_500) { _ in } == nil)
        #expect(driver(at: 5_000) { $0.vehicle = "van" } == "Tom")
        #expect(
            driver(at: 5_000) {
                $0.vehicle = "van"
                $0.driver = "Ida"
            } == "Ida"
        )
        #expect(
            settings.driverSayings(at: Timestamp(milliseconds: 5_000)).map(\.source) == ["phone"]
        )
    }
}
