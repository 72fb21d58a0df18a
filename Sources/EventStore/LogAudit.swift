internal import LMDB
package import Proofs

/// Re-reads a log and compares everything derived from its entries with what is stored: positions,
/// recorded_at, block headers, the tree, the sources and the indexes.
///
/// It works in slices, each with a read transaction of its own, so that a long audit does not keep
/// writers from reusing pages; it also audits what is appended while it runs. After a damaged or
/// missing block it continues with the next one, and compares what can still be compared.
package struct LogAudit {
    /// The kind of the ledger's own event that gives a source its number (Formats, *Kinds*).
    static let registrationKind: UInt8 = 0x02

    let log: EventLog
    let registration: EventLog.SourceRegistration
    let erasure: EventLog.ErasureReading
    let report: (AuditFinding) -> Void
    private let onSubtree: (UInt64, Digest) -> Void

    /// What is known of the entries that were read.
    package internal(set) var tally: AuditTally

    /// All heads that the log MUST have had, in order of size.
    private let knownHeads: [TreeHead]

    /// The heads that have not been met yet, in order of size.
    private var expectedHeads: ArraySlice<TreeHead>

    /// Known heads that could not be compared, because entries before their end
    /// are damaged or missing.
    package private(set) var uncheckedHeads: [TreeHead] = []

    /// The tables of which it has been said that they cannot be read.
    var unreadableTables: Set<Table> = []

    /// Prepares an audit.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - tally: Where an earlier audit stopped, or a new one.
    ///   - expectedHeads: Heads that the log MUST have had when it was as long as they say.
    ///   - registration: Returns the event that names a source, as it must be in the log.
    ///   - erasure: Reads the events that say what was erased.
    ///   - onSubtree: Told the root of every full subtree whose entries could all be read.
    ///   - report: Told everything that is wrong, in order of position where there is one.
    package init(
        _ log: EventLog,
        from tally: AuditTally = AuditTally(),
        expecting expectedHeads: [TreeHead] = [],
        registration: @escaping EventLog.SourceRegistration,
        erasure: @escaping EventLog.ErasureReading,
        onSubtree: @escaping (_ subtree: UInt64, _ root: Digest) -> Void = { _, _ in },
        report: @escaping (AuditFinding) -> Void
    ) {
        self.log = log
        self.tally = tally
        knownHeads = expectedHeads.sorted { $0.size < $1.size }
        self.expectedHeads = knownHeads[...]
        self.registration = registration
        self.erasure = erasure
        self.report = report
        self.onSubtree = onSubtree
        compareHeads()
    }

    /// Audits the next blocks.
    ///
    /// - Parameter byteCount: About how many bytes of blocks to read.
    /// - Returns: Whether the audit is over.
    /// - Throws: `LMDBError` if the log cannot be read, `EventLogError.newerFormat`; damage becomes
    ///   a finding.
    package mutating func advance(byteCount: Int) throws -> Bool {
        do {
            return try log.read { transaction in
                try advance(byteCount: byteCount, transaction)
            }
        } catch let error as LMDBError where error.code.saysThatPagesAreDamaged {
            report(.entries, tally.position, "what follows cannot be read: \(error.description)")
            tally.isWhole = false
            return true
        }
    }

    private mutating func advance(
        byteCount: Int,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        beginAgainAfterErasure(transaction)
        var cursor = try transaction.cursor(log.tables.blocks)
        var readBytes = 0
        var buffer = BlockBuffer()
        let start = tally.position
        var isFound = try cursor.seek(toKeyAtOrAfter: LogKey.number(tally.position))
        while isFound {
            // Only now, when there is a next block, is the last one sure to be full: a later
            // snapshot could show an open one again, with more entries. A damaged block may bring
            // the audit no further: a caller that came back to it would find it again and again.
            if readBytes >= byteCount, tally.position > start { return false }
            let value = cursor.value
            readBytes += value.count
            if !cursor.hasSoundPages {
                let what = "the header of the page that holds the next block is damaged"
                report(.entries, tally.position, what)
            }
            try audit(value, key: cursor.key, &buffer, transaction)
            isFound = try cursor.next()
        }
        try auditEnd(transaction)
        return true
    }

    /// Starts again if entries were erased since the audit began, because it may have read them.
    private mutating func beginAgainAfterErasure(_ transaction: borrowing ReadTransaction) {
        let last = row(log.tables.state, ErasedEvents.key, transaction) {
            ErasedEvents.lastPosition(in: $0)
        }
        if tally.position > 0, tally.erasedBefore != last ?? nil {
            tally = AuditTally()
            expectedHeads = knownHeads[...]
            uncheckedHeads = []
            compareHeads()
        }
        tally.erasedBefore = last ?? nil
    }

    /// The position of the next entry.
    package var position: UInt64 { tally.position }

    /// The size and root of what was read, or `nil` if entries are missing.
    package var head: TreeHead? { tally.isWhole ? tally.head : nil }

    /// How many of the entries that were read were erased: only their hashes are there.
    package var erasedCount: UInt64 { tally.erasures.erasedCount }

    /// How many of them this copy of the log does not recognise when they are sent again, because
    /// they were erased before it was made; known at the end of the audit.
    package internal(set) var unrecognisedCount: UInt64 = 0

    /// How many of the entries that were read were withheld from this copy of the log.
    package var withheldCount: UInt64 { tally.erasures.withheldCount }

    func report(_ part: AuditFinding.Part, _ position: UInt64, _ what: String) {
        report(AuditFinding(part: part, position: position, what: what))
    }
}

// MARK: - Blocks

extension LogAudit {
    private mutating func audit(
        _ value: Span<UInt8>,
        key: Span<UInt8>,
        _ buffer: inout BlockBuffer,
        _ transaction: borrowing ReadTransaction
    ) throws {
        guard key.count == 8, case let first = key.bigEndian(at: 0),
            LogLimits.positions.contains(first)
        else {
            report(.entries, tally.position, "a block's key is not a position")
            tally.isWhole = false
            return
        }
        if first > tally.position {
            // A damaged block has been reported, and does not say where it ends.
            if !tally.isAfterDamage {
                report(.entries, tally.position, "the next block starts at \(first)")
            }
            skip(to: first, transaction)
        } else if first < tally.position {
            report(.entries, first, "the block starts before the one before it ends")
            tally.isWhole = false
            return
        }
        tally.isAfterDamage = false
        do throws(EventLogError) {
            let block = try BlockView(value, at: first, decodedInto: &buffer)
            try audit(block, transaction)
        } catch .damaged(let position, let what) {
            report(.entries, position, what)
            tally.isAfterDamage = true
            tally.isWhole = false
        }
    }

    private mutating func audit(
        _ block: BlockView,
        _ transaction: borrowing ReadTransaction
    ) throws(EventLogError) {
        var earliest = Int64.max
        var latest = Int64.min
        var entries = block.entries
        while let entry = try entries.next() {
            let occurredAt = entry.occurredAt
            earliest = min(earliest, occurredAt)
            latest = max(latest, occurredAt)
            audit(entry, transaction)
        }
        guard earliest <= latest else { return }
        let expected = BlockHeader(
            count: block.count,
            length: block.header.length,
            times: earliest...latest,
            firstPosition: block.firstPosition
        )
        if expected.baseTime != block.header.baseTime || expected.span != block.header.span {
            report(
                .entries,
                block.firstPosition,
                "the block's base time and span are not its entries'"
            )
        }
    }

    private mutating func audit(_ entry: EntryView, _ transaction: borrowing ReadTransaction) {
        let position = tally.position
        let recordedAt = entry.recordedAt
        if recordedAt < tally.lastRecordedAt {
            report(.entries, position, "recorded_at goes back")
        }
        tally.lastRecordedAt = recordedAt
        tally.tree.append(entry.leafHash)
        if tally.tree.isAtSubtreeEnd { closeSubtree(transaction) }
        if let head = expectedHeads.first, head.size == tally.position { compareHeads() }
        auditIndexes(entry, at: position, transaction)
    }

    private mutating func closeSubtree(_ transaction: borrowing ReadTransaction) {
        let subtree = tally.position / MerkleFrontier.subtreeWidth - 1
        let stored = storedRoot(of: subtree, transaction)
        guard let root = tally.tree.closeSubtree(stored: stored) else { return }
        onSubtree(subtree, root)
        if root != stored {
            report(.index, tally.position - 1, "the stored root of subtree \(subtree) is wrong")
        }
    }

    private mutating func storedRoot(
        of subtree: UInt64,
        _ transaction: borrowing ReadTransaction
    ) -> Digest? {
        row(log.tables.tree, LogKey.number(subtree), transaction) { Digest($0) } ?? nil
    }

    /// Continues at a later position, with the stored roots of the subtrees before it.
    private mutating func skip(
        to position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        tally.isWhole = false
        let width = MerkleFrontier.subtreeWidth
        while tally.position < position {
            let subtree = tally.position / width
            guard position >= (subtree + 1) * width else {
                tally.tree.skip(to: position)
                break
            }
            guard let stored = storedRoot(of: subtree, transaction) else {
                tally.tree.abandonRoot(at: position)
                break
            }
            tally.tree.skip(to: (subtree + 1) * width)
            _ = tally.tree.closeSubtree(stored: stored)
        }
        compareHeads()
    }
}

// MARK: - Heads

extension LogAudit {
    /// Compares the heads up to the present size with the tree.
    private mutating func compareHeads() {
        while let head = expectedHeads.first, head.size <= tally.position {
            expectedHeads.removeFirst()
            guard head.size == tally.position, let frontier = tally.tree.frontier else {
                uncheckedHeads.append(head)
                continue
            }
            if frontier.root != head.root {
                report(
                    .head,
                    head.size,
                    "the first \(head.size) entries have root \(frontier.root), and had "
                        + "\(head.root)"
                )
            }
        }
    }

    /// Reports the heads that are longer than the log.
    func reportHeadsBeyondEnd() {
        for head in expectedHeads {
            report(
                .head,
                tally.position,
                "the log ends here, and had \(head.size) entries when its head was known"
            )
        }
    }
}

/// Something in a log that is not as it was written.
package struct AuditFinding: Hashable, Sendable {
    /// What part of the log is wrong.
    package enum Part: Hashable, Sendable {
        /// Entries and their positions.
        case entries

        /// What is stored beside the entries and can be derived from them.
        case index

        /// The tree heads that were known before the audit.
        case head
    }

    /// What part of the log is wrong.
    package var part: Part

    /// The first position that cannot be trusted.
    package var position: UInt64

    /// What is wrong, as a sentence without a full stop.
    package var what: String
}

extension EventLog {
    /// Re-reads and re-hashes every entry and compares all that is stored beside them.
    ///
    /// - Parameters:
    ///   - registration: Returns the event that names a source, as the log was given it by
    ///   `append`.
    ///   - erasure: Reads the events that say what was erased.
    /// - Returns: Everything that is wrong; empty for a sound log.
    /// - Throws: `LMDBError` if the log cannot be read at all, `EventLogError.newerFormat`.
    package func findings(
        registration: @escaping SourceRegistration,
        erasure: @escaping ErasureReading = { _ in nil }
    ) throws -> [EventLogError] {
        var findings: [EventLogError] = []
        var audit = LogAudit(self, registration: registration, erasure: erasure) { finding in
            findings.append(.damaged(position: finding.position, finding.what))
        }
        while try !audit.advance(byteCount: 16 << 20) {}
        return findings
    }
}
