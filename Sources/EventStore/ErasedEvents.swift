internal import LMDB
internal import Proofs

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
    private static let keyByteCount = 16
    private static let blockByteCount = 64

    private let secret: [UInt8]

    /// The position of the last event that says that entries were erased.
    var lastPosition: UInt64

    /// Whether erased bytes may still be in unused parts of the log's file.
    var isUnswept: Bool

    /// Creates an empty memory with a random key.
    init(randomness: inout some RandomNumberGenerator) {
        var secret: [UInt8] = []
        for _ in 0..<Self.secretByteCount / 8 { secret.append(littleEndian: randomness.next()) }
        self.secret = secret
        lastPosition = 0
        isUnswept = false
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

    private init(_ value: Span<UInt8>) throws(EventLogError) {
        guard value.count == 10 + Self.secretByteCount, value[1] <= 1 else {
            throw .damaged(position: 0, "the row of erasures is none")
        }
        guard value[0] == Self.version else { throw .newerFormat("erasures version \(value[0])") }
        isUnswept = value[1] == 1
        lastPosition = value.littleEndian(at: 2)
        guard LogLimits.positions.contains(lastPosition) else {
            throw .damaged(position: 0, "the row of erasures holds no position")
        }
        var secret: [UInt8] = []
        secret.append(contentsOf: value.extracting(droppingFirst: 10))
        self.secret = secret
    }

    /// Returns the position of the last erasure in a row's value, or `nil` if the value is not
    /// valid.
    static func lastPosition(in value: Span<UInt8>) -> UInt64? {
        (try? ErasedEvents(value))?.lastPosition
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = [Self.version, isUnswept ? 1 : 0]
        bytes.append(littleEndian: lastPosition)
        return bytes + secret
    }

    /// Returns the key of the row that remembers the event with this identity.
    func key(of identity: Digest) -> [UInt8] {
        Self.prefix + code(of: identity).array.prefix(Self.keyByteCount)
    }

    /// Returns HMAC-SHA-256 of an identity digest (RFC 2104).
    private func code(of identity: Digest) -> Digest {
        let padding = [UInt8](repeating: 0, count: Self.blockByteCount - secret.count)
        var inner = (secret + padding).map { $0 ^ 0x36 }
        inner.append(contentsOf: identity.bytes.span)
        var outer = (secret + padding).map { $0 ^ 0x5C }
        outer.append(contentsOf: SHA256.digest(inner.span).bytes.span)
        return SHA256.digest(outer.span)
    }
}
