import DriveSimulation
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import VisitsProjection

@Suite struct VisitsProjectorTests {
    private static let start = Timestamp(milliseconds: 1_740_987_000_000)

    private static func at(_ minute: Int64) -> Timestamp {
        start.advanced(byMilliseconds: 60_000 * minute)
    }

    /// Returns the book of the only place there is.
    private static func places() throws -> PlaceBook {
        let saving = PlaceSaved(place: "Zürich", latitude: 47, longitude: 8, radiusMeters: 100)
        let event = TripEvent(source: "manual", occurredAt: start, body: .placeSaved(saving))
        let identity = ProjectorLaws.identity(of: event)
        let decision = Decision(event, identity: identity, recordedAt: start)
        return PlaceBook([try #require(decision)])
    }

    /// Returns a visit from one minute to another; without the other it goes on.
    private static func found(
        from minute: Int64,
        to end: Int64? = nil,
        number: UInt32 = 0,
        chainFrom: Int64? = nil
    ) throws -> FoundVisit {
        let place = try #require(try places().versions.first)
        return FoundVisit(
            visit: Visit(
                place: place,
                enteredAt: EventTime(at(minute), utcOffset: UTCOffset(minutes: 60)),
                lastInsideAt: EventTime(at(minute)),
                leftAt: end.map { EventTime(at($0)) }
            ),
            entrance: Entrance(at: at(minute), number: number, chainFrom: chainFrom.map(at)),
            isWithinRadius: end == nil,
            endedBy: end.map(at)
        )
    }

    private static func evolve(_ rows: inout ViewRows, _ news: VisitNews) throws {
        try VisitsProjector().evolve(.visit(news), in: &rows)
    }

    private static func row(_ news: VisitNews) -> VisitRow? {
        news.found.map { VisitRow($0, of: news.source) }
    }

    @Test(arguments: Seeds.fresh(8))
    func `any way to the same visits gives the same rows, in order of their beginnings`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var known: [VisitNews] = []
        for minute in 0..<Int64.random(in: 1...12, using: &random) {
            for number in 0..<UInt32.random(in: 1...2, using: &random) {
                let end = Bool.random(using: &random) ? minute + 5 : nil
                let visit = try Self.found(from: minute, to: end, number: number)
                known.append(VisitNews(visit, of: UInt32.random(in: 1...3, using: &random)))
            }
        }
        var direct = ViewRows()
        for news in known { try Self.evolve(&direct, news) }
        var winding = ViewRows()
        for news in known.shuffled(using: &random) {
            let earlier = try Self.found(
                from: news.entrance.at.milliseconds(since: Self.start) / 60_000,
                number: news.entrance.number
            )
            try Self.evolve(&winding, VisitNews(earlier, of: news.source))
            if Bool.random(using: &random) {
                let forgotten = VisitNews(forgetting: news.entrance, of: news.source)
                try Self.evolve(&winding, forgotten)
            }
            try Self.evolve(&winding, news)
        }
        #expect(direct == winding, "seed \(seed)")
        let rows = try direct.inOrder.added.map { try VisitRow(decoding: $0.value) }
        #expect(Set(rows) == Set(known.compactMap(Self.row)), "seed \(seed)")
        let begun = rows.map(\.enteredAt.timestamp)
        #expect(begun == begun.sorted(), "seed \(seed)")
        for row in rows { #expect(try direct.value(forKey: row.key) == row.value, "seed \(seed)") }
        for news in known {
            try Self.evolve(&direct, VisitNews(forgetting: news.entrance, of: news.source))
        }
        #expect(direct == ViewRows(), "seed \(seed)")
    }

    @Test func `a row gives back the visit, with the place as it was then`() throws {
        let found = try Self.found(from: 3, to: 9, number: 2, chainFrom: 1)
        let row = try VisitRow(decoding: VisitRow(found, of: 7).value)
        #expect(row.source == 7 && row.place == "Zürich")
        #expect(row.found(in: try Self.places()) == found)
        #expect(row.found(in: PlaceBook()) == nil)
    }

    @Test func `the rows of a source say since when its visits hang together`() throws {
        var rows = ViewRows()
        let visits = [
            try Self.found(from: 0, to: 10),
            try Self.found(from: 5, to: 20, chainFrom: 0),
            try Self.found(from: 30, to: 40),
        ]
        for visit in visits { try Self.evolve(&rows, VisitNews(visit, of: 1)) }
        try Self.evolve(&rows, VisitNews(try Self.found(from: 7), of: 2))
        let stored = StoredVisits(rows)
        // Between visits nothing earlier matters; in one of them, all that were not over before it.
        #expect(try stored.chainStart(of: 1, before: Self.at(25)) == Self.at(25))
        #expect(try stored.chainStart(of: 1, before: Self.at(15)) == Self.at(0))
        #expect(try stored.chainStart(of: 1, before: Self.at(35)) == Self.at(30))
        #expect(try stored.chainStart(of: 2, before: Self.at(99)) == Self.at(7))
        #expect(try stored.chainStart(of: 3, before: Self.at(99)) == Self.at(99))
        let later = try stored.entrances(of: 1, from: Self.at(5))
        #expect(later == visits.dropFirst().map(\.entrance))
        #expect(try stored.row(of: 1, later[0]).found(in: try Self.places()) == visits[1])
    }
}
