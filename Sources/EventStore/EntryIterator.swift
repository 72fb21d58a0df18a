/// Walks over the entries of a block, in order of position.
package struct EntryIterator: ~Escapable {
    /// The position of the entry that `next()` returns next.
    package private(set) var position: UInt64

    private var rest: Span<UInt8>
    private var remaining: Int

    // Entries lie in the block's bytes, wherever those are.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, firstPosition: UInt64, count: Int) {
        rest = bytes
        position = firstPosition
        remaining = count
    }

    /// Returns the next entry, or `nil` after the last.
    ///
    /// - Throws: `EventLogError.damaged` if the bytes there are no entry, or if bytes are left over
    ///   after the last one.
    @_lifetime(copy self)
    package mutating func next() throws(EventLogError) -> EntryView? {
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
        position += 1
        remaining -= 1
        return entry
    }
}
