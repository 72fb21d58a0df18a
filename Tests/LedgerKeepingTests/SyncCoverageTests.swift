import DriveSimulation
import Foundation
import LedgerTestSupport
import ServerStore
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripLedger

@testable import LedgerKeeping

/// No cursor moves over positions that a page does not account for.
@Suite struct SyncCoverageTests {
    private static let asker = String(repeating: "a", count: 32)

    @Test(arguments: Seeds.fresh(6))
    func `each page of a log accounts for each of its positions`(seed: UInt64) throws {
        let book = try Peer()
        let other = try Peer()
        try book.book.appendRandomBook(seed: seed)
        for event in try Peer.events(of: book.book.ledger).prefix(20) { try other.take(event) }
        // Some of it came from the other one, and is left out.
        _ = try book.exchange(with: other)
        let ledger = book.book.ledger
        let head = try ledger.head()
        for peer in [Self.asker, other.book.ledger.founding.ledger] {
            for from in [0, 1, head.size / 2, head.size - 1] {
                let page = try ledger.syncPage(from: from, upTo: head, for: peer, isComplete: false)
                let read = try SyncPage.delivery(of: page.bytes, from: peer, at: from)
                #expect(read.page.next > from, "seed \(seed)")
                let lines = Set(read.delivery.items.compactMap(\.peerPosition))
                let skipped = Set(read.page.skipped.flatMap { Array($0) })
                #expect(lines.isDisjoint(with: skipped), "seed \(seed)")
                #expect(lines.union(skipped) == Set(from..<page.next), "seed \(seed)")
            }
        }
    }

    /// Ends of pages from 0 to 20 with one line, at 7, which leave a position unsaid or say one
    /// twice.
    private static let gaps: [[Range<UInt64>]] = [
        [], [0..<7], [8..<20], [0..<7, 9..<20], [0..<6, 8..<20], [1..<7, 8..<20],
        [0..<7, 8..<19], [0..<7, 8..<21], [0..<7, 8..<10, 11..<20], [0..<8, 8..<20],
        [0..<20], [0..<7, 8..<20, 20..<21], [8..<20, 0..<7],
    ]

    @Test(arguments: gaps)
    func `a page that leaves a position unsaid moves no cursor`(
        skipped: [Range<UInt64>]
    ) throws {
        let asked = try Peer()
        let before = try asked.book.ledger.head()
        let page = try Self.page(skipping: skipped)
        let refusal = #expect(throws: SyncRefusal.self) {
            try asked.host.read(page, from: Self.asker, at: 0)
        }
        guard case .malformed? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(try asked.host.greet(Self.asker, settings: nil, held: nil).fromYou == nil)
        #expect(try asked.book.ledger.head() == before)
        // The side that asks is as careful.
        var wire = HostileWire(pages: [page])
        #expect(throws: SyncRefusal.self) { try asked.round.run(over: &wire) }
        #expect(try asked.host.greet(wire.greeting.ledger, settings: nil, held: nil).fromYou == nil)
    }

    @Test func `a page that says all of it is taken`() throws {
        let asked = try Peer()
        let page = try Self.page(skipping: [0..<7, 8..<20])
        let read = try asked.host.read(page, from: Self.asker, at: 0)
        #expect(read.page.next == 20 && read.page.count == 1)
        var wire = HostileWire(pages: [page])
        #expect(try asked.round.run(over: &wire).pulled.appended == 1)
        let cursor = try asked.host.greet(wire.greeting.ledger, settings: nil, held: nil).fromYou
        #expect(cursor?.until == 20)
    }

    @Test func `pages that bring nothing end an exchange`() throws {
        let asking = try Peer()
        var wire = HostileWire(pages: [])
        wire.greeting.head.size = 1 << 50
        #expect(throws: SyncRefusal.self) { try asking.round.run(over: &wire) }
        #expect(wire.pullCount <= SyncRound.mostEmptyPages + 1)
        // One that covers next to nothing is refused at once.
        var slow = HostileWire(pages: [])
        slow.greeting.head.size = 1 << 50
        slow.step = 1
        #expect(throws: SyncRefusal.self) { try asking.round.run(over: &slow) }
        #expect(slow.pullCount == 1)
    }

    @Test(arguments: ["", "laptop", String(repeating: "A", count: 32), "\u{1B}[2J"])
    func `what has no id of a ledger is none`(id: String) throws {
        var greeting = HostileWire(pages: []).greeting
        greeting.ledger = id
        let refusal = #expect(throws: SyncRefusal.self) { try SyncGreeting(greeting.json) }
        guard case .malformed? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    /// Returns a page from 0 to 20 with a press at 7.
    private static func page(skipping skipped: [Range<UInt64>]) throws -> [UInt8] {
        var event: [UInt8] = []
        TripEvent(
            source: "phone",
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000),
            body: .goPressed(GoPressed())
        )
        .appendJSON(to: &event)
        let place = #"{"position":7,"recorded_at":"2023-11-14T22:13:30.000Z","#
        var page = SyncPage(next: 20, of: HostileWire.head)
        page.lines = Array(place.utf8) + event.dropFirst() + [UInt8(ascii: "\n")]
        page.skipped = skipped
        return page.bytes
    }
}

/// A ledger elsewhere that answers what it likes.
private struct HostileWire: SyncTransport {
    static let head = LedgerHead(size: 20, root: String(repeating: "7", count: 64))

    var greeting = SyncGreeting(
        ledger: String(repeating: "f", count: 32),
        settings: SyncSettings(timeZone: "Europe/Amsterdam", units: "km", rules: "trip-rules-1"),
        head: head
    )
    var pages: [[UInt8]]
    var pullCount = 0

    /// How far pages go that hold nothing.
    var step: UInt64 = 1_000_000

    init(pages: [[UInt8]]) {
        self.pages = pages
    }

    mutating func greet(held: UInt64?) -> SyncGreeting { greeting }

    mutating func push(_ page: SyncPage, from: UInt64) -> SyncTally { SyncTally() }

    mutating func pull(from: UInt64, upTo size: UInt64, isComplete: Bool) -> [UInt8] {
        pullCount += 1
        if !pages.isEmpty { return pages.removeFirst() }
        var page = SyncPage(next: from + step, of: greeting.head)
        page.skipped = [from..<from + step]
        return page.bytes
    }
}
