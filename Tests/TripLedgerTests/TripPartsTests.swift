import LedgerTestSupport
import Platform
import Projections
import Testing
import TripEvents
import TripsProjection

@testable import TripLedger

/// Two threads make of a list of trips what one makes of it.
@Suite struct TripPartsTests {
    private static let trips = 2_000

    private static func start(of trip: Int) -> Timestamp {
        Timestamp(milliseconds: 1_700_000_000_000 + Int64(trip) * 3_600_000)
    }

    private func book() throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        let events = try (0..<Self.trips)
            .map { trip in
                let report = TripReported(
                    startedAt: EventTime(Self.start(of: trip)),
                    endedAt: EventTime(Self.start(of: trip).advanced(byMilliseconds: 600_000)),
                    distanceMeters: try #require(
                        ExactDecimal(significand: Int64(trip), decimals: 0)
                    )
                )
                return TripEvent(
                    source: "paper",
                    occurredAt: Self.start(of: trip),
                    id: "\(trip)",
                    body: .tripReported(report)
                )
            }
        try book.append(events)
        return book
    }

    /// Returns the metres of trips in the order in which they came, and why no more came.
    private func read(
        _ snapshot: borrowing Snapshot,
        _ filter: TripFilter,
        isAlone: Bool,
        _ begin: () throws -> Void = {},
        upTo last: Int = .max
    ) -> (meters: [Int64], failure: String?) {
        var meters: [Int64] = []
        do {
            try snapshot.readTrips(filter, inParts: [Int64](), isAlone: isAlone) { booked, part in
                part.append(booked.trip.distance.millimeters / 1_000)
            } _: {
                try begin()
            } forEach: { part in
                meters += part
                part.removeAll(keepingCapacity: true)
                if meters.count >= last { throw CancellationError() }
            }
            return (meters, nil)
        } catch {
            return (meters, "\(error)")
        }
    }

    @Test func `trips come in the order of the filter`() throws {
        let book = try book()
        var filters = [TripFilter(), TripFilter(isOldestFirst: true)]
        filters.append(TripFilter(tripClass: .business))
        filters.append(TripFilter(after: .last, isOldestFirst: true))
        for filter in filters {
            try book.ledger.read { snapshot in
                let expected = try snapshot.trips(filter)
                    .map { $0.trip.distance.millimeters / 1_000 }
                for isAlone in [true, false] {
                    let answer = read(snapshot, filter, isAlone: isAlone)
                    #expect(answer.meters == expected)
                    #expect(answer.failure == nil)
                }
            }
        }
    }

    @Test func `what the caller throws ends the reading`() throws {
        let book = try book()
        try book.ledger.read { snapshot in
            let alone = read(snapshot, TripFilter(), isAlone: true, upTo: 700)
            let together = read(snapshot, TripFilter(), isAlone: false, upTo: 700)
            #expect(alone == together)
            #expect(together.failure == "CancellationError()")
            #expect(together.meters.count == 768)
        }
        #expect(try book.ledger.trips().count == Self.trips)
    }

    /// Rows of the first thread and of the other one.
    @Test(arguments: [0, 255, 300, 511, 700, 1_999])
    func `the trips before a damaged row come first`(damaged: Int) throws {
        let book = try book()
        let rows = try book.ledger.trips(TripFilter(isOldestFirst: true))
        var table = RowTable()
        table.put([255], key: rows[damaged].orderKey)
        try book.ledger.views.current().forChanging().commit([(.tripsInOrder, table)])
        try? book.ledger.read { snapshot in
            let filter = TripFilter(isOldestFirst: true)
            let alone = read(snapshot, filter, isAlone: true)
            let together = read(snapshot, filter, isAlone: false)
            #expect(alone == together)
            #expect(alone.meters == (0..<Int64(damaged)).map { $0 })
            #expect(alone.failure?.contains("unknownVersion(255)") == true, "\(alone)")
        }
    }

    @Test func `views that were written to since are not read`() throws {
        let book = try book()
        let rows = try book.ledger.trips(TripFilter(isOldestFirst: true))
        let views = try book.ledger.views.current().forChanging()
        try book.ledger.read { snapshot in
            let answer = read(snapshot, TripFilter(isOldestFirst: true), isAlone: false) {
                let writer = WorkerThread {
                    var table = RowTable()
                    for row in rows { table.remove(key: row.orderKey) }
                    return Result { try views.commit([(.tripsInOrder, table)]) }
                }
                try writer?.join().get()
            }
            #expect(answer.failure == nil)
            #expect(answer.meters == (0..<Int64(Self.trips)).map { $0 })
        }
    }
}
