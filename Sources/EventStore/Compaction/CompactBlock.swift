/// The entries of several plain blocks, byte for byte, in one zstd frame (Formats, *Compact
/// blocks*).
enum CompactBlock {
    /// The version in the header of a compact block.
    static let version: UInt8 = 2

    /// The most bytes that the entries of one compact block have.
    ///
    /// A lookup of one entry decodes them all, so that a larger block costs time; a smaller one
    /// costs room (Proposals, 0004, has both measured).
    static let maximumContentLength = 65_536

    /// As many entries as the shortest leave room for.
    static let maximumCount = maximumContentLength / EntryView.minimumByteCount

    /// Writes some entries as a compact block.
    ///
    /// - Parameters:
    ///   - entries: At most `maximumContentLength` bytes of whole entries, one after the other.
    ///   - firstPosition: The position of the first.
    ///   - count: How many there are.
    ///   - encoder: Compresses them.
    /// - Returns: The block, or `nil` if it would not be shorter, or would not give back the same
    ///   entries.
    /// - Throws: `EventLogError.damaged` if these are no entries.
    static func encode(
        _ entries: Span<UInt8>,
        firstPosition: UInt64,
        count: Int,
        with encoder: Zstd.Encoder
    ) throws(EventLogError) -> [UInt8]? {
        guard 1...maximumCount ~= count, entries.count <= maximumContentLength else { return nil }
        var iterator = EntryIterator(entries, firstPosition: firstPosition, count: count)
        var earliest = Int64.max
        var latest = Int64.min
        while let entry = try iterator.next() {
            earliest = min(earliest, entry.occurredAt)
            latest = max(latest, entry.occurredAt)
        }
        var columns = EntryColumns()
        guard let content = columns.separate(entries, count: count) else { return nil }
        let frame = encoder.frame(of: content.span)
        var buffer = BlockBuffer()
        guard BlockHeader.byteCount + frame.count < entries.count,
            buffer.decode(frame.span, count: count),
            buffer.entries.hasSameBytes(as: entries)
        else { return nil }
        var header = BlockHeader(
            count: count,
            length: BlockHeader.byteCount + frame.count,
            times: earliest...latest,
            firstPosition: firstPosition
        )
        header.version = version
        return header.sealing(frame)
    }
}
