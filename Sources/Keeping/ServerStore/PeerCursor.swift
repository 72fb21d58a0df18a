import LMDB
import RowCoding
package import TripLedger

/// How far the log of another ledger was received.
///
/// The own log says so too, by its `events_received` entries; this note also covers exchanges that
/// brought nothing new. The note is valid while the own log begins with the log at the time of the
/// note: not after an older copy was restored.
package struct PeerCursor: Hashable, Sendable {
    /// The position of the other log before which all was received.
    package var until: UInt64

    /// A head of the other log, which that log must never contradict.
    package var head: LedgerHead

    /// The own log when this was noted.
    package var ownHead: LedgerHead

    /// Whether this counts no matter what the own log says.
    ///
    /// Either the other ledger was set back, which must not be forgotten until it has recovered
    /// what it lost; or it was given a token, and the log's entries about it may be from another
    /// ledger.
    package var isHeld = false

    /// Creates a cursor.
    package init(until: UInt64, head: LedgerHead, ownHead: LedgerHead) {
        self.until = until
        self.head = head
        self.ownHead = ownHead
    }
}

extension PeerCursor {
    private static let version: UInt8 = 1

    /// The bytes that are stored (Formats, *What a server keeps*).
    var encoded: [UInt8] {
        var row = RowEncoder(version: Self.version)
        row.write(until)
        for head in [head, ownHead] {
            row.write(head.size)
            row.write(head.root)
        }
        row.write(isHeld)
        return row.bytes
    }

    /// Reads what ``encoded`` writes.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var row = try RowDecoder(bytes, version: Self.version)
        until = try row.readUInt64()
        head = LedgerHead(size: try row.readUInt64(), root: try row.readText())
        ownHead = LedgerHead(size: try row.readUInt64(), root: try row.readText())
        isHeld = try row.readBool()
        try row.finish()
    }
}

extension ServerState {
    /// Returns how far the log of a ledger was received, if that was noted.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func cursor(of peer: String) throws(LedgerError) -> PeerCursor? {
        try translating {
            let key = Array(peer.utf8)
            return try environment.read { transaction in
                guard let stored = try transaction.get(handle(.peers), key) else { return nil }
                return try PeerCursor(decoding: opened(stored, key: key))
            }
        }
    }

    /// Returns the ids of the ledgers with which events were exchanged, in order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func peers() throws(LedgerError) -> [String] {
        try translating {
            try environment.read { transaction in
                var peers: [String] = []
                var cursor = try transaction.cursor(handle(.peers))
                while try cursor.next() {
                    peers.append(String(decoding: Self.copy(of: cursor.key), as: UTF8.self))
                }
                return peers
            }
        }
    }

    /// Notes how far the log of a ledger was received.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func note(_ cursor: PeerCursor, of peer: String) throws(LedgerError) {
        try translating {
            try environment.write { transaction in
                try put(cursor.encoded, key: Array(peer.utf8), in: .peers, &transaction)
            }
        }
    }
}
