import DriveSimulation
import EventStore
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The ledger as it is seen by those who may not see everything.
@Suite struct SightTests {
    /// A ledger with random trips of the owner's sources and of two groups.
    private static func book(seed: UInt64) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        for (offset, group) in [nil, "17", "18"].enumerated() {
            try book.append(try Arrival.events(seed: seed &+ UInt64(offset), of: group))
        }
        try book.ledger.beginFeed()
        return book
    }

    /// Returns sights of some sources and of a group, none of which sees everything.
    private static func sights(
        of names: [String],
        using random: inout SplitMix64
    ) -> [Sight] {
        let some = names.shuffled(using: &random).prefix(1 + names.count / 3)
        return [.of(sources: Array(some)), .of(sources: [names[0]]), .of(group: "17")]
    }

    /// Returns the trips that a sight is to see, as all rows tell: those of its sources, without
    /// those that were merged with trips of others.
    private static func expected(_ rows: [TripRow], _ sight: Sight) -> [TripRow] {
        let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.trip.id, $0) })
        func isOwn(_ row: TripRow) -> Bool { sight.sees(row.trip.source, of: row.trip.group) }
        return rows.filter { row in
            let whole = row.booked.mergedInto.flatMap { byID[$0] } ?? row
            let parts = whole.booked.shownTrips.compactMap { byID[$0] }
            return ([row, whole] + parts).allSatisfy(isOwn)
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `trips and sources that are not seen are not there`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try Self.book(seed: seed)
        let filter = TripFilter(includesUncounted: true)
        let (rows, names) = try book.ledger.read { snapshot in
            let status = try snapshot.status(asOf: book.now)
            return (try snapshot.trips(filter), status.sources.map(\.name))
        }
        for sight in Self.sights(of: names, using: &random) {
            let seen = Self.expected(rows, sight)
            #expect(seen.count < rows.count, "seed \(seed): something is to be hidden")
            try book.ledger.read(seenBy: sight) { snapshot in
                #expect(try snapshot.trips(filter).map(\.value) == seen.map(\.value), "\(seed)")
                let ids = Set(seen.map(\.trip.id))
                for row in rows where !ids.contains(row.trip.id) {
                    let id = row.trip.id
                    #expect(try snapshot.tripRow(id) == nil, "seed \(seed)")
                    #expect(throws: LedgerError.self) { try snapshot.trip(.named(id)) }
                    #expect(throws: LedgerError.self) { try snapshot.explain(.named(id)) }
                    #expect(try snapshot.history(of: id).isEmpty, "seed \(seed)")
                    #expect(try snapshot.decisions(about: id).isEmpty, "seed \(seed)")
                }
                let status = try snapshot.status(asOf: book.now)
                #expect(status.otherSourceCount == 0, "seed \(seed)")
                for source in status.sources {
                    #expect(try snapshot.seesSource(named: source.name), "seed \(seed)")
                }
                let own = Set(status.sources.map(\.name))
                for visit in try snapshot.visits() { #expect(own.contains(visit.source)) }
                try Self.expectSums(snapshot, of: seen, "seed \(seed)")
                let (ways, overlaps) = try snapshot.relateTrips(into: [TripID]()) {
                    $0.append($1.later.trip)
                }
                #expect((ways + overlaps.all.map(\.ends.trip)).allSatisfy(ids.contains))
            }
        }
        try expectSound(book.ledger, "seed \(seed)")
    }

    /// Expects that totals are those of the trips that are seen.
    private static func expectSums(
        _ snapshot: borrowing Snapshot,
        of rows: [TripRow],
        _ comment: Comment
    ) throws {
        let clock = try snapshot.requireClock()
        let period = LocalPeriod(from: nil, to: nil, localDay: clock)
        var table = TotalsTable(by: .source, in: period)
        for row in rows { table.add(row.booked) }
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        for row in rows where overlaps.leaveOut(row.trip.id) { table.leaveOut(row.booked) }
        let totals = try snapshot.totals(by: .source, in: period)
        #expect(totals.total == table.total, comment)
        #expect(totals.lines.map(\.name) == table.lines.map(\.name), comment)
    }

    @Test(arguments: Seeds.fresh(2))
    func `who sees all trips one by one sees the sums that are kept`(seed: UInt64) throws {
        let book = try Self.book(seed: seed)
        try book.ledger.read { snapshot in
            let rows = try snapshot.trips(TripFilter(includesUncounted: true))
            try Self.expectSums(snapshot, of: rows, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `changes are told of trips that are seen`(seed: UInt64) throws {
        let book = try Self.book(seed: seed)
        let sight = Sight.of(group: "17")
        func items(_ sight: Sight) throws -> [FeedItem] {
            try book.ledger.read(seenBy: sight) { snapshot in
                try snapshot.feedPage(after: 0, kinds: [.trip], limit: .max, mostRows: .max).items
            }
        }
        let seen = try items(sight)
        #expect(!seen.isEmpty && seen.allSatisfy { $0.subject.source?.group == "17" })
        #expect(try items(.everything).filter { $0.subject.source?.group == "17" } == seen)
        #expect(try items(.everything).count > seen.count, "seed \(seed)")
    }

    @Test func `a trip that has gone is told to those who saw it, and to no others`() throws {
        let book = try TemporaryLedger()
        let drive = DriveSimulator.events(of: .homeToOffice, seed: 1, source: "box")
        try book.append(drive)
        try book.ledger.beginFeed()
        let old = try #require(try book.ledger.trips().first).trip.id
        var earlier = try #require(drive.first { $0.body.kind == .goPressed })
        earlier.occurredAt = earlier.occurredAt.advanced(byMilliseconds: -1_000)
        try book.append([earlier])
        _ = try book.ledger.project()
        func isTold(_ sight: Sight) throws -> Bool {
            try book.ledger.read(seenBy: sight) { snapshot in
                #expect(try snapshot.tripRow(old) == nil)
                return try snapshot.feedPage(after: 0, kinds: [.trip], limit: 9, mostRows: 9).items
                    .contains { $0.subject.name == old.description }
            }
        }
        #expect(try isTold(.of(sources: ["box"])))
        #expect(try isTold(.everything))
        #expect(try !isTold(.of(sources: ["van"])))
        #expect(try !isTold(.of(group: "17")))
    }

    @Test func `names are told apart byte by byte, and groups by their names`() {
        let sight = Sight.of(sources: ["caf\u{E9}"])
        #expect(sight.sees("caf\u{E9}", of: nil) && !sight.sees("cafe\u{301}", of: nil))
        #expect(sight.sees(["caf\u{E9}"], of: nil) && !sight.sees([], of: nil))
        #expect(!sight.sees(["caf\u{E9}", "van"], of: nil))
        let group = Sight.of(group: "17")
        #expect(group.sees("box", of: "17") && !group.sees("box", of: "18"))
        #expect(!group.sees("box", of: nil))
        #expect(group.seesSettings(of: nil) && group.seesSettings(of: "17"))
        #expect(!group.seesSettings(of: "18") && !sight.seesSettings(of: "17"))
        #expect(Sight.everything.sees([], of: nil) && Sight.everything.sees("x", of: "18"))
    }
}
