internal import LMDB
package import Proofs

/// The memory of erased events: enough to recognise one that is sent again, and nothing of its
/// content (Formats, *Tombstones*).
///
/// It is a keyed hash of the event's identity. The key is random and never leaves the ledger's
/// directory, so that a proof or an export is no use for testing a guess; the ledger itself is.
struct ErasedEvents {
    /// The key of the row in the table `state`.
    static let key: [UInt8] = Array("erasures".utf8)

    /// The prefix of the keys of remembered events, in the table `state`.
    private static let prefix: [UInt8] = Array("erased".utf8)

    private static let version: UInt8 = 1
    private static let secretByteCount = 32
    private static let secretOffset = 58
    private static let checksumByteCount = 4
    private static let keyByteCount = 16
    private static let blockByteCount = 64
    private static let innerPadding: UInt8 = 0x36
    private static let outerPadding: UInt8 = 0x5C

    private let secret: [UInt8]

    /// The position of the last event that says that entries were erased.
    var lastPosition: UInt64

    /// The position of the last such event that was written here, which commits to this memory; 0
    /// if nothing was erased here: a copy begins with an empty memory.
    var committedAt: UInt64

    /// How many events are remembered.
    private(set) var count: UInt64

    /// The digest that commits to the rows and the key.
    private(set) var digest: Digest

    /// Whether erased bytes may still be in unused parts of the log's file.
    var isUnswept: Bool

    /// Creates an empty memory with a random key.
    init(randomness: inout some RandomNumberGenerator) {
        var secret: [UInt8] = []
        for _ in 0..<Self.secretByteCount / 8 { secret.append(littleEndian: randomness.next()) }
        self.secret = secret
        lastPosition = 0
        committedAt = 0
        count = 0
        digest = SHA256.digest([UInt8]().span)
        isUnswept = false
        digest = code(of: [UInt8]().span)
    }

    /// Reads the row, or returns `nil` if nothing was ever erased.
    ///
    /// - Throws: `EventLogError.damaged` or `.newerFormat`.
    init?(_ transaction: borrowing WriteTransaction, _ tables: LogTables) throws {
        guard let value = try transaction.get(tables.state, Self.key) else { return nil }
        try self.init(value)
    }

    /// Reads the row, or returns `nil` if nothing was ever erased.
    ///
    /// - Throws: `EventLogError.damaged` or `.newerFormat`.
    init?(_ transaction: borrowing ReadTransaction, _ tables: LogTables) throws {
        guard let value = try transaction.get(tables.state, Self.key) else { return nil }
        try self.init(value)
    }

    /// Reads the memory for an append, or returns `nil` if nothing was ever erased.
    ///
    /// - Throws: `EventLogError.damaged` if rows are missing: their events would be stored again.
    init?(appendingTo tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        try self.init(transaction, tables)
        // Two rows are the log's own: an append finds no entries withheld.
        guard UInt64(try transaction.entryCount(tables.state)) == count + 2 else {
            throw EventLogError.damaged(
                position: committedAt,
                "events that were erased would not be recognised: of \(count) rows by which they "
                    + "are, some are missing"
            )
        }
    }

    private init(_ value: Span<UInt8>) throws(EventLogError) {
        let byteCount = Self.secretOffset + Self.secretByteCount + Self.checksumByteCount
        guard value.count == byteCount, value[1] <= 1 else {
            throw .damaged(position: 0, "the row of erasures is none")
        }
        guard value[0] == Self.version else { throw .newerFormat("erasures version \(value[0])") }
        let content = value.extracting(droppingLast: Self.checksumByteCount)
        guard Self.checksum(of: content) == Array(copying: value.extracting(last: 4)) else {
            throw .damaged(
                position: 0,
                "the key by which erased events are recognised is not what was written"
            )
        }
        isUnswept = value[1] == 1
        lastPosition = value.littleEndian(at: 2)
        committedAt = value.littleEndian(at: 10)
        count = value.littleEndian(at: 18)
        guard let digest = Digest(value.extracting(26..<58)),
            LogLimits.positions.contains(lastPosition), committedAt <= lastPosition,
            LogLimits.positions.contains(count)
        else {
            throw .damaged(position: 0, "the row of erasures holds no position")
        }
        self.digest = digest
        secret = [UInt8](copying: content.extracting(droppingFirst: Self.secretOffset))
    }

    /// Returns the position of the last erasure in a row's value, or `nil` if the value is not
    /// valid.
    static func lastPosition(in value: Span<UInt8>) -> UInt64? {
        (try? ErasedEvents(value))?.lastPosition
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = [Self.version, isUnswept ? 1 : 0]
        for number in [lastPosition, committedAt, count] { bytes.append(littleEndian: number) }
        bytes += digest.array + secret
        return bytes + Self.checksum(of: bytes.span)
    }

    private static func checksum(of bytes: Span<UInt8>) -> [UInt8] {
        var checksum: [UInt8] = []
        checksum.append(littleEndian: UInt64(Checksum.crc32c(bytes)), byteCount: checksumByteCount)
        return checksum
    }

    /// Returns the key of the row that remembers the event with this identity.
    func key(of identity: Digest) -> [UInt8] {
        Self.prefix + code(of: identity.bytes.span).array.prefix(Self.keyByteCount)
    }
}

extension ErasedEvents {
    /// Counts the rows of the memory, and computes what commits to them: HMAC-SHA-256 under the
    /// erasure key over their keys and values, in order of their keys.
    ///
    /// For a reader without the key it is as good as random, so that it says nothing about the
    /// events. For one who has the key, no other key and no other rows give it.
    mutating func close(_ tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        let rows = try rows(transaction.cursor(tables.state))
        digest = rows.digest
        count = rows.count
    }

    /// Returns whether the rows that are stored are those that were counted.
    func isWhole(_ tables: LogTables, _ transaction: borrowing ReadTransaction) throws -> Bool {
        let rows = try rows(transaction.cursor(tables.state))
        return rows.count == count && rows.digest == digest
    }

    /// Returns whether the rows that are stored are those that were counted.
    func isWhole(_ tables: LogTables, _ transaction: borrowing WriteTransaction) throws -> Bool {
        let rows = try rows(transaction.cursor(tables.state))
        return rows.count == count && rows.digest == digest
    }

    private func rows(_ table: consuming Cursor) throws -> (digest: Digest, count: UInt64) {
        var code = SHA256Stream()
        code.update(padded(with: Self.innerPadding).span)
        var found: UInt64 = 0
        var isFound = try table.seek(toKeyAtOrAfter: Self.prefix)
        while isFound, Self.isOfEvent(table.key) {
            code.update(table.key)
            code.update(table.value)
            found += 1
            isFound = try table.next()
        }
        return (close(code.finish()), found)
    }

    /// Returns HMAC-SHA-256 (RFC 2104) of bytes under the erasure key.
    private func code(of bytes: Span<UInt8>) -> Digest {
        var inner = padded(with: Self.innerPadding)
        inner.append(contentsOf: bytes)
        return close(SHA256.digest(inner.span))
    }

    /// Returns the HMAC that an inner digest leads to.
    private func close(_ inner: Digest) -> Digest {
        var outer = padded(with: Self.outerPadding)
        outer.append(contentsOf: inner.bytes.span)
        return SHA256.digest(outer.span)
    }

    private func padded(with padding: UInt8) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: Self.blockByteCount - secret.count)
        return (secret + zeros).map { $0 ^ padding }
    }

    private static func isOfEvent(_ key: Span<UInt8>) -> Bool {
        key.count == prefix.count + keyByteCount
            && key.extracting(first: prefix.count).hasSameBytes(as: prefix.span)
    }
}

/// The commitments of an event that records an erasure.
package struct ErasureCommitment: Hashable, Sendable {
    /// The RFC 6962 root over the tombstones of the entries, in order of position.
    package var tombstoneRoot: Digest

    /// A keyed digest of the rows that recognise erased events after this erasure.
    package var memory: Digest

    /// The position of the event that recorded the erasure before; `nil` if this is the first.
    package var previous: UInt64?

    /// Creates a commitment.
    package init(tombstoneRoot: Digest, memory: Digest, previous: UInt64?) {
        self.tombstoneRoot = tombstoneRoot
        self.memory = memory
        self.previous = previous
    }
}
