package import Proofs

// Public, because only public declarations can be inlined into other modules, which call these for
// every event.
/// An entry in place: the bytes that are hashed, read without copying (Formats, *Entries*).
public struct EntryView: BitwiseCopyable, ~Escapable {
    /// The fewest bytes an entry can have.
    @inlinable public static var minimumByteCount: Int { 26 }

    /// The most bytes an entry can have.
    package static let maximumByteCount = 65_535

    /// Bit of `form` that says that a sender's id is stored.
    @inlinable public static var idForm: UInt8 { 0b1 }

    /// All bytes of the entry, exactly what its leaf hash covers.
    public let bytes: Span<UInt8>

    /// What kind of event this is (Formats, *Kinds*).
    public let kind: UInt8

    /// How the payload is written; bit 0 says whether there is an id.
    ///
    /// In a tombstone this is the kind that the entry had.
    public let form: UInt8

    // A view of at most four words stays in registers. A larger one is kept in memory: code that
    // makes one for each entry would copy and end it twice, which is a twentieth of the cost of a
    // replay. So the other parts are read where they are asked for.
    /// Where the kind stands: after a short or a long length.
    @usableFromInline let kindOffset: UInt8

    /// Where the payload begins.
    @usableFromInline let payloadOffset: UInt32

    /// Reads the entry that `bytes` starts with, or returns `nil` if there is no whole one.
    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    public init?(startOf bytes: Span<UInt8>) {
        guard bytes.count >= Self.minimumByteCount else { return nil }
        var length = Int(bytes[0])
        // Bytes before the kind: 1, or 3 with a long length.
        let start = length == 0 ? 3 : 1
        if length == 0 {
            length = Int(bytes[1]) | Int(bytes[2]) << 8
            // Two bytes less, and one byte would have said the length: that is the only encoding.
            guard length > 257 else { return nil }
        }
        guard length >= Self.minimumByteCount, length <= bytes.count else { return nil }
        self.bytes = bytes.extracting(first: length)
        kind = bytes[start]
        form = bytes[start + 1]
        kindOffset = UInt8(truncatingIfNeeded: start)
        var payloadStart = start + 25
        if kind == Tombstone.kind {
            guard start == 1, length == Tombstone.byteCount else { return nil }
            payloadStart = length - Tombstone.hashByteCount
        } else if form & Self.idForm != 0 {
            guard payloadStart < length, bytes[payloadStart] > 0 else { return nil }
            payloadStart += 1 + Int(bytes[payloadStart])
            guard payloadStart <= length else { return nil }
        }
        payloadOffset = UInt32(truncatingIfNeeded: payloadStart)
    }

    /// The number of the source; 0 is the ledger itself.
    @inlinable public var source: UInt32 {
        // Three bytes, with what follows cut off.
        UInt32(truncatingIfNeeded: bytes.littleEndian(at: Int(kindOffset) + 2)) & 0xFF_FFFF
    }

    /// When it happened, by the source's clock: milliseconds since 1970.
    ///
    /// A tombstone has no such time and repeats its recorded_at here.
    @inlinable public var occurredAt: Int64 { milliseconds(at: Int(kindOffset) + 5) }

    /// When the ledger stored it: milliseconds since 1970.
    @inlinable public var recordedAt: Int64 {
        milliseconds(at: Int(kindOffset) + (isTombstone ? 5 : 11))
    }

    /// Whether the content of the entry is gone, and only its hash is here.
    @inlinable public var isTombstone: Bool { kind == Tombstone.kind }

    /// Where the payload begins.
    @inlinable var payloadStart: Int { Int(payloadOffset) }

    /// Whether the entry was withheld from this copy of the log: nothing but its hash is here.
    package var isWithheld: Bool { isTombstone && form == Tombstone.withheldKind }

    /// Whether the sender named the event.
    @inlinable public var hasID: Bool { form & Self.idForm != 0 && !isTombstone }

    /// The sender's name for the event, UTF-8; empty if it gave none.
    package var id: Span<UInt8> {
        @_lifetime(copy self)
        get {
            guard hasID else { return bytes.extracting(first: 0) }
            let first = payloadStart - Int(bytes[idLengthOffset])
            return bytes.extracting(first..<payloadStart)
        }
    }

    /// The event's content, whose form the store does not know; in a tombstone, the leaf hash.
    @inlinable public var payload: Span<UInt8> {
        @_lifetime(copy self)
        get { bytes.extracting(droppingFirst: payloadStart) }
    }

    /// The hash of this entry as a leaf of the tree.
    package var leafHash: Digest {
        if isTombstone, let hash = Digest(payload) { return hash }
        return SHA256.leaf(bytes)
    }

    /// The offset of the id's length, if there is an id.
    private var idLengthOffset: Int { bytes[0] == 0 ? 28 : 26 }

    @inlinable @inline(__always)
    func milliseconds(at offset: Int) -> Int64 {
        // Six bytes, with what follows cut off; the shortest entry has eight there.
        let value = bytes.littleEndian(at: offset)
        // The highest of the 48 bits is the sign.
        return Int64(bitPattern: value << 16) >> 16
    }
}

extension EntryView {
    /// The content digest's first eight bytes, as a number (Formats, *Identity*).
    var contentDigest: UInt64 {
        EntryContent.digestWord(kind: kind, form: form, id: id, payload: payload)
    }

    /// Returns the identity digest of the event (Formats, *Identity*).
    ///
    /// - Parameter name: The source's name: numbers depend on the order of arrival, names do not.
    /// - Returns: The identity digest.
    package func identityDigest(sourceName name: String) -> Digest {
        EntryContent.identityDigest(
            sourceName: name,
            id: id,
            occurredAt: occurredAt,
            kind: kind,
            form: form,
            payload: payload
        )
    }
}

/// The stand-in for an entry that was erased or withheld: its leaf hash, so that the tree does not
/// change (Formats, *Tombstones*).
///
/// The time of the event, the sender's id, the content and the nonce are gone.
public struct Tombstone: Hashable, Sendable {
    /// The kind byte of every tombstone.
    @inlinable public static var kind: UInt8 { 0x00 }

    /// How many bytes a tombstone has: as many as the shortest fix, so that blocks seldom grow.
    @inlinable public static var byteCount: Int { 44 }

    /// How many of them are the leaf hash: the last ones.
    @inlinable static var hashByteCount: Int { 32 }

    /// The kind byte of an entry that an export withheld, whose own kind is unknown.
    package static let withheldKind: UInt8 = 0xFF

    /// The kind that the entry had.
    package var erasedKind: UInt8

    /// The number of the source that reported it.
    package var source: UInt32

    /// When the ledger stored the entry: milliseconds since 1970.
    package var recordedAt: Int64

    /// The hash of the entry as a leaf of the tree.
    package var leafHash: Digest

    /// Creates the tombstone of an entry.
    package init(of entry: EntryView) {
        erasedKind = entry.kind
        source = entry.source
        recordedAt = entry.recordedAt
        leafHash = entry.leafHash
    }

    /// Creates the tombstone of an entry of which nothing but the hash is known.
    package init(withheld leafHash: Digest, recordedAt: Int64) {
        erasedKind = Self.withheldKind
        source = 0
        self.recordedAt = recordedAt
        self.leafHash = leafHash
    }

    /// The tombstone as the bytes of an entry.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = [UInt8(Self.byteCount), Self.kind, erasedKind]
        for index in 0..<3 {
            bytes.append(UInt8(truncatingIfNeeded: source >> UInt32(8 * index)))
        }
        for index in 0..<6 {
            bytes.append(UInt8(truncatingIfNeeded: recordedAt >> Int64(8 * index)))
        }
        bytes.append(contentsOf: leafHash.bytes.span)
        return bytes
    }
}

/// What an event says, without its source and time: the part that identity compares.
package struct EntryContent: Hashable, Sendable {
    /// What kind of event this is (Formats, *Kinds*).
    package var kind: UInt8

    /// How the payload is written (Formats, *Payloads*); bit 0 belongs to the store.
    package var form: UInt8

    /// The payload's bytes.
    package var payload: [UInt8]

    /// Creates a content.
    package init(kind: UInt8, form: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.form = form
        self.payload = payload
    }

    /// Returns the first eight bytes of the content digest, as a number (Formats, *Identity*).
    ///
    /// The `id` is the sender's name for the event, empty if it gave none.
    static func digestWord(
        kind: UInt8,
        form: UInt8,
        id: Span<UInt8>,
        payload: Span<UInt8>
    ) -> UInt64 {
        if IdentifiedContent.mayDiffer(form, kind: kind) {
            let identified = IdentifiedContent(of: kind, form: form, payload: payload)
            if identified.form != form || identified.payload.count != payload.count {
                return digestWord(
                    kind: kind,
                    form: identified.form,
                    id: id,
                    payload: identified.payload.span
                )
            }
        }
        var content: [UInt8] = []
        content.reserveCapacity(3 + id.count + payload.count)
        content.append(kind)
        content.append(form)
        if !id.isEmpty {
            content.append(UInt8(id.count))
            content.append(contentsOf: id)
        }
        content.append(contentsOf: payload)
        return SHA256.digest(content.span).firstWord
    }

    /// Returns the identity digest of an event; the `id` is empty if the sender gave none.
    package static func identityDigest(
        sourceName name: String,
        id: Span<UInt8>,
        occurredAt: Int64,
        kind: UInt8,
        form: UInt8,
        payload: Span<UInt8>
    ) -> Digest {
        var identity: [UInt8] = [id.isEmpty ? 0x02 : 0x01]
        identity.append(UInt8(truncatingIfNeeded: name.utf8.count))
        identity.append(contentsOf: name.utf8)
        if id.isEmpty {
            identity.append(littleEndian: UInt64(bitPattern: occurredAt))
            let identified = IdentifiedContent(of: kind, form: form, payload: payload)
            identity.append(kind)
            identity.append(identified.form)
            identity.append(contentsOf: identified.payload)
        } else {
            identity.append(contentsOf: id)
        }
        return SHA256.digest(identity.span)
    }
}
