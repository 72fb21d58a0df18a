import EventStore
package import Proofs
package import ServerStore
import TripEvents
package import TripLedger

/// How far a ledger has received the logs of others, and what it knows of their heads.
package struct PeerBook: Sendable {
    private let ledger: Ledger
    private let state: ServerState

    /// Opens the book of a ledger.
    package init(of ledger: Ledger, in state: ServerState) {
        self.ledger = ledger
        self.state = state
    }

    /// Returns how far the log of a ledger was received; `nil` if not at all.
    ///
    /// The note counts if this log begins with the log at the time of the note. If not, because an
    /// older copy was restored, or if there is no note, the log itself tells: then some events may
    /// come again, which changes nothing.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func cursor(of peer: String) throws(LedgerError) -> PeerCursor? {
        let noted = try state.cursor(of: peer)
        if let noted, noted.isHeld { return noted }
        if let noted, try ledger.hasHad(noted.ownHead) {
            // Something was stored after the note, and the program ended before that was noted,
            // too.
            return try ledger.lastReceived(from: peer, since: noted.ownHead.size) ?? noted
        }
        return try ledger.lastReceived(from: peer, since: 0)
    }

    /// Keeps the cursor of a ledger that was set back, until something is noted about it again.
    ///
    /// Otherwise, entries that this log receives from it meanwhile would suggest that all is well.
    ///
    /// - Parameters:
    ///   - cursor: How far its log had been received before that.
    ///   - peer: The ledger.
    /// - Throws: `.damaged`, `.inputOutput`.
    func hold(_ cursor: PeerCursor, of peer: String) throws(LedgerError) {
        var held = cursor
        held.isHeld = true
        try state.note(held, of: peer)
    }

    /// Sets aside the events of a page that the ledger did not take, to be tried again.
    ///
    /// - Parameters:
    ///   - answer: The answer to the page.
    ///   - delivery: The page.
    ///   - now: The present.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func setAside(
        _ answer: DeliveryAnswer,
        of delivery: Delivery,
        now: Timestamp
    ) throws(LedgerError) {
        guard answer.summary.rejected > 0, let peer = delivery.peer?.ledger else { return }
        try state.setAside(SetAsideItem.refused(answer, of: delivery, from: peer, at: now))
    }

    /// Notes that all before a position was received.
    ///
    /// - Parameters:
    ///   - until: The position.
    ///   - head: The head of the other log.
    ///   - peer: The other ledger.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func note(
        until: UInt64,
        of head: LedgerHead,
        from peer: String
    ) throws(LedgerError) {
        let cursor = PeerCursor(until: until, head: head, ownHead: try ledger.head())
        try state.note(cursor, of: peer)
    }
}

extension PeerCursor {
    /// Returns whether a log continues the one for which this was noted.
    ///
    /// - Parameters:
    ///   - head: The log's head.
    ///   - path: The proof for it.
    /// - Returns: Whether it does; every log continues an empty one.
    func isContinued(by head: LedgerHead, _ path: [Digest]) -> Bool {
        // A page that is repeated because its answer was lost has the same head, and a proof from
        // an older one.
        guard head != self.head else { return true }
        guard let older = TreeHead(self.head), let newer = TreeHead(head) else { return false }
        // Every log begins with the empty one.
        guard older.size > 0 else { return true }
        return MerkleProof.isConsistent(older: older, newer: newer, path: path)
    }
}

extension Ledger {
    /// Returns whether the log begins with the one that a head commits to.
    package func hasHad(_ head: LedgerHead) throws(LedgerError) -> Bool {
        try self.head(atSize: head.size) == head
    }

    /// Returns the proof that the log of one head begins with that of an older one.
    ///
    /// - Returns: The proof; `nil` if the log does not; empty if the older log is.
    package func syncProof(from older: UInt64, to newer: UInt64) throws(LedgerError) -> [Digest]? {
        try LedgerError.translating(at: path) {
            let tree = try LogTree(log)
            guard older <= newer, newer <= tree.head.size else { return nil }
            return older == 0 ? [] : try tree.consistencyProof(from: older, toSize: newer)
        }
    }

    /// Returns how far another ledger's log was received, according to this log from a position on.
    fileprivate func lastReceived(
        from peer: String,
        since position: UInt64
    ) throws(LedgerError) -> PeerCursor? {
        try LedgerError.translating(at: path) {
            var last: EventsReceived?
            let head = LedgerHead(try log.head())
            try log.eachEntry(in: min(position, head.size)..<head.size) { entry, position in
                guard entry.saysOrigins,
                    case .eventsReceived(let received) =
                        try StoredEvent(entry, at: position, source: .ledger).event.body,
                    received.ledger == peer
                else { return }
                last = received
            }
            return last.map { received in
                PeerCursor(
                    until: received.records.lastRecord.map { $0 + 1 } ?? 0,
                    head: LedgerHead(size: received.treeSize, root: received.treeHash),
                    ownHead: head
                )
            }
        }
    }
}
