import JSONText
import Proofs
import RowCoding
import TripEvents

extension SetAsideItem {
    /// Whether an item may become an event later; this decides which items are kept when there are
    /// too many.
    package enum Kind: String, CaseIterable, Sendable {
        /// It waits for its owner to give a key, a time zone or a token, or for its time: its
        /// sender was told that it is safe, so it is never pushed out.
        case waiting

        /// This program cannot read it; the oldest make room for newer ones.
        case unreadable
    }

    /// Its kind, by whether it may be accepted later.
    package var kind: Kind { mayPassLater ? .waiting : .unreadable }
}

/// The limits on what is set aside of the deliveries of one token.
package struct SetAsideLimits: Hashable, Sendable {
    /// The most of one kind.
    package struct Most: Hashable, Sendable {
        /// How many items.
        package var itemCount: UInt64

        /// How many bytes they take as they are stored.
        package var byteCount: UInt64

        /// Creates limits of one kind.
        package init(itemCount: UInt64, byteCount: UInt64) {
            self.itemCount = itemCount
            self.byteCount = byteCount
        }
    }

    /// How much may wait; more is not taken.
    package var waiting = Most(itemCount: 100_000, byteCount: 256 << 20)

    /// How much is kept of what cannot be read; the oldest goes first.
    package var unreadable = Most(itemCount: 2_000, byteCount: 32 << 20)

    /// Creates the limits that a server has.
    package init() {}

    /// The limits of one kind.
    subscript(_ kind: SetAsideItem.Kind) -> Most {
        switch kind {
        case .waiting: waiting
        case .unreadable: unreadable
        }
    }
}

/// What is set aside of one kind with one token: no other token's items take room from it.
package struct SetAsideShare: Hashable, Sendable {
    /// The name of the token, or the id of the ledger that events came from.
    package let token: String

    /// The kind.
    package let kind: SetAsideItem.Kind

    /// How many items there are.
    package internal(set) var itemCount: UInt64 = 0

    /// How many bytes they take as they are stored.
    package internal(set) var byteCount: UInt64 = 0

    /// How many had to make room for newer ones, ever.
    package internal(set) var droppedCount: UInt64 = 0

    /// The code of the newest item, which says what it lacks.
    package internal(set) var code = ""

    /// Begins with nothing.
    init(token: String, kind: SetAsideItem.Kind) {
        self.token = token
        self.kind = kind
    }

    /// Whether waiting items have reached nine tenths of what may wait.
    package func isNearlyFull(_ limits: SetAsideLimits = SetAsideLimits()) -> Bool {
        let most = limits[kind]
        return kind == .waiting
            && (itemCount * 10 >= most.itemCount * 9 || byteCount * 10 >= most.byteCount * 9)
    }

    /// The command that gives what the items wait for and tries them again.
    package var command: String {
        let change = "ledger token change \(ShellWord.quoted(token))"
        let retry = "ledger refused --retry"
        return switch RejectionCode(rawValue: code) {
        case .encrypted: "\(change) --owntracks-key FILE && \(retry)"
        case .invalidTime: "\(change) --time-zone ZONE && \(retry)"
        default: retry
        }
    }
}

extension SetAsideShare {
    private static let version: UInt8 = 1

    /// How many bytes of a digest tell shares apart.
    static let keyByteCount = 16

    /// Returns the key of the share that an item belongs to.
    static func key(of item: SetAsideItem) -> [UInt8] {
        var names = RowEncoder(version: version)
        names.write(item.token)
        names.write(item.kind)
        var stream = SHA256Stream()
        stream.update(names.bytes.span)
        return Array(stream.finish().array.prefix(keyByteCount))
    }

    /// The bytes that are stored (Formats, *What a server keeps*).
    var encoded: [UInt8] {
        var row = RowEncoder(version: Self.version)
        row.write(token)
        row.write(kind)
        for number in [itemCount, byteCount, droppedCount] { row.write(number) }
        row.write(code)
        return row.bytes
    }

    /// Reads what was stored.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var row = try RowDecoder(bytes, version: Self.version)
        token = try row.readText()
        guard let kind = SetAsideItem.Kind(rawValue: try row.readText()) else {
            throw .invalidValue
        }
        self.kind = kind
        itemCount = try row.readUInt64()
        byteCount = try row.readUInt64()
        droppedCount = try row.readUInt64()
        code = try row.readText()
        try row.finish()
    }
}
