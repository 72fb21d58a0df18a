import Foundation
import LedgerTestSupport
import ServerStore
import SystemPackage
import TestSupport
import TripEvents
import TripLedger

@testable import LedgerKeeping

/// The network is gone.
struct BrokenOff: Error {}

/// A ledger with what it keeps of others, and copies of it.
final class Peer {
    let book: TemporaryLedger
    private var state: ServerState

    init() throws {
        book = try TemporaryLedger()
        state = try ServerState.openOrCreate(of: book.path)
    }

    deinit { state.close() }

    /// The side of it that is asked.
    var host: SyncHost { SyncHost(of: book.ledger, in: state) }

    /// The side of it that asks, whatever the other one's settings.
    var round: SyncRound {
        SyncRound(
            of: book.ledger,
            in: state,
            acceptsOtherSettings: true,
            now: { [book] in book.now }
        )
    }

    func take(_ event: TripEvent) throws {
        try book.append([event])
    }

    /// Lets it exchange events with another one.
    ///
    /// - Parameters:
    ///   - other: The other.
    ///   - calls: The number of messages after which it breaks off.
    ///   - breaksBeforePushes: Whether it breaks off as soon as something is given.
    ///   - repeats: Whether the first answer to each page is lost, and the page sent again.
    ///   - acceptsOtherSettings: Whether the two may compute differently.
    /// - Returns: The exchange's figures.
    /// - Throws: `SyncRefusal`, `LedgerError`, or that it was broken off.
    func exchange(
        with other: Peer,
        breakingAfter calls: Int? = nil,
        breakingBeforePushes breaksBeforePushes: Bool = false,
        repeating repeats: Bool = false,
        acceptingOtherSettings acceptsOtherSettings: Bool = false
    ) throws -> SyncReport {
        var wire = Wire(
            to: SyncHost(of: other.book.ledger, in: other.state),
            book: other.book,
            from: book.ledger.founding.ledger,
            breaksAfter: calls,
            breaksBeforePushes: breaksBeforePushes,
            repeats: repeats,
            acceptsOtherSettings: acceptsOtherSettings
        )
        return try SyncRound(
            of: book.ledger,
            in: state,
            acceptsOtherSettings: acceptsOtherSettings,
            now: { [book] in book.now }
        )
        .run(over: &wire)
    }

    /// Tries again what was set aside.
    func retry() throws -> [RetriedItem] {
        try state.retrySetAside(of: nil, into: book.ledger, now: book.now)
    }

    /// Returns the codes of what was set aside, and whether each may pass later.
    func setAside() throws -> [String: Bool] {
        var codes: [String: Bool] = [:]
        try state.forEachSetAside { item in
            codes[item.item.code] = item.item.mayPassLater
            return true
        }
        return codes
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
    private let breaksBeforePushes: Bool
    private let repeats: Bool
    private let acceptsOtherSettings: Bool
    private var messagesLeft: Int?

    init(
        to host: SyncHost,
        book: TemporaryLedger,
        from asker: String,
        breaksAfter count: Int?,
        breaksBeforePushes: Bool,
        repeats: Bool,
        acceptsOtherSettings: Bool
    ) {
        self.host = host
        self.acceptsOtherSettings = acceptsOtherSettings
        self.breaksBeforePushes = breaksBeforePushes
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
        guard !breaksBeforePushes else { throw BrokenOff() }
        if repeats { _ = try pushOnce(page, from: from) }
        return try pushOnce(page, from: from)
    }

    private mutating func pushOnce(_ page: SyncPage, from: UInt64) throws -> SyncTally {
        try send()
        let read = try host.read(
            page.bytes,
            from: asker,
            at: from,
            acceptsOtherSettings: acceptsOtherSettings
        )
        let answer = book.ledger.append([read.delivery], now: book.now)[0]
        // The program may end between the two.
        try send()
        let stored = try answer.get()
        try host.noteReceived(read, answer: stored, now: book.now)
        try send()
        return SyncTally(stored.summary)
    }

    mutating func pull(from: UInt64, upTo size: UInt64, isComplete: Bool) throws -> [UInt8] {
        try send()
        let page = try host.page(from: from, upTo: size, for: asker, isComplete: isComplete)
        try send()
        return page.bytes
    }
}
