import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import Reports
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct ReconciliationTests {
    private static let period = LocalPeriod(localDay: LocalDay(zone: .utc))

    private static func at(_ minute: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_735_689_600_000 + minute * 60_000)
    }

    private static func trip(
        _ number: UInt64,
        _ minutes: ClosedRange<Int64>,
        millimeters: Int64 = 0,
        north: (from: Double, to: Double) = (0, 0)
    ) -> BookedTrip {
        var trip = SampleTrip.active(high: number)
        trip.startedAt = EventTime(at(minutes.lowerBound))
        trip.endedAt = EventTime(at(minutes.upperBound))
        trip.status = .completed
        trip.distance = Distance(millimeters: millimeters)
        // A degree of latitude at 52° is 111,276 m long.
        trip.start = Coordinate(latitude: 52 + north.from / 111_276, longitude: 4)
        trip.end = Coordinate(latitude: 52 + north.to / 111_276, longitude: 4)
        var booked = BookedTrip(trip)
        booked.details.vehicle = "van"
        return booked
    }

    private static func vehicles(
        _ readings: [(minute: Int64, millimeters: Int64)]
    ) throws -> VehicleBook {
        VehicleBook(
            try readings.enumerated()
                .map { index, reading in
                    let value = ExactDecimal(significand: reading.millimeters, decimals: 6)
                    let read = OdometerRead(
                        vehicle: "van",
                        value: try #require(value),
                        unit: .kilometers
                    )
                    let event = TripEvent(
                        source: "manual",
                        occurredAt: at(reading.minute),
                        body: .odometerRead(read)
                    )
                    let identity = IdentityDigest(words: [UInt64(index), 2, 0, 0])
                    return try #require(
                        Decision(event, identity: identity, recordedAt: event.occurredAt)
                    )
                }
        )
    }

    @Test(arguments: Seeds.fresh(60))
    func `what a simulated odometer went beside the trips is found to the millimetre`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var odometer: Int64 = Int64.random(in: 0...100_000_000_000, using: &random)
        var minute: Int64 = 0
        var readings: [(minute: Int64, millimeters: Int64)] = []
        var trips: [BookedTrip] = []
        var unexplained: [Int64] = []
        for number in UInt64(1)...60 {
            minute += Int64.random(in: 1...600, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                readings.append((minute, odometer))
                unexplained.append(0)
            case 1:
                let way = Int64.random(in: 0...80_000_000, using: &random)
                let end = minute + Int64.random(in: 1...60, using: &random)
                trips.append(Self.trip(number, minute...end, millimeters: way))
                odometer += way
                minute = end
            default:
                let way = Int64.random(in: 0...20_000_000, using: &random)
                odometer += way
                if !unexplained.isEmpty { unexplained[unexplained.count - 1] += way }
            }
        }
        var reconciliation = Reconciliation(
            in: Self.period,
            vehicles: try Self.vehicles(readings)
        )
        for trip in trips { reconciliation.add(trip) }
        let intervals = reconciliation.intervals
        #expect(intervals.count == max(0, readings.count - 1), "seed \(seed)")
        #expect(
            intervals.map(\.rest.millimeters) == unexplained.dropLast(),
            "seed \(seed)"
        )
        let first = readings.first?.millimeters ?? 0
        let last = readings.last?.millimeters ?? 0
        let whole = OdometerBalance.all(of: intervals).first
        #expect((whole?.difference.millimeters ?? 0) == last - first, "seed \(seed)")
        #expect(
            whole.map { $0.driven + $0.rest } == whole?.difference,
            "seed \(seed)"
        )
        #expect(reconciliation.clashes.isEmpty && reconciliation.jumps.isEmpty, "seed \(seed)")
    }

    @Test(
        arguments: [
            (100_000_000, 97_000_000, .within3Percent), (100_000_000, 103_000_000, .within3Percent),
            (100_000_000, 96_999_999, .within5Percent), (100_000_000, 95_000_000, .within5Percent),
            (100_000_000, 94_999_999, .beyond5Percent), (0, 0, .within3Percent),
            (0, 1, .beyond5Percent), (-1, 0, .backwards),
        ] as [(Int64, Int64, OdometerBand)]
    )
    func `the bands end at three and at five per cent exactly`(
        odometer: Int64,
        driven: Int64,
        band: OdometerBand
    ) throws {
        let book = try Self.vehicles([(0, 500_000_000), (100, 500_000_000 + odometer)])
        var reconciliation = Reconciliation(in: Self.period, vehicles: book)
        reconciliation.add(Self.trip(1, 10...20, millimeters: driven))
        #expect(reconciliation.intervals.map(\.band) == [band])
    }

    @Test func `an odometer that went on without a trip is told from one that did not`() throws {
        let book = try Self.vehicles([(0, 0), (100, 5_000_000), (200, 5_000_000)])
        let reconciliation = Reconciliation(in: Self.period, vehicles: book)
        #expect(reconciliation.intervals.map(\.band) == [.noTrips, .within3Percent])
    }

    @Test func `trips at the same time, and too far apart in too short a time, are named`() throws {
        var reconciliation = Reconciliation(in: Self.period, vehicles: VehicleBook())
        let trips = [
            Self.trip(1, 0...30, north: (0, 10_000)),
            Self.trip(2, 20...40, north: (10_000, 20_000)),
            // 30 km in six minutes are 300 km/h, and in eight 225.
            Self.trip(3, 46...50, north: (50_000, 50_000)),
            Self.trip(4, 58...60, north: (20_000, 20_000)),
        ]
        for trip in trips { reconciliation.add(trip) }
        #expect(reconciliation.clashes.map(\.later.high) == [2])
        #expect(reconciliation.clashes.map(\.milliseconds) == [600_000])
        #expect(reconciliation.jumps.map(\.later.high) == [3])
        #expect(reconciliation.jumps.map(\.milliseconds) == [360_000])
    }
}
