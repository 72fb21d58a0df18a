internal import LMDB
import Proofs

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
        let previous = lastPosition
        lastPosition = position
        guard let record = record(entry) else {
            return "it says of no entries that they were erased"
        }
        guard record.commitment.previous == previous else {
            return "it names another erasure before it than the last one"
        }
        guard record.positions.subtracting(unexplained).isEmpty else {
            return "it says that entries were erased that are there, or were erased before"
        }
        unexplained.subtract(record.positions)
        let root = try Self.root(of: record.positions, tables, transaction)
        guard root == record.commitment.tombstoneRoot else {
            return "the tombstones that it names say something else than when they were made"
        }
        return nil
    }

    /// Compares the counts at the end with what the log has stored.
    ///
    /// - Returns: What is wrong, with the first position that it concerns.
    func findings(
        size: UInt64,
        record: EventLog.ErasureReading,
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> [(position: UInt64, what: String)] {
        var findings = unexplained.ranges.map { range in
            (range.lowerBound, "its content is gone and no event says that it was erased")
        }
        let memory = try ErasedEvents(transaction, tables)
        if memory?.lastPosition != lastPosition {
            findings.append((size, "the log remembers another last erasure than its events"))
        }
        if let memory, try !Self.isCommitted(memory, record: record, tables, transaction) {
            findings.append(
                (
                    memory.committedAt,
                    "what recognises erased events, their rows or the key, is not what this event "
                        + "commits to: erased events that are sent again would be stored. Bring it "
                        + "back from a backup that was made after the erasure"
                )
            )
        }
        let withheld = try IncompleteCopy.entries(transaction, tables)
        let ranges = withheld?.first.ranges ?? []
        let areThere = try Self.areWithheld(ranges, tables, transaction)
        if !areThere || withheld?.count ?? 0 != withheldCount {
            findings.append(
                (size, "\(withheldCount) entries are withheld, and the log says otherwise")
            )
        }
        return findings
    }

    /// Returns whether the rows that recognise erased events, and their key, match the commitment
    /// of the last event that was written here.
    private static func isCommitted(
        _ memory: ErasedEvents,
        record: EventLog.ErasureReading,
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        guard try memory.isWhole(tables, transaction) else { return false }
        // A copy begins with an empty memory, to which no event commits.
        guard memory.committedAt > 0 else { return memory.count == 0 }
        var cursor = try transaction.cursor(tables.blocks)
        var buffer = BlockBuffer()
        guard try cursor.seek(toBlockOf: memory.committedAt) else { return false }
        var entries = try cursor.block(decodedInto: &buffer).entries
        while let entry = try entries.next() {
            guard entries.position - 1 == memory.committedAt else { continue }
            return entry.source == 0 && entry.kind == kind
                && record(entry)?.commitment.memory == memory.digest
        }
        return false
    }

    private static func areWithheld(
        _ ranges: [Range<UInt64>],
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        var buffer = BlockBuffer()
        for range in ranges {
            var next = range.lowerBound
            var cursor = try transaction.cursor(tables.blocks)
            var isFound = try cursor.seek(toBlockOf: next)
            while isFound, next < range.upperBound {
                var entries = try cursor.block(decodedInto: &buffer).entries
                while let entry = try entries.next() {
                    guard range.contains(entries.position - 1) else { continue }
                    guard entry.isWithheld else { return false }
                    next = entries.position
                }
                isFound = try cursor.next()
            }
            guard next == range.upperBound else { return false }
        }
        return true
    }

    /// Returns how many rows the table `state` has: the log's own, and one for each event that was
    /// erased here.
    func stateRows(
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> UInt64 {
        let memory = try ErasedEvents(transaction, tables)
        let isCopy = try transaction.get(tables.state, IncompleteCopy.key) != nil
        return 1 + (memory.map { 1 + $0.count } ?? 0) + (isCopy ? 1 : 0)
    }

    /// Returns how many of the erased events are not recognised when they are sent again: those
    /// that were erased before this copy of the log was made.
    func unrecognisedCount(
        _ tables: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> UInt64 {
        let known = try ErasedEvents(transaction, tables)?.count ?? 0
        return erasedCount - min(known, erasedCount)
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

/// The part of an erasure event that the store can check.
package struct ErasureRecord: Sendable {
    /// The positions.
    package var positions: RangeSet<UInt64>

    /// The commitments of the event.
    package var commitment: ErasureCommitment

    /// Creates a record.
    package init(positions: RangeSet<UInt64>, commitment: ErasureCommitment) {
        self.positions = positions
        self.commitment = commitment
    }
}
