import EventStore
package import Proofs
package import TripEvents
package import TripLedger

/// What a replica gets of a log: consecutive segments of its entries, as they are now.
package struct ReplicatedLog {
    private let ledger: Ledger

    /// Reads a ledger's log.
    package init(of ledger: Ledger) {
        self.ledger = ledger
    }

    /// Returns how many entries there are.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func size() throws(LedgerError) -> UInt64 {
        try ledger.head().size
    }

    /// Returns the tree over the first entries; `nil` if the log holds fewer.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func frontier(atSize size: UInt64) throws(LedgerError) -> MerkleFrontier? {
        guard size > 0 else { return MerkleFrontier() }
        return try LedgerError.translating(at: ledger.path) {
            let tree = try LogTree(ledger.log)
            return size <= tree.head.size ? try tree.frontier(atSize: size) : nil
        }
    }

    /// Returns the next segment; `nil` if there are no more entries.
    ///
    /// - Parameter frontier: The tree over the entries before it, which MUST be the log's own.
    /// - Returns: The segment with what goes with it.
    /// - Throws: `.forked` if the frontier is not, `.damaged`, `.inputOutput`, and
    ///   `.unreadableInput` if entries are withheld from this copy of the log.
    package func part(after frontier: MerkleFrontier) throws(LedgerError) -> Part? {
        try LedgerError.translating(at: ledger.path) {
            let head = try ledger.log.head()
            guard head.size > frontier.size else { return nil }
            let most = frontier.size + SegmentBuilder.maximumEntryCount
            var builder = SegmentBuilder(after: frontier)
            var erased = RangeSet<UInt64>()
            var storedAt: Int64 = 0
            try ledger.log.scan(from: frontier.size) { block in
                var entries = block.entries
                while let entry = try entries.next(), !builder.isFull {
                    let position = entries.position - 1
                    guard position >= frontier.size else { continue }
                    guard position < min(head.size, most) else { return false }
                    guard !entry.isWithheld else { throw Self.isIncomplete(at: ledger) }
                    if let record = ErasureRecord(entry) { erased.formUnion(record.positions) }
                    storedAt = entry.recordedAt
                    builder.append(entry, isWithheld: false)
                }
                return !builder.isFull
            }
            let after = builder.frontier
            guard let segment = builder.take() else { return nil }
            guard segment.next < head.size || segment.root == head.root else {
                throw LedgerError(
                    .forked,
                    at: ledger.path.string,
                    cause: "the log is another one than it was a moment ago"
                )
            }
            erased.subtract(RangeSet(segment.first..<UInt64.max))
            return Part(
                segment: segment,
                frontier: after,
                erased: erased,
                storedAt: Timestamp(milliseconds: storedAt)
            )
        }
    }

    /// Returns the bytes of a segment, in which entries that were erased since are tombstones.
    ///
    /// - Parameter range: Positions that the log MUST have.
    /// - Returns: The bytes, as a segment holds them.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func bytes(of range: Range<UInt64>) throws(LedgerError) -> [UInt8] {
        try LedgerError.translating(at: ledger.path) {
            // The roots are not compared, because an erasure does not change them.
            var builder = SegmentBuilder()
            try ledger.log.eachEntry(in: range) { entry, _ in
                builder.append(entry, isWithheld: false)
            }
            return builder.take()?.bytes ?? []
        }
    }

    /// Returns when the entry at a position was stored; `nil` if there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func timeOfStoring(at position: UInt64) throws(LedgerError) -> Timestamp? {
        try LedgerError.translating(at: ledger.path) {
            try ledger.log.withEntry(at: position) { Timestamp(milliseconds: $0.recordedAt) }
        }
    }

    /// Returns the position of the first entry that was stored at an instant or later, or the size.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func firstPosition(storedSince instant: Timestamp) throws(LedgerError) -> UInt64 {
        var range = 0..<(try size())
        while !range.isEmpty {
            let middle = range.lowerBound + UInt64(range.count / 2)
            // recorded_at never decreases.
            if let time = try timeOfStoring(at: middle), time < instant {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    /// Returns the signed heads of more entries than the given ones, the smallest first.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func signedHeads(after size: UInt64) throws(LedgerError) -> [SignedHead] {
        let store = HeadStore(of: ledger, outsideIn: nil)
        guard let last = try store.last(), last.head.size > size else { return [] }
        return try store.all().map(\.head).filter { $0.head.size > size }
    }

    private static func isIncomplete(at ledger: Ledger) -> LedgerError {
        LedgerError(
            .unreadableInput,
            at: ledger.path.string,
            cause: "entries are withheld from this copy of the ledger",
            hint: "Replicate the ledger that it is a copy of"
        )
    }

    /// A segment, and what goes with it.
    package struct Part {
        /// The segment.
        package let segment: Segment

        /// The tree over all entries up to its end.
        package let frontier: MerkleFrontier

        /// Positions before the segment whose entries were erased, as entries in it say.
        package let erased: RangeSet<UInt64>

        /// When its last entry was stored.
        package let storedAt: Timestamp
    }
}
