import Proofs
package import ServerStore
import TripEvents
package import TripLedger

/// The way to another ledger, which may fail at any time.
package protocol SyncTransport {
    /// Asks the other ledger for its greeting.
    ///
    /// - Parameter held: The size of the head that is known of its log.
    /// - Returns: The greeting.
    /// - Throws: `SyncRefusal`, or why the other was not reached.
    mutating func greet(held: UInt64?) throws -> SyncGreeting

    /// Gives the other a page of this log.
    ///
    /// - Throws: `SyncRefusal` if it does not take it.
    mutating func push(_ page: SyncPage, from: UInt64) throws -> SyncTally

    /// Asks the other for a page of its log.
    mutating func pull(from: UInt64, upTo size: UInt64, isComplete: Bool) throws -> [UInt8]
}

/// The outcome for events that were handed over.
package struct SyncTally: Hashable, Sendable {
    /// How many were stored.
    package var appended = 0

    /// How many were there already.
    package var duplicates = 0

    /// How many have the id of another event.
    package var conflicts = 0

    /// How many were refused.
    package var rejected = 0

    /// Creates a tally of nothing.
    package init() {}

    /// Counts the outcomes of a delivery.
    package init(_ summary: IntakeSummary) {
        appended = summary.appended
        duplicates = summary.duplicate
        conflicts = summary.conflict
        rejected = summary.rejected
    }

    /// Adds another tally.
    package mutating func add(_ other: SyncTally) {
        appended += other.appended
        duplicates += other.duplicates
        conflicts += other.conflicts
        rejected += other.rejected
    }

    /// Whether an event was not taken.
    package var hasRefusals: Bool { conflicts + rejected > 0 }
}

/// The result of an exchange.
package struct SyncReport: Hashable, Sendable {
    /// The other ledger.
    package var peer: String

    /// The outcome for the events that were given.
    package var pushed = SyncTally()

    /// The outcome for the events that were received.
    package var pulled = SyncTally()

    /// Whether the other's log is shorter than it was, or different.
    package var peerWasSetBack = false

    /// Whether the other has seen entries of this log that are missing or different here.
    package var ownWasSetBack = false

    /// Creates a report of nothing.
    package init(with peer: String) {
        self.peer = peer
    }

    /// Whether every event was taken, and neither log was set back.
    package var isEven: Bool {
        !pushed.hasRefusals && !pulled.hasRefusals && !peerWasSetBack && !ownWasSetBack
    }
}

/// One exchange with another ledger, from the side that asks: first it gives what the other lacks,
/// because the exchange may be cut off after that, then it gets what it lacks itself.
///
/// A ledger is a set of events of each source, so the order and the number of deliveries do not
/// matter. Both sides keep how far they have received the other's log, each for itself, and the
/// other's head, which a later one must go on from. If it does not, a copy was restored or the log
/// forked: then everything is exchanged anew, including events that once came from there, and the
/// report says so.
package struct SyncRound {
    private let ledger: Ledger
    private let book: PeerBook
    private let acceptsOtherSettings: Bool
    private let now: () -> Timestamp
    private let onReceipt: (LineReceipt) throws -> Void
    private let onProgress: (SyncReport) -> Void

    /// Prepares an exchange.
    ///
    /// - Parameters:
    ///   - ledger: This ledger.
    ///   - state: What it keeps of others.
    ///   - acceptsOtherSettings: Whether the two may compute differently.
    ///   - now: Returns the present.
    ///   - onReceipt: Gets the answers to events from the other that were not taken.
    ///   - onProgress: Told after each page.
    package init(
        of ledger: Ledger,
        in state: ServerState,
        acceptsOtherSettings: Bool = false,
        now: @escaping () -> Timestamp,
        onReceipt: @escaping (LineReceipt) throws -> Void = { _ in },
        onProgress: @escaping (SyncReport) -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.acceptsOtherSettings = acceptsOtherSettings
        self.now = now
        self.onReceipt = onReceipt
        self.onProgress = onProgress
        book = PeerBook(of: ledger, in: state)
    }

    /// Exchanges what there is.
    ///
    /// If it fails, what was exchanged until then is kept, and the next one goes on from there.
    ///
    /// - Throws: `SyncRefusal`, `LedgerError`, and what the transport throws.
    package func run(over transport: inout some SyncTransport) throws -> SyncReport {
        var greeting = try transport.greet(held: nil)
        guard greeting.ledger != ledger.founding.ledger else { throw SyncRefusal.sameLedger }
        let difference = SyncSettings(of: ledger).difference(from: greeting.settings)
        guard difference.isEmpty || acceptsOtherSettings else {
            throw SyncRefusal.settingsDiffer(difference)
        }
        var report = SyncReport(with: greeting.ledger)
        let cursor = try book.cursor(of: greeting.ledger)
        if let cursor, cursor.head.size > 0, cursor.head != greeting.head {
            greeting = try transport.greet(held: cursor.head.size)
            report.peerWasSetBack = !cursor.isContinued(by: greeting.head, greeting.consistency)
        }
        if let known = greeting.fromYou {
            report.ownWasSetBack = try !ledger.hasHad(known.head)
        }
        // The side that lost entries gets them before the other side notes its new cursor: so after
        // an interruption the loss is seen again. If both lost entries, those that this side gets
        // first must not hide the other's loss.
        if report.ownWasSetBack {
            if report.peerWasSetBack, let cursor { try book.hold(cursor, of: greeting.ledger) }
            try pull(greeting, from: 0, notes: !report.peerWasSetBack, over: &transport, &report)
        }
        try push(greeting, over: &transport, &report)
        if report.peerWasSetBack || !report.ownWasSetBack {
            let from = report.peerWasSetBack ? 0 : cursor?.until ?? 0
            try pull(greeting, from: from, notes: true, over: &transport, &report)
        }
        return report
    }

    /// Gives the other what it lacks.
    private func push(
        _ greeting: SyncGreeting,
        over transport: inout some SyncTransport,
        _ report: inout SyncReport
    ) throws {
        let head = try ledger.head()
        let known = report.ownWasSetBack || report.peerWasSetBack ? nil : greeting.fromYou
        let pages = PagesAhead(
            of: ledger,
            from: known?.until ?? 0,
            upTo: head,
            for: greeting.ledger,
            isComplete: report.peerWasSetBack
        )
        var proven = known?.head.size
        try pages.visit { from, page in
            var page = page
            if from > 0, let size = proven {
                page.consistency = try ledger.syncProof(from: size, to: head.size) ?? []
            }
            report.pushed.add(try transport.push(page, from: from))
            proven = head.size
            onProgress(report)
        }
    }

    /// How many pages in a row may hold nothing.
    ///
    /// A ledger passes over hundreds of thousands of entries in each, so a side with more empty
    /// pages is probably not a log; if it is, the next exchange goes on from there.
    package static let mostEmptyPages = 200

    /// Requires that a page brings the exchange as far on as a ledger's pages do.
    ///
    /// - Throws: `SyncRefusal.malformed` if it could go on so for ever.
    private func requireProgress(
        _ page: SyncPage,
        from: UInt64,
        byteCount: Int,
        emptyCount: Int
    ) throws(SyncRefusal) {
        let isFull =
            page.next == page.head.size || page.next - from >= UInt64(Delivery.mostItems)
            || byteCount >= SyncGreeting.mostBytes
        guard isFull, emptyCount <= Self.mostEmptyPages else {
            throw .malformed("its pages have no end")
        }
    }

    /// Gets what this ledger lacks.
    private func pull(
        _ greeting: SyncGreeting,
        from start: UInt64,
        notes: Bool,
        over transport: inout some SyncTransport,
        _ report: inout SyncReport
    ) throws {
        var from = start
        var emptyCount = 0
        while from < greeting.head.size {
            let bytes = try transport.pull(
                from: from,
                upTo: greeting.head.size,
                isComplete: report.ownWasSetBack
            )
            let (page, delivery) = try SyncPage.delivery(of: bytes, from: greeting.ledger, at: from)
            guard page.head == greeting.head, page.next > from else {
                throw SyncRefusal.malformed("the page is not of the log that was announced")
            }
            emptyCount = page.count > 0 ? 0 : emptyCount + 1
            try requireProgress(
                page,
                from: from,
                byteCount: bytes.count,
                emptyCount: emptyCount
            )
            if page.count > 0 {
                let appendable = try ledger.appendable(
                    delivery,
                    refusingOtherGroups: acceptsOtherSettings
                )
                for answer in ledger.append([appendable], now: now()) {
                    let answer = try answer.get()
                    try book.setAside(answer, of: delivery, now: now())
                    report.pulled.add(SyncTally(answer.summary))
                    for receipt in answer.receipts where receipt.receipt.isComplaint {
                        try onReceipt(receipt)
                    }
                }
            }
            from = page.next
            if notes { try book.note(until: from, of: greeting.head, from: greeting.ledger) }
            onProgress(report)
        }
    }
}
