/// A stored block, checked when it is made: a plain one in place, a compact one decoded.
package struct BlockView: ~Escapable {
    /// What the block says about itself.
    let header: BlockHeader

    /// The block as it is stored.
    let bytes: Span<UInt8>

    /// The entries, one after the other.
    private let content: Span<UInt8>

    /// Checks the checksum and the header of a block.
    ///
    /// - Parameters:
    ///   - bytes: The value as stored.
    ///   - position: The key, which the header MUST repeat.
    ///   - buffer: Where the entries of a compact block go.
    /// - Throws: `EventLogError.damaged` that names the position.
    @_lifetime(copy bytes, &buffer)
    package init(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        decodedInto buffer: inout BlockBuffer
    ) throws(EventLogError) {
        guard let header = BlockHeader(bytes) else {
            throw .damaged(position: position, "the block is shorter than its header")
        }
        guard header.length == bytes.count else {
            throw .damaged(position: position, "the block is not as long as it says")
        }
        guard header.checksum == Checksum.crc32c(bytes.extracting(droppingFirst: 4)) else {
            throw .damaged(position: position, "the block's checksum is wrong")
        }
        let isCompact = header.version == CompactBlock.version
        guard isCompact || header.version == BlockHeader.version, header.flags == 0 else {
            throw .newerFormat("block version \(header.version), flags \(header.flags)")
        }
        guard header.firstPosition == position, LogLimits.positions.contains(position) else {
            throw .damaged(position: position, "the block belongs to another position")
        }
        let maximumCount = isCompact ? CompactBlock.maximumCount : BlockHeader.maximumCount
        guard 1...maximumCount ~= header.count else {
            throw .damaged(position: position, "the block has an impossible number of entries")
        }
        let rest = bytes.extracting(droppingFirst: BlockHeader.byteCount)
        if isCompact {
            guard buffer.decode(rest, count: header.count) else {
                throw .damaged(position: position, "the compact block cannot be decoded")
            }
            // This block depends on the buffer too, which so stays as it is while it is there.
            content = unsafe _overrideLifetime(buffer.entries, copying: bytes)
        } else {
            guard header.length <= BlockHeader.maximumLength || header.count == 1 else {
                throw .damaged(position: position, "the block is longer than it may be")
            }
            content = rest
        }
        self.header = header
        self.bytes = bytes
    }

    /// The position of the first entry.
    package var firstPosition: UInt64 { header.firstPosition }

    /// The number of entries.
    package var count: Int { header.count }

    /// Whether the entries are compressed, so that nothing can be added to them.
    var isCompact: Bool { header.version == CompactBlock.version }

    /// The position after the last entry.
    package var endPosition: UInt64 { firstPosition + UInt64(count) }

    /// The entries, in order of position.
    package var entries: EntryIterator {
        @_lifetime(copy self)
        get {
            EntryIterator(content, firstPosition: firstPosition, count: count)
        }
    }
}

/// Walks over the entries of a block, in order of position.
public struct EntryIterator: BitwiseCopyable, ~Escapable {
    /// The position of the entry that `next()` returns next.
    @inlinable public var position: UInt64 {
        @inline(__always) get { nextPosition }
    }

    @usableFromInline var nextPosition: UInt64
    @usableFromInline var rest: Span<UInt8>
    @usableFromInline var remaining: Int

    // Entries lie in the block's bytes, wherever those are.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, firstPosition: UInt64, count: Int) {
        rest = bytes
        nextPosition = firstPosition
        remaining = count
    }

    /// Returns the next entry, or `nil` after the last.
    ///
    /// - Throws: `EventLogError.damaged` if the bytes there are no entry, or if bytes are left over
    ///   after the last one.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func next() throws(EventLogError) -> EntryView? {
        guard remaining > 0 else {
            guard rest.isEmpty else {
                throw .damaged(position: position, "bytes follow the block's last entry")
            }
            return nil
        }
        guard let entry = EntryView(startOf: rest) else {
            throw .damaged(position: position, "the entry's length is impossible")
        }
        rest = rest.extracting(droppingFirst: entry.bytes.count)
        nextPosition += 1
        remaining -= 1
        return entry
    }
}
