package import Proofs

/// What stands in the log for an entry whose content is not there: its leaf hash, so that the tree
/// stays what it was (Formats, *Tombstones*).
///
/// The time of the event, the sender's id, the content and the nonce are gone.
public struct Tombstone: Hashable, Sendable {
    /// The kind byte of every tombstone.
    @inlinable public static var kind: UInt8 { 0x00 }

    /// How many bytes a tombstone has: as many as the shortest fix, so that blocks seldom grow.
    @inlinable public static var byteCount: Int { 44 }

    /// How many of them are the leaf hash: the last ones.
    @inlinable static var hashByteCount: Int { 32 }

    /// What stands for the kind of an entry that an export withheld: nobody said what it was.
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

    /// The bytes that stand in a block.
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
