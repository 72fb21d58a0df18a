import DriveSimulation
import LedgerKeeping
import LedgerTestSupport
import Projections
import ProjectorTestSupport
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// `ledger changes --since`, compared with the log and a copy of its beginning.
@Suite struct ChangesLawTests {
    /// The head of an empty log: RFC 6962 has the hash of nothing for its root.
    private static let nothing = LedgerHead(
        size: 0,
        root: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )

    /// A book whose trips get fixes that come late, and decisions after that.
    private static func book(seed: UInt64) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        var random = SplitMix64(seed: seed)
        let events = try ProjectorLaws.randomDrives(seed: seed).shuffled(using: &random)
        try book.append(Array(events.prefix(events.count * 2 / 3)))
        try book.appendRandomBook(seed: seed)
        return book
    }

    private static func trips(of ledger: Ledger) throws -> [TripRow] {
        try ledger.trips(TripFilter(includesUncounted: true))
    }

    /// The positions with which the ledger's clock moved on.
    private static func boundaries(of ledger: Ledger) throws -> [UInt64] {
        var boundaries: [UInt64] = []
        var last: Timestamp?
        try ledger.scanLog(from: 0) { stored in
            if stored.recordedAt != last { boundaries.append(stored.position) }
            last = stored.recordedAt
            return true
        }
        return boundaries
    }

    @Test(arguments: Seeds.fresh(2))
    func `every entry from the size on is counted once, and no other`(seed: UInt64) throws {
        let book = try Self.book(seed: seed)
        var random = SplitMix64(seed: seed)
        let erased = try #require(try book.erasableTrip(using: &random))
        try book.erase(book.ledger.planErasure(of: .prefix(erased.description)))
        let end = try book.ledger.head()
        let sizes = [0, 1, end.size] + (0..<4).map { _ in random.next() % end.size }
        for size in sizes {
            let changes = try book.ledger.changes(since: .size(size))
            var counts: [String: UInt64] = [:]
            try book.ledger.scanLog(from: size) { stored in
                counts[stored.event.body.typeName, default: 0] += 1
                return true
            }
            let counted = Dictionary(uniqueKeysWithValues: changes.entryCounts.map { ($0, $1) })
            #expect(counted == counts, "seed \(seed), size \(size)")
            #expect(changes.entryCount == end.size - size && changes.until == end)
            #expect(changes.since.size == size)
            let listed =
                changes.amendments.map(\.position) + changes.erasures.map(\.position)
                + changes.rules.map(\.position) + changes.sources.map(\.position)
            #expect(listed.allSatisfy { $0 >= size }, "seed \(seed), size \(size)")
            if size == 0 { #expect(changes.since == Self.nothing) }
            if size == end.size {
                #expect(changes.changedTrips.isEmpty && changes.amendments.isEmpty)
            }
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `trips were before what a copy of the beginning says, and the others are the same`(
        seed: UInt64
    ) throws {
        let book = try Self.book(seed: seed)
        let out = FilePath(book.directory.path("out"))
        _ = try book.ledger.export(as: .jsonl, into: out)
        let now = try Self.trips(of: book.ledger)
        var lateFixes: UInt64 = 0
        for size in try Self.boundaries(of: book.ledger).dropFirst() {
            let changes = try book.ledger.changes(since: .size(size))
            let copy = FilePath(book.directory.path("copy-\(size)"))
            let imported = try Ledger.importing(out, into: copy, asOf: changes.since)
            #expect(imported.head == changes.since, "seed \(seed)")
            let before = try TemporaryLedger.with(copy) { copy in
                try expectSound(copy, "seed \(seed)")
                return try Self.trips(of: copy)
            }
            let changed = Set(changes.changedTrips.map(\.before.id))
            for trip in changes.changedTrips {
                #expect(before.contains { $0.booked == trip.before }, "seed \(seed)")
                #expect(now.first { $0.trip.id == trip.before.id }?.booked == trip.now)
                lateFixes += trip.lateFixes
            }
            for row in before where row.trip.status != .active && !changed.contains(row.trip.id) {
                let same = now.first { $0.trip.id == row.trip.id }?.booked
                #expect(same?.claimedDistance == row.booked.claimedDistance, "seed \(seed)")
                #expect(same?.trip.endedAt == row.trip.endedAt && same?.status == row.booked.status)
            }
            let known = Set(before.map(\.trip.id))
            let added = now.filter { !known.contains($0.trip.id) }
            #expect(changes.addedTrips.count + Int(changes.laterTripCount) == added.count)
        }
        #expect(lateFixes > 0, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `all that people decided since about earlier trips is listed`(seed: UInt64) throws {
        let book = try Self.book(seed: seed)
        var total = 0
        for size in try Self.boundaries(of: book.ledger).dropFirst() {
            let changes = try book.ledger.changes(since: .size(size))
            let before = try #require(changes.before)
            var expected: Set<TripAmendment> = []
            for row in try Self.trips(of: book.ledger)
            where row.trip.startedAt.timestamp < before {
                let lines = try book.ledger.history(of: row.trip.id)
                expected.formUnion(lines.filter { $0.recordedAt >= before })
            }
            #expect(Set(changes.amendments.map(\.amendment)) == expected, "seed \(seed)")
            #expect(changes.amendments.count == expected.count, "seed \(seed)")
            total += expected.count
        }
        #expect(total > 10, "seed \(seed)")
    }

    @Test func `since an instant are the entries that were stored at it or later`() throws {
        let book = try Self.book(seed: 3)
        var times: [Timestamp] = []
        try book.ledger.scanLog(from: 0) { stored in
            times.append(stored.recordedAt)
            return true
        }
        let last = try #require(times.last)
        for instant in Set(times + [last.advanced(byMilliseconds: 1), Timestamp(milliseconds: 0)]) {
            let changes = try book.ledger.changes(since: .instant(instant))
            #expect(Int(changes.entryCount) == times.count { $0 >= instant })
        }
    }

    @Test func `a head that the log never had is refused`() throws {
        let book = try Self.book(seed: 4)
        let head = try book.ledger.head()
        #expect(try book.ledger.changes(since: .head(head)).entryCount == 0)
        let wrong = [
            LedgerHead(size: head.size - 1, root: head.root),
            LedgerHead(size: head.size + 1, root: head.root), LedgerHead(size: 3, root: "00"),
        ]
        for known in wrong {
            do {
                _ = try book.ledger.changes(since: .head(known))
                Issue.record("it was taken")
            } catch {
                #expect(error.code == .forked, "\(error)")
            }
        }
    }
}
