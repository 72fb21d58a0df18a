package import CivilTime
import Proofs
import RowCoding

/// Something that was delivered and cannot become an event: a latitude of 91, a fix without a time,
/// a message without a key to decrypt it.
///
/// It is kept with its reason, because its sender was told that it is safe: a phone that is refused
/// either sends the same for ever or loses all that waits behind it.
package struct SetAsideItem: Hashable, Sendable {
    /// How much is kept of what this program cannot read, in bytes.
    package static let mostKeptBytes = 1 << 20

    /// When it was delivered.
    package let receivedAt: Timestamp

    /// The name of the token that it was delivered with.
    package let token: String

    /// The group of that token; `nil` for one of the owner's.
    ///
    /// The name alone does not tell: after a token was revoked, one of another group may have it.
    package let group: String?

    /// The source that it would have come from.
    package let source: String

    /// The door through which it came, such as `overland`.
    package let door: String

    /// The reason, for programs: a rejection's code, or one of the door's own.
    package let code: String

    /// The reason, for people: a sentence with its full stop.
    package let reason: String

    /// Whether it may be accepted later: with a key, a time zone, or a valid token.
    package let mayPassLater: Bool

    /// How many bytes it had.
    package let byteCount: Int

    /// Its bytes: all of them if it may pass later, else at most ``mostKeptBytes``.
    package let content: [UInt8]

    /// The identity of the item: source with its group, door and all of its bytes.
    let identity: [UInt8]

    /// Takes over what was delivered with a token of a group; `nil` for one of the owner's.
    package init(
        _ content: [UInt8],
        door: String,
        source: String,
        token: String,
        group: String? = nil,
        code: String,
        reason: String,
        mayPassLater: Bool,
        receivedAt: Timestamp
    ) {
        self.receivedAt = receivedAt
        self.token = token
        self.group = group
        self.source = source
        self.door = door
        self.code = code
        self.reason = reason
        self.mayPassLater = mayPassLater
        byteCount = content.count
        self.content = mayPassLater ? content : Array(content.prefix(Self.mostKeptBytes))
        identity = Self.identity(content, door: door, source: source, of: group)
    }

    /// Whether nothing of it was left out.
    package var isWhole: Bool { content.count == byteCount }

    /// How many bytes of the digest tell items apart.
    private static let identityByteCount = 16

    /// The first byte of the identities of items of groups.
    private static let versionOfGroups: UInt8 = 2

    private static func identity(
        _ content: [UInt8],
        door: String,
        source: String,
        of group: String?
    ) -> [UInt8] {
        // Lengths before the names, so that no two of them look alike side by side.
        var names = RowEncoder(version: group == nil ? version : versionOfGroups)
        names.write(source)
        names.write(door)
        if let group { names.write(group) }
        var stream = SHA256Stream()
        stream.update(names.bytes.span)
        stream.update(content.span)
        return Array(stream.finish().array.prefix(identityByteCount))
    }
}

extension SetAsideItem {
    private static let version: UInt8 = 1

    /// The bytes that are stored (Formats, *What a server keeps*).
    var encoded: [UInt8] {
        var row = RowEncoder(version: Self.version)
        row.write(receivedAt)
        row.write(token)
        row.write(group) { $0.write($1) }
        row.write(source)
        row.write(door)
        row.write(code)
        row.write(reason)
        row.write(mayPassLater)
        row.write(UInt64(byteCount))
        row.write(content)
        row.write(identity)
        return row.bytes
    }

    /// Reads what was stored.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var row = try RowDecoder(bytes, version: Self.version)
        receivedAt = try row.readTimestamp()
        token = try row.readText()
        group = try row.readOptionalText()
        source = try row.readText()
        door = try row.readText()
        code = try row.readText()
        reason = try row.readText()
        mayPassLater = try row.readBool()
        byteCount = Int(try row.readAmount())
        content = try row.readBytes()
        identity = try row.readBytes()
        guard content.count <= byteCount, identity.count == Self.identityByteCount else {
            throw .invalidValue
        }
        try row.finish()
    }
}

/// The sum of all items that were set aside.
package struct SetAsideTotals: Hashable, Sendable {
    /// How many there are.
    package internal(set) var itemCount: UInt64 = 0

    /// How many bytes they take as they are stored.
    package internal(set) var byteCount: UInt64 = 0

    /// How many had to make room for newer ones, ever.
    package internal(set) var droppedCount: UInt64 = 0

    /// Whether bytes of items that were removed may still stand in unused places of the file.
    package internal(set) var needsSweep = false

    /// The number of the next item.
    var nextNumber: UInt64 = 0

    /// Returns the number from which on there are at most so many items.
    package func firstNumber(ofNewest count: UInt64) -> UInt64 {
        nextNumber > count ? nextNumber - count : 0
    }

    private static let version: UInt8 = 1

    /// Begins with none.
    package init() {}

    /// The bytes that are stored.
    var encoded: [UInt8] {
        var row = RowEncoder(version: Self.version)
        for number in [itemCount, byteCount, droppedCount, nextNumber] { row.write(number) }
        row.write(needsSweep)
        return row.bytes
    }

    /// Reads what was stored.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var row = try RowDecoder(bytes, version: Self.version)
        itemCount = try row.readUInt64()
        byteCount = try row.readUInt64()
        droppedCount = try row.readUInt64()
        nextNumber = try row.readUInt64()
        needsSweep = try row.readBool()
        try row.finish()
    }
}
