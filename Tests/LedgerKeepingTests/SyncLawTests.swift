import DriveSimulation
import Foundation
import LedgerTestSupport
import ServerStore
import SystemPackage
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

/// The network is gone.
private struct BrokenOff: Error {}

/// A ledger with what it keeps of others, and copies of it.
private final class Peer {
    let book: TemporaryLedger
    private var state: ServerState

    init() throws {
        book = try TemporaryLedger()
        state = try ServerState.openOrCreate(of: book.path)
    }

    deinit { state.close() }

    func take(_ event: TripEvent) throws {
        try book.append([event])
    }

    /// Lets it exchange events with another one.
    ///
    /// - Parameters:
    ///   - other: The other.
    ///   - calls: After how many messages it breaks off.
    ///   - repeats: Whether the first answer to each page is lost, and the page sent again.
    func exchange(
        with other: Peer,
        breakingAfter calls: Int? = nil,
        repeating repeats: Bool = false
    ) throws -> SyncReport {
        var wire = Wire(
            to: SyncHost(of: other.book.ledger, in: other.state),
            book: other.book,
            from: book.ledger.founding.ledger,
            breaksAfter: calls,
            repeats: repeats
        )
        return try SyncRound(of: book.ledger, in: state, now: { [book] in book.now })
            .run(over: &wire)
    }

    /// Returns what was ever told to a ledger.
    static func events(of ledger: Ledger) throws -> [TripEvent] {
        var events: [TripEvent] = []
        try ledger.scanLog(from: 0) { stored in
            if !stored.event.source.isEmpty { events.append(stored.event) }
            return true
        }
        return events
    }

    /// Returns the same as lines.
    static func lines(of ledger: Ledger) throws -> [String] {
        try events(of: ledger)
            .map { event in
                var line: [UInt8] = []
                event.appendJSON(to: &line)
                return String(decoding: line, as: UTF8.self)
            }
    }

    func keepCopy() throws {
        try whileClosed {
            try? FileManager.default.removeItem(atPath: book.directory.path("copy"))
            try FileManager.default.copyItem(
                atPath: book.path.string,
                toPath: book.directory.path("copy")
            )
        }
    }

    /// Puts the copy back, if there is one, with or without what was kept beside its log.
    func restoreCopy(withServer: Bool) throws {
        let copy = book.directory.path("copy")
        guard FileManager.default.fileExists(atPath: copy) else { return }
        try whileClosed {
            for part in ["log", "views"] + (withServer ? ["server"] : []) {
                let place = book.path.appending(part).string
                let kept = "\(copy)/\(part)"
                try? FileManager.default.removeItem(atPath: place)
                if FileManager.default.fileExists(atPath: kept) {
                    try FileManager.default.copyItem(atPath: kept, toPath: place)
                }
            }
        }
    }

    private func whileClosed(_ body: () throws -> Void) throws {
        state.close()
        try book.whileClosed(body)
        state = try ServerState.openOrCreate(of: book.path)
    }
}

/// A wire to another ledger, which breaks after some messages: each request is one, and so is each
/// answer.
private struct Wire: SyncTransport {
    private let host: SyncHost
    private let book: TemporaryLedger
    private let asker: String
    private let repeats: Bool
    private var messagesLeft: Int?

    init(
        to host: SyncHost,
        book: TemporaryLedger,
        from asker: String,
        breaksAfter count: Int?,
        repeats: Bool
    ) {
        self.host = host
        self.repeats = repeats
        self.book = book
        self.asker = asker
        messagesLeft = count
    }

    private mutating func send() throws {
        guard let left = messagesLeft else { return }
        guard left > 0 else { throw BrokenOff() }
        messagesLeft = left - 1
    }

    mutating func greet(held: UInt64?) throws -> SyncGreeting {
        try send()
        let greeting = try host.greet(asker, settings: nil, held: held)
        try send()
        return try SyncGreeting(greeting.json)
    }

    mutating func push(_ page: SyncPage, from: UInt64) throws -> SyncTally {
        if repeats { _ = try pushOnce(page, from: from) }
        return try pushOnce(page, from: from)
    }

    private mutating func pushOnce(_ page: SyncPage, from: UInt64) throws -> SyncTally {
        try send()
        let read = try host.read(page.bytes, from: asker, at: from)
        let answer = book.ledger.append([read.delivery], now: book.now)[0]
        // The program may end between the two.
        try send()
        try host.noteReceived(read.page, from: asker)
        try send()
        return SyncTally(try answer.get().summary)
    }

    mutating func pull(from: UInt64, upTo size: UInt64, isComplete: Bool) throws -> [UInt8] {
        try send()
        let page = try host.page(from: from, upTo: size, for: asker, isComplete: isComplete)
        try send()
        return page.bytes
    }
}
