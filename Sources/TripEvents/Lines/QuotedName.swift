/// A member's name as lines mostly have it, with the quote and the colon right behind it, in two
/// words: whether it stands somewhere is asked in two comparisons.
struct QuotedName: BitwiseCopyable {
    /// How many bytes of a line are looked at.
    static let wordByteCount = 16

    /// What follows the name, the first byte lowest.
    private static let end: UInt64 = 0x3A22

    private let head: UInt64
    private let headMask: UInt64
    private let tail: UInt64
    private let tailMask: UInt64

    /// Bytes of the name with quote and colon.
    let byteCount: Int

    /// Creates the form of a name of so many bytes, or returns `nil` if those are more than 14.
    init?(_ name: PackedName, nameByteCount: Int) {
        byteCount = nameByteCount + 2
        guard byteCount <= Self.wordByteCount else { return nil }
        // Smart shifts: what is out of a word is gone.
        let shift = 8 * nameByteCount
        head = name.head | Self.end << shift
        tail = name.tail | Self.end << (shift - 64)
        headMask = ~(UInt64.max << (8 * byteCount))
        tailMask = ~(UInt64.max << (8 * max(byteCount - 8, 0)))
    }

    /// Returns whether the name stands at an offset, after which the line MUST have 16 bytes.
    @inline(__always)
    func stands(in line: Span<UInt8>, at offset: Int) -> Bool {
        let headDifference = (line.word(at: offset) ^ head) & headMask
        let tailDifference = (line.word(at: offset + 8) ^ tail) & tailMask
        return headDifference | tailDifference == 0
    }
}
