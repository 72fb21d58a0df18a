import Geodesy
import Projections
import ProjectorTestSupport
import RowCoding
import Testing
import TripEvents
import TripTracking
import TripsProjection

@Suite struct TripRowTests {
    @Test func `a row round-trips, without the sketch of the way`() throws {
        for trip in [BookedTrip(SampleTrip.active(high: 1)), SampleTrip.fullyBooked] {
            var known = trip
            known.trip.way = WaySketch()
            #expect(try TripRow(decoding: TripRow(trip).value).booked == known)
        }
    }

    @Test func `the ends of a trip round-trip, with the sketch of its way`() throws {
        var trip = SampleTrip.fullyBooked
        trip.status = .completed
        let ends = try #require(TripEnds(trip))
        #expect(try !ends.way.points().isEmpty)
        #expect(try TripEndsRow(decoding: TripEndsRow(ends).value).ends == ends)
    }

    @Test func `a row that was cut off, lengthened or of another version is refused`() throws {
        let value = TripRow(SampleTrip.fullyBooked).value
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
            SampleTrip.active(high: 3, startedAt: -1),
            SampleTrip.active(high: 9, startedAt: 0),
            SampleTrip.active(high: 2, startedAt: 255),
            SampleTrip.active(high: 1, startedAt: 256),
            SampleTrip.active(high: 2, startedAt: 256),
            SampleTrip.active(high: 0x1_0000, startedAt: 256),
            SampleTrip.active(high: 0, startedAt: 1_700_000_000_000),
        ]
        let keys = trips.map { TripRow($0).orderKey }
        for (earlier, later) in zip(keys, keys.dropFirst()) {
            #expect(earlier.lexicographicallyPrecedes(later))
        }
        #expect(keys[4].starts(with: TripRow.orderKey(from: Timestamp(milliseconds: 256))))
    }

    @Test func `the key is the id`() {
        #expect(
            TripRow(SampleTrip.active(high: 0x00FF_1122_3344_5566)).key == [
                0x00, 0xFF, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 1, 2, 3, 4, 5, 6, 7, 8,
            ]
        )
    }

    @Test func `rows that differ in arrival only are the same without it`() {
        let trip = SampleTrip.active(high: 1)
        var later = trip
        later.recorded.firstAt = Timestamp(milliseconds: 1_800_000_000_000)
        later.recorded.lastAt = Timestamp(milliseconds: 1_800_000_000_001)
        #expect(TripRow(trip) != TripRow(later))
        #expect(TripRow(trip).withoutArrival == TripRow(later).withoutArrival)
        later.distance = Distance(millimeters: 1)
        #expect(TripRow(trip).withoutArrival != TripRow(later).withoutArrival)
    }
}
