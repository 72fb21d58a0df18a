/// A stored block in place, checked when it is made.
package struct BlockView: ~Escapable {
    /// What the block says about itself.
    let header: BlockHeader

    /// The block as it is stored.
    let bytes: Span<UInt8>

    /// Checks the checksum and the header of a block.
    ///
    /// - Parameters:
    ///   - bytes: The value as stored.
    ///   - position: The key, which the header MUST repeat.
    /// - Throws: `EventLogError.damaged` that names the position.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, at position: UInt64) throws(EventLogError) {
        guard let header = BlockHeader(bytes) else {
            throw .damaged(position: position, "the block is shorter than its header")
        }
        guard header.length == bytes.count else {
            throw .damaged(position: position, "the block is not as long as it says")
        }
        guard header.checksum == Checksum.crc32c(bytes.extracting(droppingFirst: 4)) else {
            throw .damaged(position: position, "the block's checksum is wrong")
        }
        guard header.version == BlockHeader.version, header.flags == 0 else {
            throw .newerFormat("block version \(header.version), flags \(header.flags)")
        }
        guard header.firstPosition == position, LogLimits.positions.contains(position) else {
            throw .damaged(position: position, "the block belongs to another position")
        }
        guard 1...BlockHeader.maximumCount ~= header.count else {
            throw .damaged(position: position, "the block has an impossible number of entries")
        }
        guard header.length <= BlockHeader.maximumLength || header.count == 1 else {
            throw .damaged(position: position, "the block is longer than it may be")
        }
        self.header = header
        self.bytes = bytes
    }

    /// The position of the first entry.
    package var firstPosition: UInt64 { header.firstPosition }

    /// The number of entries.
    package var count: Int { header.count }

    /// The position after the last entry.
    package var endPosition: UInt64 { firstPosition + UInt64(count) }

    /// The entries, in order of position.
    package var entries: EntryIterator {
        @_lifetime(copy self)
        get {
            EntryIterator(
                bytes.extracting(droppingFirst: BlockHeader.byteCount),
                firstPosition: firstPosition,
                count: count
            )
        }
    }
}
