import Projections
import ProjectorTestSupport
import Testing
import TripEvents

@testable import TripLedger

@Suite struct ExpensesOfTripsTests {
    private static let hour: Int64 = 3_600_000

    /// A trip of half an hour that begins at an hour.
    private static func trip(
        _ number: UInt64,
        at hour: Int64,
        vehicle: String,
        of group: String? = nil
    ) -> BookedTrip {
        let start = hour * Self.hour
        var trip = SampleTrip.active(high: number, startedAt: start)
        trip.group = group
        trip.endedAt = EventTime(Timestamp(milliseconds: start + Self.hour / 2))
        var booked = BookedTrip(trip)
        booked.status = .completed
        booked.details.vehicle = vehicle
        return booked
    }

    /// A toll that was paid some minutes after an hour.
    private static func toll(
        at hour: Int64,
        of group: String? = nil,
        for trip: BookedTrip? = nil
    ) throws -> Decision {
        var toll = ExpenseRecorded(kind: .toll, amount: 5, currency: "EUR")
        toll.trip = trip?.id
        toll.tripStartedAt = trip?.trip.startedAt
        let paidAt = Timestamp(milliseconds: hour * Self.hour + 600_000)
        let event = TripEvent(
            source: "manual",
            group: group,
            occurredAt: paidAt,
            body: .expenseRecorded(toll)
        )
        let identity = IdentityDigest(words: [UInt64(hour), 1, 0, 0])
        return try #require(Decision(event, identity: identity, recordedAt: paidAt))
    }

    /// What is found among tolls once trips were taken.
    private static func found(_ tolls: [Decision], _ trips: [BookedTrip]) -> ExpensesOfTrips {
        var found = ExpensesOfTrips(ExpenseBook(tolls), TripOverlaps(), vehicles: VehicleBook())
        let localDay = LocalDay(zone: .utc)
        for booked in trips { _ = found.take(of: booked, .init(booked, localDay: localDay)) }
        return found
    }

    @Test func `a toll of a trip that has gone is not also said by the one in its place`() throws {
        var stays = Self.trip(1, at: 8, vehicle: "car")
        var fields = CustomFields()
        fields["tolls"] = .number(5)
        fields["parking"] = .number(3)
        stays.details.fields = fields
        let gone = Self.trip(2, at: 8, vehicle: "car")
        let found = Self.found([try Self.toll(at: 8, for: gone)], [stays])
        #expect(found.rest.map { $0.trip != nil } == [true])
        #expect(found.payments.map { $0.kind } == [.parking])
    }

    @Test func `a toll without a vehicle is of the only car of its group`() throws {
        let tolls = [try Self.toll(at: 8, of: "17"), try Self.toll(at: 10)]
        var trips = [
            Self.trip(1, at: 8, vehicle: "golf", of: "17"),
            Self.trip(2, at: 10, vehicle: "polo", of: "18"),
        ]
        #expect(Set(Self.found(tolls, trips).tripsByTime.values) == Set(trips.map(\.id)))
        trips.append(Self.trip(3, at: 12, vehicle: "van", of: "17"))
        #expect(Array(Self.found(tolls, trips).tripsByTime.values) == [trips[1].id])
        trips.append(Self.trip(4, at: 14, vehicle: "bus"))
        #expect(Self.found(tolls, trips).tripsByTime.isEmpty)
    }
}
