import Geodesy
import Projections
import RowCoding
import Testing
import TripEvents
import TripTracking
import TripsProjection

@Suite struct TripRowTests {
    /// An active trip that started at a given time.
    static func trip(high: UInt64, startedAt milliseconds: Int64 = 1_700_000_000_000) -> Trip {
        let startedAt = Timestamp(milliseconds: milliseconds)
        return Trip(
            id: TripID(high: high, low: 0x0102_0304_0506_0708),
            source: "phone",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: EventTime(startedAt),
            recorded: Trip.Recorded(
                firstAt: startedAt.advanced(byMilliseconds: 40),
                lastAt: startedAt.advanced(byMilliseconds: 90)
            )
        )
    }

    /// A trip in which everything is known.
    static func fullTrip() -> Trip {
        var trip = trip(high: 0x00FF_1122_3344_5566, startedAt: 1_710_000_000_123)
        trip.source = "Jörg’s \"phone\"\n"
        trip.vehicle = "van"
        trip.status = .abandoned
        trip.abandonReason = .noPosition
        trip.endedBy = .press
        trip.startedAt.utcOffset = UTCOffset(minutes: 60)
        trip.endedAt = EventTime(
            Timestamp(milliseconds: 1_710_000_100_000),
            utcOffset: UTCOffset(minutes: -90)
        )
        trip.start = Coordinate(latitude: 51.927, longitude: 4.362)
        trip.end = Coordinate(latitude: -0.000_000_1, longitude: 180)
        trip.distance = Distance(millimeters: 6_123_045)
        trip.gaps = GapTotal(
            count: 2,
            milliseconds: 76_001,
            distance: Distance(millimeters: 999)
        )
        for (index, verdict) in Verdict.allCases.enumerated() {
            trip.fixes[verdict] = Int64(index + 1)
        }
        trip.samplingMilliseconds = 1_500
        trip.maximumSpeedMetersPerSecond = 33.333_333
        trip.movingMilliseconds = 98_765
        trip.rules = RulesName(version: .v1, preset: .logger, isCustom: true)
        trip.flags = .all
        return trip
    }

    /// A trip about which everything that can be said was said.
    static func fullBookedTrip() -> BookedTrip {
        var booked = BookedTrip(fullTrip())
        booked.isMeasured = false
        booked.status = .voided
        booked.mergedInto = TripID(high: 3, low: 4)
        booked.parts = [TripID(high: 1, low: 2), TripID(high: 3, low: 4)]
        booked.origin = "Home"
        booked.destination = "Office"
        booked.importedFrom = "trips.csv"
        booked.details = TripDetails(
            title: "Visit",
            purpose: "Roof",
            notes: "Two\nlines",
            category: "Sales",
            client: "ACME",
            vehicle: "car",
            tripClass: .business,
            fields: ["gate": .text("B"), "toll": .boolean(false), "wet": .boolean(true)]
        )
        booked.routine = "Weekly visit"
        booked.adjusted = Distance(millimeters: 7_000_001)
        booked.flags = .all
        let recordedAt = Timestamp(milliseconds: 1_720_000_000_000)
        booked.detailsRecorded = Trip.Recorded(
            firstAt: recordedAt,
            lastAt: recordedAt.advanced(byMilliseconds: 1_001)
        )
        return booked
    }

    @Test func `a row round-trips`() throws {
        for trip in [BookedTrip(Self.trip(high: 1)), Self.fullBookedTrip()] {
            #expect(try TripRow(decoding: TripRow(trip).value).booked == trip)
        }
    }

    @Test func `a row that was cut off, lengthened or of another version is refused`() throws {
        let value = TripRow(Self.fullBookedTrip()).value
        for length in 0..<value.count {
            #expect(throws: RowCodingError.truncated) {
                try TripRow(decoding: Array(value.prefix(length)))
            }
        }
        #expect(throws: RowCodingError.trailingBytes) { try TripRow(decoding: value + [0]) }
        #expect(throws: RowCodingError.unknownVersion(9)) {
            try TripRow(decoding: [9] + value.dropFirst())
        }
    }

    @Test func `rows are in order of start, then of id`() {
        let trips = [
            Self.trip(high: 3, startedAt: -1),
            Self.trip(high: 9, startedAt: 0),
            Self.trip(high: 2, startedAt: 255),
            Self.trip(high: 1, startedAt: 256),
            Self.trip(high: 2, startedAt: 256),
            Self.trip(high: 0x1_0000, startedAt: 256),
            Self.trip(high: 0, startedAt: 1_700_000_000_000),
        ]
        let keys = trips.map { TripRow($0).orderKey }
        for (earlier, later) in zip(keys, keys.dropFirst()) {
            #expect(earlier.lexicographicallyPrecedes(later))
        }
        #expect(keys[4].starts(with: TripRow.orderKey(from: Timestamp(milliseconds: 256))))
    }

    @Test func `the key is the id`() {
        #expect(
            TripRow(Self.trip(high: 0x00FF_1122_3344_5566)).key == [
                0x00, 0xFF, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 1, 2, 3, 4, 5, 6, 7, 8,
            ]
        )
    }

    @Test func `rows that differ in arrival only are the same without it`() {
        let trip = Self.trip(high: 1)
        var later = trip
        later.recorded.firstAt = Timestamp(milliseconds: 1_800_000_000_000)
        later.recorded.lastAt = Timestamp(milliseconds: 1_800_000_000_001)
        #expect(TripRow(trip) != TripRow(later))
        #expect(TripRow(trip).withoutArrival == TripRow(later).withoutArrival)
        later.distance = Distance(millimeters: 1)
        #expect(TripRow(trip).withoutArrival != TripRow(later).withoutArrival)
    }
}
