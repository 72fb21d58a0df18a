package import Proofs

/// An entry in place: the bytes that are hashed, read without copying (Formats, *Entries*).
package struct EntryView: ~Escapable {
    /// The fewest bytes an entry can have.
    package static let minimumByteCount = 26

    /// The most bytes an entry can have.
    package static let maximumByteCount = 65_535

    /// Bit of `form` that says that a sender's id is stored.
    package static let idForm: UInt8 = 0b1

    /// All bytes of the entry, exactly what its leaf hash covers.
    package let bytes: Span<UInt8>

    /// Bytes before the kind: 1, or 3 with a long length.
    private let start: Int

    /// Reads the entry that `bytes` starts with, or returns `nil` if there is no whole one.
    @_lifetime(copy bytes)
    package init?(startOf bytes: Span<UInt8>) {
        guard bytes.count >= Self.minimumByteCount else { return nil }
        var length = Int(bytes[0])
        start = length == 0 ? 3 : 1
        if length == 0 {
            length = Int(bytes[1]) | Int(bytes[2]) << 8
            // Two bytes less, and one byte would have said the length: that is the only encoding.
            guard length > 257 else { return nil }
        }
        guard length >= Self.minimumByteCount, length <= bytes.count else { return nil }
        self.bytes = bytes.extracting(first: length)
        if isTombstone {
            guard start == 1, length == Tombstone.byteCount else { return nil }
        } else if hasID {
            let idStart = start + 25
            guard idStart < length, self.bytes[idStart] > 0,
                idStart + 1 + Int(self.bytes[idStart]) <= length
            else { return nil }
        }
    }

    /// What kind of event this is (Formats, *Kinds*).
    package var kind: UInt8 { bytes[start] }

    /// Whether what the entry said is gone, and only its hash is here.
    package var isTombstone: Bool { kind == Tombstone.kind }

    /// Whether the entry was withheld from this copy of the log: nothing but its hash is here.
    package var isWithheld: Bool { isTombstone && form == Tombstone.withheldKind }

    /// How the payload is written; bit 0 says whether there is an id.
    ///
    /// In a tombstone this is the kind that the entry had.
    package var form: UInt8 { bytes[start + 1] }

    /// The number of the source; 0 is the ledger itself.
    package var source: UInt32 {
        // Three bytes, with what follows cut off.
        UInt32(truncatingIfNeeded: bytes.littleEndian(at: start + 2)) & 0xFF_FFFF
    }

    /// When it happened, by the source's clock: milliseconds since 1970.
    ///
    /// A tombstone does not know; it counts with its recorded_at, which stands there.
    package var occurredAt: Int64 { milliseconds(at: start + 5) }

    /// When the ledger stored it: milliseconds since 1970.
    package var recordedAt: Int64 { milliseconds(at: isTombstone ? start + 5 : start + 11) }

    /// Whether the sender named the event.
    package var hasID: Bool { form & Self.idForm != 0 && !isTombstone }

    /// The sender's name for the event, UTF-8; empty if it gave none.
    package var id: Span<UInt8> {
        @_lifetime(copy self)
        get {
            guard hasID else { return bytes.extracting(first: 0) }
            let first = start + 26
            return bytes.extracting(first..<first + Int(bytes[start + 25]))
        }
    }

    /// The event's content, whose form the store does not know; in a tombstone, the leaf hash.
    package var payload: Span<UInt8> {
        @_lifetime(copy self)
        get {
            if isTombstone { return bytes.extracting(last: Digest.byteCount) }
            let first = start + 25 + (hasID ? 1 + Int(bytes[start + 25]) : 0)
            return bytes.extracting(first..<bytes.count)
        }
    }

    /// The hash of this entry as a leaf of the tree.
    package var leafHash: Digest {
        if isTombstone, let hash = Digest(payload) { return hash }
        return SHA256.leaf(bytes)
    }

    private func milliseconds(at offset: Int) -> Int64 {
        // Six bytes, with what follows cut off; the shortest entry has eight there.
        let value = bytes.littleEndian(at: offset)
        // The highest of the 48 bits is the sign.
        return Int64(bitPattern: value << 16) >> 16
    }
}
