/// Memory into which compact blocks are decoded, reused from block to block.
///
/// It has a fixed size, whatever the blocks say, and is allocated for the first compact block:
/// plain blocks need none.
package struct BlockBuffer: ~Copyable {
    private var decoder: Zstd.Decoder?
    private var columns = EntryColumns()

    /// What the frame holds.
    private var content: [UInt8] = []

    /// The entries, one after the other, in the first `length` bytes.
    private var decoded: [UInt8] = []
    private var length = 0

    /// Creates an empty buffer.
    package init() {}

    /// Decodes the entries of a compact block.
    ///
    /// - Parameters:
    ///   - frame: What follows the header.
    ///   - count: How many entries the header says there are.
    /// - Returns: Whether the frame is sound and has the size of so many entries; they are in
    ///   `entries` then, as a plain block has them.
    mutating func decode(_ frame: Span<UInt8>, count: Int) -> Bool {
        length = 0
        guard 1...CompactBlock.maximumCount ~= count else { return false }
        if decoder == nil {
            decoder = Zstd.Decoder()
            content = Array(repeating: 0, count: CompactBlock.maximumContentLength)
            decoded = content
        }
        guard let size = decoder?.decode(frame, into: &content),
            columns.join(content, byteCount: size, count: count, into: &decoded)
        else { return false }
        length = size
        return true
    }

    /// The entries that were decoded last, one after the other.
    var entries: Span<UInt8> {
        @_lifetime(borrow self)
        get { decoded.span.extracting(first: length) }
    }
}
