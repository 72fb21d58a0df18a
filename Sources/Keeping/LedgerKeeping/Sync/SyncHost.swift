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

    /// Reads a page of another ledger's log, and checks that the other log continues what it was
    /// before.
    ///
    /// - Parameters:
    ///   - bytes: The page.
    ///   - peer: The other's id.
    ///   - from: Where it begins; 0 begins anew, whatever came before.
    ///   - acceptsOtherSettings: Whether the two may compute differently: then only the events of
    ///     sources that belong to another group here are refused, and not the page.
    /// - Returns: The delivery to append, after which ``noteReceived(_:answer:now:)`` is due.
    /// - Throws: `SyncRefusal`, `LedgerError`.
    package func read(
        _ bytes: [UInt8],
        from peer: String,
        at from: UInt64,
        acceptsOtherSettings: Bool = false
    ) throws -> ReceivedPage {
        guard peer != ledger.founding.ledger else { throw SyncRefusal.sameLedger }
        let (page, offered) = try SyncPage.delivery(of: bytes, from: peer, at: from)
        let read = ReceivedPage(
            page: page,
            offered: offered,
            delivery: try ledger.appendable(offered, refusingOtherGroups: acceptsOtherSettings)
        )
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
    ///   - received: The page.
    ///   - answer: The answer to its delivery.
    ///   - now: The present.
    /// - Throws: `LedgerError`.
    package func noteReceived(
        _ received: ReceivedPage,
        answer: DeliveryAnswer,
        now: Timestamp
    ) throws(LedgerError) {
        guard let peer = received.offered.peer?.ledger else { return }
        try book.setAside(answer, of: received.offered, now: now)
        try book.note(until: received.page.next, of: received.page.head, from: peer)
    }
}

/// A page of another ledger's log that was read.
package struct ReceivedPage: Sendable {
    /// The page without its lines.
    package let page: SyncPage

    /// Its events.
    let offered: Delivery

    /// What is to be appended: its events, but for those that this ledger refuses.
    package let delivery: Delivery
}

extension Ledger {
    /// Returns what is to be appended of the events of another ledger.
    ///
    /// Two ledgers compute the same only if a source belongs to the same group in both. An event
    /// that names no group is from a source that is the owner's in the other ledger.
    ///
    /// - Parameters:
    ///   - delivery: The events.
    ///   - refusesOtherGroups: Whether the events of sources that belong to another group here are
    ///     refused one by one, and the others appended.
    /// - Returns: The delivery, with the reason in place of each event that is refused.
    /// - Throws: `SyncRefusal.otherGroup` for the first such source, unless events are refused one
    ///   by one; `LedgerError`.
    func appendable(
        _ delivery: Delivery,
        refusingOtherGroups refusesOtherGroups: Bool
    ) throws -> Delivery {
        var reader = EventLineReader()
        var differences: [Int: GroupDifference?] = [:]
        var items = delivery.items
        for (index, item) in delivery.items.enumerated() {
            // A line that is not an event is refused when it is appended.
            guard case .success(let range) = item.line,
                (try? reader.read(
                    delivery.bytes.span.extracting(range),
                    recordedAt: Timestamp(milliseconds: .max >> 17)
                )) != nil
            else { continue }
            let source = reader.candidate.sourceNumber
            if differences[source] == nil {
                let difference = try groupDifference(
                    of: reader.candidate.source,
                    sentAs: reader.candidate.group
                )
                differences.updateValue(difference, forKey: source)
            }
            guard let difference = differences[source].flatMap(\.self) else { continue }
            guard refusesOtherGroups else { throw SyncRefusal.otherGroup(difference) }
            items[index].line = .failure(difference.rejection)
        }
        var appendable = Delivery(items, in: delivery.bytes)
        appendable.peer = delivery.peer
        return appendable
    }

    /// Returns how the group of a source differs from the one that another ledger names; `nil` if
    /// it does not, or the source is new here.
    private func groupDifference(
        of source: String,
        sentAs group: String?
    ) throws(LedgerError) -> GroupDifference? {
        let known = try LedgerError.translating(at: path) {
            try log.number(ofSource: source).flatMap { try log.source(numbered: $0) }
        }
        guard let known, !known.group.hasSameBytes(as: group) else { return nil }
        return GroupDifference(source: source, sent: group, kept: known.group)
    }
}
