import Projections
import ProjectorTestSupport
import RowCoding
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@Suite struct TripEndsTests {
    private static func row(of status: BookedStatus) throws -> TripEndsRow? {
        var booked = SampleTrip.fullyBooked
        booked.status = status
        return TripEnds(booked).map(TripEndsRow.init)
    }

    @Test func `a row round-trips`() throws {
        let row = try #require(try Self.row(of: .completed))
        #expect(try TripEndsRow(decoding: row.value) == row)
        #expect(row.ends.counts)
        #expect(row.ends.isReported)
        #expect(row.ends.client == "ACME")
    }

    @Test func `a row that was cut off or lengthened is refused`() throws {
        let value = try #require(try Self.row(of: .completed)).value
        for length in 0..<value.count {
            #expect(throws: RowCodingError.truncated) {
                try TripEndsRow(decoding: Array(value.prefix(length)))
            }
        }
        #expect(throws: RowCodingError.trailingBytes) { try TripEndsRow(decoding: value + [0]) }
    }

    @Test func `only trips that are over have a row`() throws {
        let kept = try BookedStatus.allCases.filter { try Self.row(of: $0) != nil }
        #expect(kept == [.completed, .abandoned])
        #expect(TripEnds(BookedTrip(SampleTrip.active(high: 1))) == nil)
    }

    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(TripEndsProjector(), seed: seed)
    }

    @Test(arguments: Seeds.fresh(4))
    func `the laws hold for drives with every fault`(seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        try ProjectorLaws.check(TripEndsProjector(), events: events, seed: seed)
    }
}
