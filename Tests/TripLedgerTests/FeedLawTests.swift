import DriveSimulation
import Foundation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// A reader of the feed gets the rows of the views, however often it reads and in whatever
/// portions.
@Suite struct FeedLawTests {
    /// A reader who keeps the rows that were told.
    private struct Reader {
        var rows: [FeedSubject: String] = [:]
        var visits: [FeedSubject: SourceVisit] = [:]
        var number: UInt64 = 0

        /// Reads one page, and returns whether there is more.
        mutating func readPage(of book: TemporaryLedger, limit: Int) throws -> Bool {
            let page = try book.ledger.read { snapshot in
                let page = try snapshot.feedPage(
                    after: number,
                    kinds: Set(FeedSubject.Kind.allCases),
                    limit: limit,
                    mostRows: limit
                )
                let all = try FeedLawTests.rows(of: snapshot)
                let visits = try snapshot.visits(about: page.items.map(\.subject))
                return (page, page.items.map { ($0.subject, all[$0.subject]) }, visits)
            }
            #expect(page.0.items.count <= limit)
            #expect(page.0.items.map(\.number) == page.0.items.map(\.number).sorted())
            #expect(page.0.items.allSatisfy { $0.number > number && $0.number < 1 << 53 })
            for (subject, row) in page.1 {
                rows[subject] = row
                visits[subject] = page.2[subject]
            }
            number = page.0.next
            return page.0.hasMore
        }

        /// Reads until there is nothing more.
        mutating func readAll(of book: TemporaryLedger, limit: Int) throws {
            while try readPage(of: book, limit: limit) {}
        }
    }

    /// Returns all rows of the views; those of trips that go on without what fixes change.
    private static func rows(of snapshot: borrowing Snapshot) throws -> [FeedSubject: String] {
        var rows: [FeedSubject: String] = [:]
        for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
            let booked = row.booked
            rows[FeedSubject(.trip, booked.id.description)] =
                booked.status == .active
                ? "\(booked.trip.startedAt) \(booked.details) \(String(describing: booked.routine))"
                : "\(row.value)"
        }
        for place in try snapshot.places().places {
            rows[FeedSubject(.place, place.name)] = "\(place)"
        }
        for field in try snapshot.fields().definitions {
            rows[FeedSubject(.field, field.key)] = "\(field)"
        }
        for routine in try snapshot.routines().routines {
            rows[FeedSubject(.routine, routine.routine.name)] = "\(routine)"
        }
        let vehicles = try snapshot.vehicles()
        for name in vehicles.names {
            rows[FeedSubject(.vehicle, name)] =
                String(describing: vehicles.vehicle(named: name)) + "\(vehicles.readings(of: name))"
        }
        return rows
    }

    /// Returns what a reader knows of visits: of those that go on, not the last fix.
    private static func lines(of visits: some Sequence<SourceVisit>) -> [String] {
        visits.map { found in
            let visit = found.visit
            let last = visit.leftAt == nil ? nil : visit.lastInsideAt
            return "\(found.source) \(visit.place.name) \(visit.enteredAt) "
                + "\(String(describing: last)) \(String(describing: visit.leftAt))"
        }
        .sorted()
    }

    /// Rows of other kinds than trips, which random events need not have.
    private static let settings = [
        EventBody.vehicleRegistered(VehicleRegistered(vehicle: "van")),
        .fieldDefined(FieldDefined(key: "project", label: "Project", valueType: .text)),
    ]
    .map { body in
        TripEvent(
            source: "manual",
            occurredAt: Timestamp(milliseconds: 1_600_000_000_000),
            body: body
        )
    }

    @Test(arguments: Seeds.fresh(6))
    func `a reader has the rows of the views in the end, by pages of any size`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.ledger.beginFeed()
        try book.append(Self.settings)
        var reader = Reader()
        var rest = Arrival.shuffled.order(try Arrival.events(seed: seed), using: &random)[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Int.random(in: 1...80, using: &random)))
            rest = rest.dropFirst(batch.count)
            try book.append(batch)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let limit = Int.random(in: 1...9, using: &random)
                _ = try reader.readPage(of: book, limit: limit)
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                _ = try book.ledger.project(isRebuild: true)
            }
        }
        try reader.readAll(of: book, limit: 7)
        let expected = try book.ledger.read { try Self.rows(of: $0) }
        #expect(reader.rows == expected, "seed \(seed)")
        let visits = try book.ledger.read { try $0.visits() }
        #expect(Self.lines(of: reader.visits.values) == Self.lines(of: visits), "seed \(seed)")
        #expect(Set(expected.keys.map(\.kind)).count > 2, "seed \(seed): there are several kinds")
        #expect(try book.ledger.checkViews().isEmpty, "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(3))
    func `views that are made anew leave the numbers of rows that do not differ`(
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        try book.ledger.beginFeed()
        var reader = Reader()
        try reader.readAll(of: book, limit: 50)
        let before = try book.ledger.read { try $0.feedHead() }
        _ = try book.ledger.project(isRebuild: true)
        #expect(try book.ledger.read { try $0.feedHead() } == before, "seed \(seed)")
        try book.append([
            TripEvent(
                source: "manual",
                occurredAt: Timestamp(milliseconds: 1_800_000_000_000),
                body: .placeRemoved(PlaceRemoved(place: "Nowhere"))
            )
        ])
        _ = try book.ledger.project(isRebuild: true)
        let size = try book.ledger.head().size
        let page = try book.ledger.read {
            try $0.feedPage(after: reader.number, kinds: [.place], limit: 9, mostRows: 9)
        }
        #expect(page.items.map(\.subject) == [FeedSubject(.place, "Nowhere")], "seed \(seed)")
        #expect(page.items.allSatisfy { $0.number >> 20 == size }, "seed \(seed)")
    }

    @Test func `fixes of a trip that goes on are no changes`() throws {
        let events = Array(DriveSimulator.drives(seed: 1, count: 1, fixesPerDrive: 150...200))
        let book = try TemporaryLedger()
        try book.ledger.beginFeed()
        var reader = Reader()
        var changes = 0
        for event in events {
            try book.append([event])
            let number = reader.number
            try reader.readAll(of: book, limit: 50)
            if reader.number != number { changes += 1 }
        }
        #expect(events.count > 100)
        #expect((2...8).contains(changes), "\(changes) for \(events.count) events")
    }

    @Test func `a feed that was lost begins anew with another epoch`() throws {
        let book = try TemporaryLedger()
        try book.ledger.beginFeed()
        let first = try #require(try book.ledger.read { try $0.feedHead() })
        try book.ledger.beginFeed()
        #expect(try book.ledger.read { try $0.feedHead() } == first)
        try book.whileClosed { try FileManager.default.removeItem(atPath: book.viewsPath) }
        #expect(try book.ledger.read { try $0.feedHead() } == nil)
        try book.ledger.beginFeed()
        let second = try #require(try book.ledger.read { try $0.feedHead() })
        #expect(second.epoch != first.epoch)
    }
}
