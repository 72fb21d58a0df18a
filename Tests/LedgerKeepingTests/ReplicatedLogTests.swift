import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// The segments of a replica are those of the log, wherever they are cut.
@Suite struct ReplicatedLogTests {
    private func parts(of ledger: Ledger, after size: UInt64 = 0) throws -> [ReplicatedLog.Part] {
        let log = ReplicatedLog(of: ledger)
        var frontier = try #require(try log.frontier(atSize: size))
        var parts: [ReplicatedLog.Part] = []
        while let part = try log.part(after: frontier) {
            parts.append(part)
            frontier = part.frontier
        }
        return parts
    }

    @Test(arguments: Seeds.fresh(3))
    func `segments follow one another, and end with the log's root`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let head = try book.ledger.head()
        var random = SplitMix64(seed: seed)
        for start in [0, UInt64.random(in: 1..<head.size, using: &random), head.size] {
            let parts = try parts(of: book.ledger, after: start)
            var next = start
            var chain = SegmentChain()
            try chain.begin(
                SegmentHeader(
                    ledger: book.ledger.founding.ledger,
                    head: try #require(TreeHead(head))
                )
            )
            chain.go(
                onAfter: try #require(
                    try ReplicatedLog(of: book.ledger).frontier(atSize: start)
                )
            )
            for part in parts {
                #expect(part.segment.first == next, "seed \(seed)")
                _ = try chain.take(part.segment)
                #expect(part.frontier.root == part.segment.root, "seed \(seed)")
                next = part.segment.next
            }
            #expect(next == head.size, "seed \(seed)")
            _ = try chain.end()
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `an erasure names what has to be replaced, and the roots stay`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let before = try book.ledger.head().size
        let sent = try parts(of: book.ledger)
        var random = SplitMix64(seed: seed)
        let trip = try #require(try book.erasableTrip(using: &random))
        try book.erase(book.ledger.planErasure(of: .prefix(trip.description)))
        let parts = try parts(of: book.ledger, after: before)
        let erased = parts.reduce(into: RangeSet<UInt64>()) { $0.formUnion($1.erased) }
        #expect(!erased.isEmpty, "seed \(seed)")
        #expect(erased.ranges.allSatisfy { $0.upperBound <= before }, "seed \(seed)")
        for part in sent {
            let range = part.segment.first..<part.segment.next
            let bytes = try ReplicatedLog(of: book.ledger).bytes(of: range)
            var frontier = try #require(
                try ReplicatedLog(of: book.ledger).frontier(atSize: range.lowerBound)
            )
            var segment = part.segment
            segment.bytes = bytes
            try segment.eachEntry { _, leaf in _ = frontier.append(leaf) }
            #expect(frontier.root == part.segment.root, "seed \(seed)")
            let isTouched = !erased.intersection(RangeSet(range)).isEmpty
            #expect((bytes != part.segment.bytes) == isTouched, "seed \(seed)")
        }
    }

    @Test func `a log that is shorter than asked has no frontier there`() throws {
        let book = try TemporaryLedger()
        let log = ReplicatedLog(of: book.ledger)
        let size = try log.size()
        #expect(try log.frontier(atSize: size + 1) == nil)
        #expect(try log.frontier(atSize: 0) == MerkleFrontier())
        #expect(try log.timeOfStoring(at: size) == nil)
    }

    @Test func `the first entry that was stored since an instant is found`() throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: 1)
        let log = ReplicatedLog(of: book.ledger)
        let size = try log.size()
        for position in [0, size / 2, size - 1] {
            let time = try #require(try log.timeOfStoring(at: position))
            let first = try log.firstPosition(storedSince: time)
            #expect(first <= position)
            #expect(try log.timeOfStoring(at: first) == time)
            if first > 0 { #expect(try #require(try log.timeOfStoring(at: first - 1)) < time) }
        }
        #expect(try log.firstPosition(storedSince: Timestamp(milliseconds: .max)) == size)
    }
}
