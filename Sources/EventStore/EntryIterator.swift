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
