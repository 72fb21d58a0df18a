import EventStore
package import Proofs
package import TripLedger

/// The tiles and bundles of the log that a signed head commits to (C2SP tlog-tiles), each made from
/// the log on request, with the same bytes as in an export of the head.
package struct LogTiles: Sendable {
    /// The head.
    package let head: SignedHead

    private let ledger: Ledger
    private let tree: LogTree

    /// Reads the tree.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - head: A signed head of it.
    /// - Throws: `.forked` if the log is not the one that was signed, `.damaged`, `.inputOutput`.
    package init(of ledger: Ledger, under head: SignedHead) throws(LedgerError) {
        self.ledger = ledger
        self.head = head
        tree = try LedgerError.translating(at: ledger.path) { try ledger.signedTree(head) }
    }

    /// Returns the bytes of a place; `nil` if the head does not cover it.
    ///
    /// There is a partial tile for every size that the log ever had, not only for the signed sizes.
    ///
    /// - Throws: `.damaged` if entries are not those that were hashed, `.inputOutput`.
    package func bytes(at place: TilePlace) throws(LedgerError) -> [UInt8]? {
        guard let count = place.entryCount, count <= head.head.size else { return nil }
        let start = place.index * UInt64(TilePlace.fullWidth)
        let range = start..<start + UInt64(place.width)
        return try LedgerError.translating(at: ledger.path) {
            switch place.content {
            case .hashes(let level): try TileTree.bytes(tree.hashes(ofLevel: level, range))
            case .entries: try bundle(range)
            }
        }
    }

    private func bundle(_ range: Range<UInt64>) throws -> [UInt8] {
        var bundle = EntryBundle()
        try ledger.log.eachEntry(in: range) { entry, _ in
            bundle.append(entry.isWithheld ? [] : [UInt8](copying: entry.bytes))
        }
        guard bundle.count == range.count else {
            throw EventLogError.damaged(
                position: range.lowerBound + UInt64(bundle.count),
                "it is missing"
            )
        }
        return bundle.bytes
    }
}
