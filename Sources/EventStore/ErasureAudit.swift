internal import LMDB
package import Proofs

/// Compares the tombstones of a log with the events that say what was erased: a tombstone that no
/// event explains is damage, whatever its hash.
struct ErasureAudit {
    /// The kind of the ledger's own event that says that entries were erased (Formats, *Kinds*).
    static let kind: UInt8 = 0x03

    /// Tombstones that no event has explained yet.
    var unexplained = RangeSet<UInt64>()

    /// Tombstones of erased entries.
    var erasedCount: UInt64 = 0

    /// Tombstones of entries that an export withheld.
    var withheldCount: UInt64 = 0

    /// The position of the last event that says that entries were erased.
    var lastPosition: UInt64?

    /// Counts a tombstone.
    mutating func note(_ tombstone: EntryView, at position: UInt64) {
        if tombstone.form == Tombstone.withheldKind {
            withheldCount += 1
        } else {
            erasedCount += 1
            unexplained.insert(contentsOf: position..<position + 1)
        }
    }

    /// Reads one of the ledger's own events, and compares the tombstones that it names.
    ///
    /// - Parameters:
    ///   - entry: The event.
    ///   - position: Where it is.
    ///   - record: Reads the ledger's own events.
    ///   - tables: The log's tables.
    ///   - transaction: The snapshot that is audited.
    /// - Returns: What is wrong, as a sentence without a full stop; `nil` if nothing is.
    /// - Throws: `EventLogError.damaged` if a tombstone cannot be read, `LMDBError`.
    mutating func explain(
        _ entry: EntryView,
        at position: UInt64,
        record: EventLog.ErasureReading,
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> String? {
        guard entry.kind == Self.kind else { return nil }
        lastPosition = position
        guard let record = record(entry) else {
            return "it says of no entries that they were erased"
        }
        guard record.positions.subtracting(unexplained).isEmpty else {
            return "it says that entries were erased that are there, or were erased before"
        }
        unexplained.subtract(record.positions)
        guard try Self.root(of: record.positions, tables, transaction) == record.tombstoneRoot
        else {
            return "the tombstones that it names say something else than when they were made"
        }
        return nil
    }

    /// Compares the counts at the end with what the log has stored.
    ///
    /// - Returns: What is wrong, with the first position that it concerns.
    func findings(
        size: UInt64,
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> [(position: UInt64, what: String)] {
        var findings = unexplained.ranges.map { range in
            (range.lowerBound, "its content is gone and no event says that it was erased")
        }
        if try ErasedEvents(transaction, tables)?.lastPosition != lastPosition {
            findings.append((size, "the log remembers another last erasure than its events"))
        }
        if try IncompleteCopy.withheldCount(transaction, tables) != withheldCount {
            findings.append(
                (size, "\(withheldCount) entries are withheld, and the log says otherwise")
            )
        }
        return findings
    }

    /// Returns how many rows the table `state` may have: the log's own, and one for each erased
    /// event, of which an imported log does not have all.
    func stateRows(
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> ClosedRange<UInt64> {
        let remembersErasures = try ErasedEvents(transaction, tables) != nil
        let isCopy = try transaction.get(tables.state, IncompleteCopy.key) != nil
        let least: UInt64 = 1 + (remembersErasures ? 1 : 0) + (isCopy ? 1 : 0)
        return least...(remembersErasures ? least + erasedCount : least)
    }

    private static func root(
        of positions: RangeSet<UInt64>,
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> Digest {
        var tombstones = MerkleFrontier()
        var buffer = BlockBuffer()
        for range in positions.ranges {
            var cursor = try transaction.cursor(tables.blocks)
            var isFound = try cursor.seek(toBlockOf: range.lowerBound)
            while isFound {
                var entries = try cursor.block(decodedInto: &buffer).entries
                guard entries.position < range.upperBound else { break }
                while let entry = try entries.next() {
                    if range.contains(entries.position - 1) {
                        _ = tombstones.append(SHA256.leaf(entry.bytes))
                    }
                }
                isFound = try cursor.next()
            }
        }
        return tombstones.root
    }
}

/// What an event of the ledger says that was erased: the part that the store can check.
package struct ErasureRecord: Sendable {
    /// The positions.
    package var positions: RangeSet<UInt64>

    /// The RFC 6962 root over the tombstones there, in order of position.
    package var tombstoneRoot: Digest

    /// Creates a record.
    package init(positions: RangeSet<UInt64>, tombstoneRoot: Digest) {
        self.positions = positions
        self.tombstoneRoot = tombstoneRoot
    }
}
