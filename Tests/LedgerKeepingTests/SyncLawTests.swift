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

/// Ledgers that exchange events become alike, in any order of exchanges, wherever they break off.
@Suite struct SyncLawTests {
    @Test(arguments: Seeds.fresh(8))
    func `three ledgers end with the trips of one that was told everything`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let whole = try TemporaryLedger()
        try whole.appendRandomBook(seed: seed)
        let books = try (0..<3).map { _ in try Peer() }
        for event in try Peer.events(of: whole.ledger).shuffled(using: &random) {
            for book in books.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
            {
                try book.take(event)
            }
            if Int.random(in: 0..<40, using: &random) == 0 {
                try Self.exchange(books, breaking: true, seed, using: &random)
            }
        }
        try Self.converge(books, seed)
        for book in books {
            #expect(
                try Set(Peer.lines(of: book.book.ledger)) == Set(Peer.lines(of: whole.ledger)),
                "seed \(seed)"
            )
            #expect(
                try book.book.rowsWithoutArrival() == whole.rowsWithoutArrival(),
                "seed \(seed)"
            )
            try expectSound(book.book.ledger, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `a ledger that was set back gets back what others still have, and it is said`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let whole = try TemporaryLedger()
        try whole.appendRandomBook(seed: seed)
        let events = try Peer.events(of: whole.ledger).shuffled(using: &random)
        let books = try (0..<2).map { _ in try Peer() }
        var wasSaid = 0
        for (index, event) in events.enumerated() {
            try books[Int.random(in: 0...1, using: &random)].take(event)
            guard index % max(1, events.count / 6) == 0 else { continue }
            try Self.exchange(books, breaking: true, seed, using: &random)
            let book = books[Int.random(in: 0...1, using: &random)]
            if index % 2 == 0 {
                try book.keepCopy()
            } else {
                try book.restoreCopy(withServer: Bool.random(using: &random))
            }
        }
        let left = try Set(books.flatMap { try Peer.lines(of: $0.book.ledger) })
        wasSaid += try Self.converge(books, seed)
        for book in books {
            #expect(try Set(Peer.lines(of: book.book.ledger)) == left, "seed \(seed)")
            try expectSound(book.book.ledger, "seed \(seed)")
        }
        let rows = try books.map { try $0.book.rowsWithoutArrival() }
        #expect(rows[0] == rows[1], "seed \(seed)")
    }

    @Test func `a set-back of either side is named once, and healed`() throws {
        for setBackAsks in [true, false] {
            for withServer in [true, false] {
                let asking = try Peer()
                let asked = try Peer()
                let victim = setBackAsks ? asking : asked
                try victim.take(Self.press(1, of: "phone"))
                _ = try asking.exchange(with: asked)
                try victim.keepCopy()
                try victim.take(Self.press(2, of: "phone"))
                try (setBackAsks ? asked : asking).take(Self.press(3, of: "laptop"))
                _ = try asking.exchange(with: asked)
                _ = try asking.exchange(with: asked)
                let before = try Set(Peer.lines(of: asked.book.ledger))
                try victim.restoreCopy(withServer: withServer)
                try victim.take(Self.press(4, of: "phone"))
                let report = try asking.exchange(with: asked)
                #expect(report.ownWasSetBack == setBackAsks, "with server: \(withServer)")
                #expect(report.peerWasSetBack == !setBackAsks, "with server: \(withServer)")
                #expect(!report.isEven)
                #expect(try asking.exchange(with: asked).isEven)
                let after = try Set(Peer.lines(of: asked.book.ledger))
                #expect(after.isSuperset(of: before))
                #expect(after.count == before.count + 1)
                #expect(try Set(Peer.lines(of: asking.book.ledger)) == after)
            }
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `after both sides were set back, an exchange may be cut anywhere`(
        withServer: Bool,
        otherGoesOn: Bool
    ) throws {
        for cut in 0...12 {
            let (asking, asked) = (try Peer(), try Peer())
            try asking.keepCopy()
            try asking.take(Self.press(1, of: "phone"))
            _ = try asking.exchange(with: asked)
            try asked.keepCopy()
            try asked.take(Self.press(2, of: "laptop"))
            // The one that asks gets all back, and its side of it is not told to the other.
            try asking.restoreCopy(withServer: withServer)
            #expect(throws: BrokenOff.self) {
                try asking.exchange(with: asked, breakingBeforePushes: true)
            }
            try asked.restoreCopy(withServer: withServer)
            try asked.take(Self.press(3, of: "laptop"))
            try asking.take(Self.press(4, of: "phone"))
            let left = try Set([asking, asked].flatMap { try Peer.lines(of: $0.book.ledger) })
            #expect(left.count == 4)
            do {
                let report = try asking.exchange(with: asked, breakingAfter: cut)
                #expect(report.ownWasSetBack && report.peerWasSetBack)
            } catch is BrokenOff {}
            try Self.converge(otherGoesOn ? [asked, asking] : [asking, asked], 0)
            for side in [asking, asked] {
                #expect(try Set(Peer.lines(of: side.book.ledger)) == left, "cut after \(cut)")
                try expectSound(side.book.ledger, "cut after \(cut)")
            }
        }
    }

    @Test func `a page whose answer was lost can be sent again`() throws {
        let asking = try Peer()
        let asked = try Peer()
        try asking.take(Self.press(1, of: "phone"))
        _ = try asking.exchange(with: asked)
        try asking.take(Self.press(2, of: "phone"))
        let report = try asking.exchange(with: asked, repeating: true)
        #expect(report.isEven)
        #expect(report.pushed.duplicates == 1)
        #expect(
            try Set(Peer.lines(of: asked.book.ledger)) == Set(Peer.lines(of: asking.book.ledger))
        )
    }

    @Test func `exchanges with nothing new write nothing`() throws {
        let asking = try Peer()
        let asked = try Peer()
        try asking.take(Self.press(1, of: "phone"))
        try asked.take(Self.press(2, of: "laptop"))
        try Self.converge([asking, asked], 0)
        let heads = try [asking, asked].map { try $0.book.ledger.head() }
        let report = try asking.exchange(with: asked)
        #expect(report.isEven)
        #expect(report.pushed == SyncTally())
        #expect(report.pulled == SyncTally())
        #expect(try [asking, asked].map { try $0.book.ledger.head() } == heads)
    }

    @Test(arguments: [("17", "18"), ("17", nil), (nil, "17")] as [(String?, String?)])
    func `ledgers that have one source in two groups exchange all but its events, if told so`(
        own: String?,
        others: String?
    ) throws {
        let books = try (0..<2).map { _ in try Peer() }
        let groups = [own, others]
        for (index, group) in groups.enumerated() {
            let event = TripEvent(
                source: "box",
                group: group,
                occurredAt: Timestamp(milliseconds: 1_800_000_000_000 + Int64(index)),
                body: .goPressed(GoPressed())
            )
            try books[index].take(event)
        }
        for (one, other) in [(0, 1), (1, 0)] {
            let refusal = #expect(throws: SyncRefusal.self) {
                try books[one].exchange(with: books[other])
            }
            #expect(
                refusal
                    == .otherGroup(
                        GroupDifference(source: "box", sent: groups[one], kept: groups[other])
                    )
            )
        }
        for book in books { #expect(try Peer.events(of: book.book.ledger).count == 1) }
        try books[0].take(Self.press(3, of: "phone"))
        try books[1].take(Self.press(4, of: "laptop"))
        let report = try books[0].exchange(with: books[1], acceptingOtherSettings: true)
        #expect(report.pushed.rejected == 1 && report.pushed.appended == 1)
        #expect(report.pulled.rejected == 1 && report.pulled.appended == 1)
        for (index, book) in books.enumerated() {
            let events = try Peer.events(of: book.book.ledger)
            #expect(Set(events.map(\.source)) == ["box", "phone", "laptop"])
            #expect(events.filter { $0.source == "box" }.map(\.group) == [groups[index]])
            // It never passes, so it is not tried again.
            #expect(try book.setAside() == ["other_group": false])
            #expect(try book.retry().isEmpty)
        }
        #expect(try books[0].exchange(with: books[1], acceptingOtherSettings: true).isEven)
    }

    @Test func `an event under an id that another has stays apart, and is said`() throws {
        let asking = try Peer()
        let asked = try Peer()
        try asking.take(Self.press(1, of: "phone", id: "a"))
        try asked.take(Self.press(2, of: "phone", id: "a"))
        let report = try asking.exchange(with: asked)
        #expect(report.pushed.conflicts == 1)
        #expect(report.pulled.conflicts == 1)
        #expect(!report.isEven)
        #expect(try asking.exchange(with: asked).isEven)
    }

    @Test func `an event that is not taken is set aside, and taken later`() throws {
        let asking = try Peer()
        let asked = try Peer()
        // The clock of each is days behind that of the other when it gets its events.
        for (early, late) in [(asking, asked), (asked, asking)] {
            late.book.now = Timestamp(milliseconds: late.book.now.milliseconds + 5 * 86_400_000)
            var event = Self.press(1, of: early === asking ? "laptop" : "phone")
            event.occurredAt = late.book.now
            try late.take(event)
            let report = try asking.exchange(with: asked)
            #expect((late === asked ? report.pulled : report.pushed).rejected == 1)
            #expect(try asking.exchange(with: asked).isEven)
            #expect(try early.retry().map(\.appended) == [0])
            early.book.now = late.book.now
            let retried = try early.retry()
            #expect(retried.map(\.appended) == [1])
            #expect(retried.map(\.reason) == [nil])
            #expect(try early.retry().isEmpty)
            #expect(try asking.exchange(with: asked).isEven)
        }
        #expect(
            try Set(Peer.lines(of: asked.book.ledger)) == Set(Peer.lines(of: asking.book.ledger))
        )
    }

    @Test func `where an event was received from can be told`() throws {
        let asking = try Peer()
        let asked = try Peer()
        try asked.take(Self.press(1, of: "phone"))
        let sent = try asked.book.ledger.head().size - 1
        _ = try asking.exchange(with: asked)
        var origins = asking.book.ledger.origins()
        var found: EntryOrigin?
        try asking.book.ledger.scanLog(from: 0) { stored in
            guard stored.event.source == "phone" else { return true }
            found = try origins.origin(of: stored.position, recordedAt: stored.recordedAt)
            return true
        }
        guard case .entry(let position, of: let received)? = found else {
            Issue.record("it is not told")
            return
        }
        #expect(position == sent)
        #expect(received.ledger == asked.book.ledger.founding.ledger)
        #expect(try asked.book.ledger.head(atSize: received.treeSize)?.root == received.treeHash)
    }

    private static func press(_ second: Int64, of source: String, id: String? = nil) -> TripEvent {
        TripEvent(
            source: source,
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000 + second * 1_000),
            id: id,
            body: .goPressed(GoPressed())
        )
    }

    /// Lets two ledgers exchange events, and breaks it off somewhere if asked to.
    private static func exchange(
        _ books: [Peer],
        breaking: Bool,
        _ seed: UInt64,
        using random: inout SplitMix64
    ) throws {
        let pair = books.shuffled(using: &random).prefix(2)
        guard let asking = pair.first, let asked = pair.last else { return }
        do {
            _ = try asking.exchange(
                with: asked,
                breakingAfter: breaking ? Int.random(in: 0...12, using: &random) : nil
            )
        } catch is BrokenOff {}
    }

    /// Lets all exchange events until nothing changes, and returns how often a set-back was said.
    @discardableResult
    private static func converge(_ books: [Peer], _ seed: UInt64) throws -> Int {
        var count = 0
        for _ in 0..<8 {
            let before = try books.map { try $0.book.ledger.head() }
            for asking in books {
                for asked in books where asked !== asking {
                    let report = try asking.exchange(with: asked)
                    if report.ownWasSetBack || report.peerWasSetBack { count += 1 }
                    #expect(report.pushed.rejected == 0, "seed \(seed)")
                    #expect(report.pulled.rejected == 0, "seed \(seed)")
                }
            }
            if try books.map({ try $0.book.ledger.head() }) == before { return count }
        }
        Issue.record("they do not come to rest; seed \(seed)")
        return count
    }
}
