package import Proofs

/// What an event of the ledger says that was erased: the part that the store can check.
package struct ErasureRecord: Sendable {
    /// The positions.
    package var positions: RangeSet<UInt64>

    /// The RFC 6962 root over the tombstones there, in order of position.
    package var tombstoneRoot: Digest

    /// Creates a record.
    package init(positions: RangeSet<UInt64>, tombstoneRoot: Digest) {
        self.positions = positions
        self.tombstoneRoot = tombstoneRoot
    }
}
