import EventStore
import Proofs
package import ServerStore
import TripEvents
package import TripLedger

/// The side of an exchange that is asked: it says how far it is, gives pages of its log, and takes
/// pages of the other's.
///
/// It knows no requests and no network. Events are appended through the caller's one writer.
package struct SyncHost: Sendable {
    private let ledger: Ledger
    private let book: PeerBook

    /// Prepares to exchange events with other ledgers.
    package init(of ledger: Ledger, in state: ServerState) {
        self.ledger = ledger
        book = PeerBook(of: ledger, in: state)
    }

    /// Greets another ledger.
    ///
    /// - Parameters:
    ///   - peer: The other's id.
    ///   - settings: How the other computes; `nil` if it does not care.
    ///   - held: The size of the head of this log that the other has seen before.
    /// - Returns: The greeting of this ledger, with how far it knows the other's log.
    /// - Throws: `SyncRefusal`, `LedgerError`.
    package func greet(
        _ peer: String,
        settings: SyncSettings?,
        held: UInt64?
    ) throws -> SyncGreeting {
        guard peer != ledger.founding.ledger else { throw SyncRefusal.sameLedger }
        let own = SyncSettings(of: ledger)
        if let settings {
            let difference = own.difference(from: settings)
            guard difference.isEmpty else {
                throw SyncRefusal.settingsDiffer(difference)
            }
        }
        var greeting = SyncGreeting(
            ledger: ledger.founding.ledger,
            settings: own,
            head: try ledger.head()
        )
        greeting.fromYou = try book.cursor(of: peer)
        if let held, let proof = try ledger.syncProof(from: held, to: greeting.head.size) {
            greeting.consistency = proof
        }
        return greeting
    }

    /// Returns a page of this log for another ledger.
    ///
    /// - Parameters:
    ///   - from: The position to begin at.
    ///   - size: How much of the log there was when the other was greeted.
    ///   - peer: The other's id.
    ///   - isComplete: Whether what came from there is given too.
    /// - Returns: The page; it says itself whether more follows.
    /// - Throws: `SyncRefusal` if the log is shorter; `LedgerError`.
    package func page(
        from: UInt64,
        upTo size: UInt64,
        for peer: String,
        isComplete: Bool
    ) throws -> SyncPage {
        guard let head = try ledger.head(atSize: size), from <= size else {
            throw SyncRefusal.malformed("the log has no \(size) entries")
        }
        return try ledger.syncPage(from: from, upTo: head, for: peer, isComplete: isComplete)
    }

    /// Reads a page of another ledger's log, and checks that this log goes on from what it was.
    ///
    /// - Parameters:
    ///   - bytes: The page.
    ///   - peer: The other's id.
    ///   - from: Where it begins; 0 begins anew, whatever came before.
    /// - Returns: The delivery to append, after which ``noteReceived(_:of:answer:now:)`` is due.
    /// - Throws: `SyncRefusal`, `LedgerError`.
    package func read(
        _ bytes: [UInt8],
        from peer: String,
        at from: UInt64
    ) throws -> (page: SyncPage, delivery: Delivery) {
        guard peer != ledger.founding.ledger else { throw SyncRefusal.sameLedger }
        let read = try SyncPage.delivery(of: bytes, from: peer, at: from)
        try ledger.requireSameGroups(in: read.delivery)
        guard from > 0 else { return read }
        guard let cursor = try book.cursor(of: peer), from <= cursor.until,
            cursor.isContinued(by: read.page.head, read.page.consistency)
        else {
            throw SyncRefusal.setBack(until: try book.cursor(of: peer)?.until ?? 0)
        }
        return read
    }

    /// Notes that a page was received and stored, and sets aside the events that were not taken.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - delivery: The delivery made from it.
    ///   - answer: The answer to that.
    ///   - now: The present.
    /// - Throws: `LedgerError`.
    package func noteReceived(
        _ page: SyncPage,
        of delivery: Delivery,
        answer: DeliveryAnswer,
        now: Timestamp
    ) throws(LedgerError) {
        guard let peer = delivery.peer?.ledger else { return }
        try book.setAside(answer, of: delivery, now: now)
        try book.note(until: page.next, of: page.head, from: peer)
    }
}

extension Ledger {
    /// Requires that the sources of events of another ledger belong to the same groups here, so
    /// that both ledgers compute the same from them.
    ///
    /// - Throws: `SyncRefusal.settingsDiffer` for the first source of another group, `LedgerError`.
    func requireSameGroups(in delivery: Delivery) throws {
        var reader = EventLineReader()
        var checked: Set<Int> = []
        for item in delivery.items {
            // A line that is not an event is refused when it is appended.
            guard case .success(let range) = item.line,
                (try? reader.read(
                    delivery.bytes.span.extracting(range),
                    recordedAt: Timestamp(milliseconds: .max >> 17)
                )) != nil, checked.insert(reader.candidate.sourceNumber).inserted
            else { continue }
            let name = reader.candidate.source
            let known = try LedgerError.translating(at: path) {
                try log.number(ofSource: name).flatMap { try log.source(numbered: $0) }
            }
            guard let known, !known.group.hasSameBytes(as: reader.candidate.group) else { continue }
            throw SyncRefusal.settingsDiffer(["group of \(Excerpt.escaped(name))"])
        }
    }
}
