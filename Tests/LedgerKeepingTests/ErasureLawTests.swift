import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Projections
import ProjectorTestSupport
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import LedgerKeeping
@testable import TripLedger

/// Erasing leaves every hash, sound views, and an event about it.
@Suite struct ErasureLawTests {
    private func leaves(_ ledger: Ledger) throws -> [String] {
        var leaves: [String] = []
        try ledger.log.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() { leaves.append("\(entry.leafHash)") }
            return true
        }
        return leaves
    }

    @Test(arguments: Seeds.fresh(3))
    func `erased readings leave sound views, older roots and flagged trips`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        _ = try book.rows()
        let before = try leaves(book.ledger)
        var random = SplitMix64(seed: seed)
        var fixes = RangeSet<UInt64>()
        let openings = Set(
            try book.ledger.trips(TripFilter(includesUncounted: true)).map(\.trip.id)
        )
        try book.ledger.scanLog(from: 0) { stored in
            // A fix that opened a trip goes with all of the trip only.
            if stored.event.body.kind == .fixRecorded, Int.random(in: 0..<9, using: &random) == 0,
                !openings.contains(TripID(openedBy: stored.identity))
            {
                fixes.insert(contentsOf: stored.position..<stored.position + 1)
            }
            return true
        }
        let plan = try book.ledger.planErasure(of: fixes)
        try #require(plan.count > 0, "seed \(seed)")
        try book.erase(plan)
        #expect(try Array(leaves(book.ledger).prefix(before.count)) == before, "seed \(seed)")
        let flagged = try book.ledger.trips(TripFilter(includesUncounted: true))
            .filter { $0.booked.flagNames.contains("erased") }
            .map(\.trip.id)
        let there = try book.ledger.trips(TripFilter(includesUncounted: true)).map(\.trip.id)
        #expect(plan.shortenedTrips.intersection(there).isSubset(of: flagged), "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
        try book.sweep()
        try expectSound(book.ledger, "seed \(seed), swept")
        #expect(try Array(leaves(book.ledger).prefix(before.count)) == before, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(3))
    func `an erased trip is gone, and nothing names it`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        var random = SplitMix64(seed: seed)
        let id = try #require(try book.erasableTrip(using: &random))
        let plan = try book.ledger.planErasure(of: .prefix(id.description))
        #expect(plan.lostTrips.contains(id), "seed \(seed)")
        try book.erase(plan)
        try expectSound(book.ledger, "seed \(seed)")
        try book.sweep()
        let after = try book.ledger.trips(TripFilter(includesUncounted: true)).map(\.trip.id)
        #expect(!after.contains(id), "seed \(seed)")
        let name = Data(id.description.utf8)
        let file = try Data(contentsOf: URL(fileURLWithPath: book.logPath + "/data.mdb"))
        #expect(file.range(of: name) == nil, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `erasing a trip takes all that is surely about it`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        var random = SplitMix64(seed: seed)
        let id = try #require(try book.erasableTrip(using: &random))
        let plan = try book.ledger.planErasure(of: .prefix(id.description))
        let rows = try book.ledger.trips(TripFilter(includesUncounted: true))
        let row = try #require(rows.first { $0.trip.id == id })
        let sure = try book.positions(sureOf: row, among: rows)
        #expect(sure.allSatisfy(plan.positions.contains), "seed \(seed): \(id)")
    }

    @Test func `an event about more trips than one erasure can name is erased`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 4, count: 101, fixesPerDrive: 3...3)))
        let trips = try book.ledger.trips(TripFilter(isOldestFirst: true)).map(\.trip)
        let last = try #require(trips.last)
        try #require(trips.count == 101)
        let merge = TripsMerged(trips: trips.dropLast().map(\.id))
        let receipts = try book.append([
            TripEvent(
                source: last.source,
                occurredAt: last.startedAt.timestamp.advanced(byMilliseconds: 1),
                body: .tripsMerged(merge)
            )
        ])
        guard case .appended(let position) = receipts.first else {
            Issue.record("\(receipts)")
            return
        }
        let plan = try book.ledger.planErasure(of: RangeSet([position..<position + 1]))
        #expect(plan.count == 1 && plan.shortenedTrips.count == 100)
        try book.erase(plan)
        try expectSound(book.ledger)
    }

    @Test(arguments: Seeds.fresh(2))
    func `what was erased does not come back`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        let events = try ProjectorLaws.randomDrives(seed: seed)
        try book.append(events)
        let all = RangeSet(try book.erasablePositions().map { $0..<$0 + 1 })
        try book.erase(try book.ledger.planErasure(of: all))
        let head = try book.ledger.head()
        for receipt in try book.append(events) {
            guard case .duplicate = receipt else {
                Issue.record("\(receipt), seed \(seed)")
                return
            }
        }
        #expect(try book.ledger.head() == head, "seed \(seed)")
        #expect(try book.rows().isEmpty, "seed \(seed)")
        try expectSound(book.ledger, "seed \(seed)")
    }

    @Test func `the event that opened a trip goes with all of the trip only`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 1, count: 2, fixesPerDrive: 5...5)))
        var press: UInt64?
        try book.ledger.scanLog(from: 0) { stored in
            if stored.event.body.kind == .goPressed { press = stored.position }
            return press == nil
        }
        let position = try #require(press)
        let head = try book.ledger.head()
        do {
            _ = try book.ledger.planErasure(of: RangeSet([position..<position + 1]))
            Issue.record("half a trip could be erased")
        } catch {
            #expect(error.code == .notErasable)
        }
        #expect(try book.ledger.head() == head)
    }

    @Test func `a trip that was split goes part by part, the second one first`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 1, fixesPerDrive: 20...20)))
        let whole = try #require(try book.ledger.trips(TripFilter()).first?.trip)
        let end = try #require(whole.endedAt).timestamp
        let half = end.milliseconds(since: whole.startedAt.timestamp) / 2
        let splitAt = whole.startedAt.timestamp.advanced(byMilliseconds: half)
        let split = TripSplit(trip: whole.id, splitAt: EventTime(splitAt))
        try book.append([TripEvent(source: "driver", occurredAt: end, body: .tripSplit(split))])
        let second = try #require(
            try book.ledger.trips(TripFilter()).map(\.trip.id).first { $0 != whole.id }
        )
        let plan = try book.ledger.planErasure(of: .prefix(whole.id.description))
        #expect(plan.lostTrips.isEmpty && !plan.keptPositions.isEmpty)
        for part in [second, whole.id] {
            try book.erase(book.ledger.planErasure(of: .prefix(part.description)))
            #expect(try book.ledger.trips(TripFilter()).allSatisfy { $0.trip.id != part })
            try expectSound(book.ledger)
        }
    }

    @Test func `of a trip that was split the first part goes but for what names the second`() throws
    {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 1, fixesPerDrive: 20...20)))
        let whole = try #require(try book.ledger.trips(TripFilter()).first?.trip)
        let end = try #require(whole.endedAt).timestamp
        let half = end.milliseconds(since: whole.startedAt.timestamp) / 2
        let splitAt = whole.startedAt.timestamp.advanced(byMilliseconds: half)
        let split = TripSplit(trip: whole.id, splitAt: EventTime(splitAt))
        let receipts = try book.append([
            TripEvent(source: "driver", occurredAt: end, body: .tripSplit(split))
        ])
        guard case .appended(let position)? = receipts.first else {
            Issue.record("\(receipts)")
            return
        }
        let before = try book.ledger.trips(TripFilter(isOldestFirst: true))
        let plan = try book.ledger.planErasure(of: .prefix(whole.id.description))
        #expect(plan.keptPositions.contains(position))
        #expect(plan.shortenedTrips.contains(whole.id) && plan.count >= 5)
        try book.erase(plan)
        let after = try book.ledger.trips(TripFilter(isOldestFirst: true))
        #expect(after.map(\.trip.id) == before.map(\.trip.id))
        #expect(after.last?.trip.distance == before.last?.trip.distance)
        #expect(after[0].trip.distance < before[0].trip.distance)
        try expectSound(book.ledger)
    }

    @Test func `a decision after a crash goes with the trip, also under an older name`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 2, fixesPerDrive: 9...9)))
        let first = try #require(try book.ledger.trips(TripFilter(isOldestFirst: true)).first?.trip)
        let older = try #require(TripID("0f1e2d3c4b5a69788796a5b4c3d2e1f0"))
        let after = try #require(first.endedAt).timestamp.advanced(byMilliseconds: 1_000)
        var positions: [UInt64] = []
        for startedAt in [first.startedAt, nil] {
            let decided = RecoveryDecided(trip: older, tripStartedAt: startedAt, decision: .save)
            let receipts = try book.append([
                TripEvent(
                    source: first.source,
                    occurredAt: after.advanced(byMilliseconds: Int64(positions.count)),
                    body: .recoveryDecided(decided)
                )
            ])
            guard case .appended(let position)? = receipts.first else {
                Issue.record("\(receipts)")
                return
            }
            positions.append(position)
        }
        let plan = try book.ledger.planErasure(of: .prefix(first.id.description))
        #expect(positions.allSatisfy(plan.positions.contains))
        try book.erase(plan)
        try book.sweep()
        try expectSound(book.ledger)
    }

    @Test func `as long as views may hold what was erased there is something to sweep`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 2, count: 2, fixesPerDrive: 9...9)))
        _ = try book.rows()
        #expect(try !book.ledger.needsSweep())
        try book.erase(book.ledger.planErasure(of: .last))
        // Now it is as if the process had been killed when only the log had been written anew.
        #expect(try book.ledger.eventLog.sweep())
        try book.whileClosed {}
        #expect(try !book.ledger.eventLog.needsSweep())
        #expect(try book.ledger.needsSweep())
        try book.sweep()
        #expect(try !book.ledger.needsSweep())
        // Now it is as if it had been killed when the new views had been put in their place.
        let old = book.directory.path("book/views.old")
        try FileManager.default.copyItem(atPath: book.viewsPath, toPath: old)
        #expect(try book.ledger.needsSweep())
        try book.sweep()
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(try !book.ledger.needsSweep())
    }

    @Test func `views that have read what was erased are made anew`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 2, count: 2, fixesPerDrive: 9...9)))
        let before = try book.rows()
        let plan = try book.ledger.planErasure(of: .last)
        try book.erase(plan)
        #expect(try book.ledger.project().isRebuilt)
        #expect(try book.rows().count == before.count - 1)
    }
}
