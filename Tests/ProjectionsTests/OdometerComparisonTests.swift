import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

@Suite struct OdometerComparisonTests {
    private func comparisons(
        _ readings: [(minute: Int64, kilometers: String)],
        trips: [(number: UInt64, minutes: ClosedRange<Int64>)],
        vehicle: String = "van"
    ) throws -> [OdometerComparison] {
        var book = Book()
        for reading in readings {
            let value = try #require(ExactDecimal(literal: reading.kilometers))
            try book.decide(
                .odometerRead(OdometerRead(vehicle: vehicle, value: value, unit: .kilometers)),
                at: reading.minute
            )
        }
        for trip in trips { try book.measure(Book.trip(trip.number, trip.minutes)) }
        return OdometerComparison.list(
            try book.vehicles.readings(of: vehicle),
            of: vehicle,
            with: Array(book.trips.values)
        )
    }

    // Trips of the book have ten metres for each minute.
    @Test func `the trips that start between two readings explain a share of the difference`()
        throws
    {
        let compared = try comparisons(
            [(100, "50"), (200, "51"), (300, "51.4")],
            trips: [(1, 0...99), (2, 100...130), (3, 199...219), (4, 200...240), (5, 300...301)]
        )
        #expect(compared.map(\.difference?.millimeters) == [nil, 1_000_000, 400_000])
        #expect(compared.map(\.driven?.millimeters) == [nil, 500_000, 400_000])
        #expect(compared.map(\.explainedThousandths) == [nil, 500, 1_000])
        #expect(compared.allSatisfy { !$0.isBackwards })
    }

    @Test func `an odometer that goes backwards is shown as it is`() throws {
        let compared = try comparisons([(1, "50"), (2, "49.9"), (3, "49.9")], trips: [])
        #expect(compared.map(\.difference?.millimeters) == [nil, -100_000, 0])
        #expect(compared.map(\.isBackwards) == [false, true, false])
        #expect(compared.map(\.explainedThousandths) == [nil, nil, nil])
    }

    @Test func `trips of other vehicles explain nothing`() throws {
        let compared = try comparisons(
            [(0, "1"), (200, "2")],
            trips: [(1, 10...110)],
            vehicle: "car"
        )
        #expect(compared.map(\.driven?.millimeters) == [nil, 0])
    }
}
