package import Proofs

/// The state of an audit after the entries that it has read: all it needs to continue later, in
/// another process.
///
/// It takes a few dozen bytes for each source, whatever the size of the log.
package struct AuditTally: Sendable {
    /// The tree over the entries.
    var tree = SubtreeHasher()

    /// The recorded_at of the last entry.
    var lastRecordedAt = Int64.min

    /// How many sources were given a number.
    var registeredSources: UInt32 = 0

    /// The state of each source after its events, in order of numbers.
    var sources: [SourceState] = []

    /// Rows that the tables `times`, `ids` and `late` must have.
    var timeRows: UInt64 = 0
    var idRows: UInt64 = 0
    var lateRows: UInt64 = 0

    /// The erased entries, and what the log says about them.
    var erasures = ErasureAudit()

    /// The last erasure of the log when the audit began: a later one changes what was read.
    var erasedBefore: UInt64?

    /// Whether every entry so far could be read, so that counts can be compared.
    package internal(set) var isWhole = true

    /// Whether the last block could not be read to its end.
    var isAfterDamage = false

    /// Creates the tally of an audit that has read nothing.
    package init() {}

    /// The position of the next entry.
    package var position: UInt64 { tree.size }

    /// The size and root so far, or `nil` if entries are missing.
    package var head: TreeHead? {
        tree.frontier.map { TreeHead(size: $0.size, root: $0.root) }
    }
}

extension AuditTally {
    private static let version: UInt8 = 2

    /// Returns the tally as bytes, from which a later audit continues.
    ///
    /// - Parameter lastLeaf: The leaf hash of the last entry, by which the log is recognised.
    /// - Returns: The bytes, or `nil` after damage, where only a new audit helps.
    package func encoded(lastLeaf: Digest) -> [UInt8]? {
        guard isWhole, !isAfterDamage else { return nil }
        var bytes: [UInt8] = [Self.version]
        for number in [
            UInt64(bitPattern: lastRecordedAt), UInt64(registeredSources), timeRows, idRows,
            lateRows, tree.subtrees.size, UInt64(tree.leaves.count), UInt64(sources.count),
        ] {
            bytes.append(littleEndian: number)
        }
        for digest in [lastLeaf] + tree.subtrees.roots + tree.leaves {
            bytes.append(contentsOf: digest.bytes.span)
        }
        for source in sources {
            let value = source.value
            bytes.append(littleEndian: UInt64(value.count))
            bytes.append(contentsOf: value)
        }
        for number in erasureNumbers { bytes.append(littleEndian: number) }
        bytes.append(littleEndian: UInt64(Checksum.crc32c(bytes.span)))
        return bytes
    }

    /// Reads a tally, or returns `nil` if the bytes are not one.
    package init?(decoding bytes: [UInt8], lastLeaf: inout Digest) {
        var reader = Reader(bytes: bytes.dropLast(8))
        guard bytes.count > 8, reader.byte() == Self.version,
            bytes.span.littleEndian(at: bytes.count - 8)
                == UInt64(Checksum.crc32c(bytes.span.extracting(droppingLast: 8)))
        else { return nil }
        self.init()
        var numbers: [UInt64] = []
        for _ in 0..<8 { numbers.append(reader.number() ?? .max) }
        guard let sourceCount = UInt32(exactly: numbers[1]), numbers[5] <= 1 << 48,
            numbers[6] < MerkleFrontier.subtreeWidth, numbers[7] <= numbers[1]
        else { return nil }
        lastRecordedAt = Int64(bitPattern: numbers[0])
        registeredSources = sourceCount
        (timeRows, idRows, lateRows) = (numbers[2], numbers[3], numbers[4])
        guard let leaf = reader.digest(),
            let roots = reader.digests(numbers[5].nonzeroBitCount),
            let subtrees = MerkleFrontier(size: numbers[5], roots: roots),
            let leaves = reader.digests(Int(numbers[6]))
        else { return nil }
        lastLeaf = leaf
        tree = SubtreeHasher(subtrees: subtrees, leaves: leaves)
        for _ in 0..<numbers[7] {
            guard let count = reader.number(), count <= 1 << 16,
                let value = reader.take(Int(count)), let state = SourceState(tallied: value.span)
            else { return nil }
            sources.append(state)
        }
        guard readErasures(&reader), reader.bytes.isEmpty else { return nil }
    }

    /// The numbers of the erasure audit; positions are stored plus one, because 0 means that there
    /// is none.
    private var erasureNumbers: [UInt64] {
        let ranges = erasures.unexplained.ranges
        return [
            erasedBefore.map { $0 + 1 } ?? 0, erasures.lastPosition.map { $0 + 1 } ?? 0,
            erasures.erasedCount, erasures.withheldCount, UInt64(ranges.count),
        ] + ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    }

    private mutating func readErasures(_ reader: inout Reader) -> Bool {
        guard let before = reader.number(), let last = reader.number(),
            let erasedCount = reader.number(), let withheldCount = reader.number(),
            let rangeCount = reader.number()
        else { return false }
        erasedBefore = before == 0 ? nil : before - 1
        erasures.lastPosition = last == 0 ? nil : last - 1
        erasures.erasedCount = erasedCount
        erasures.withheldCount = withheldCount
        for _ in 0..<rangeCount {
            guard let start = reader.number(), let end = reader.number(), start < end else {
                return false
            }
            erasures.unexplained.insert(contentsOf: start..<end)
        }
        return true
    }
}

/// Reads bytes from the front.
private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= bytes.count else { return nil }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }

    mutating func byte() -> UInt8? { take(1)?.first }

    mutating func number() -> UInt64? { take(8).map { $0.span.littleEndian(at: 0) } }

    mutating func digest() -> Digest? { take(Digest.byteCount).flatMap { Digest($0) } }

    mutating func digests(_ count: Int) -> [Digest]? {
        var digests: [Digest] = []
        for _ in 0..<count {
            guard let digest = digest() else { return nil }
            digests.append(digest)
        }
        return digests
    }
}

/// Something in a log that is not as it was written.
package struct AuditFinding: Hashable, Sendable {
    /// The part of the log that is wrong.
    package enum Part: Hashable, Sendable {
        /// Entries and their positions.
        case entries

        /// Data beside the entries that can be derived from them.
        case index

        /// The tree heads that were known before the audit.
        case head
    }

    /// The part of the log that is wrong.
    package var part: Part

    /// The first position that cannot be trusted.
    package var position: UInt64

    /// What is wrong, as a sentence without a full stop.
    package var what: String
}

extension ReadableLog {
    /// Re-reads and re-hashes every entry and compares all that is stored beside them.
    ///
    /// - Parameters:
    ///   - registration: Returns the event that names a source, as the log was given it by
    ///   `append`.
    ///   - erasure: Reads the events that say what was erased.
    /// - Returns: Everything that is wrong; empty for a sound log.
    /// - Throws: `LMDBError` if the log cannot be read at all, `EventLogError.newerFormat`.
    package func findings(
        registration: @escaping EventLog.SourceRegistration,
        erasure: @escaping EventLog.ErasureReading = { _ in nil }
    ) throws -> [EventLogError] {
        var findings: [EventLogError] = []
        var audit = LogAudit(self, registration: registration, erasure: erasure) { finding in
            findings.append(.damaged(position: finding.position, finding.what))
        }
        while try !audit.advance(byteCount: 16 << 20) {}
        return findings
    }
}
