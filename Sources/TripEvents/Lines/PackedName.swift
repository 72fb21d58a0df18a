/// A name of at most 16 bytes, none of them 0, in two words: names are compared as two numbers.
struct PackedName: Hashable, BitwiseCopyable {
    static let maximumBytes = 16

    /// The first eight bytes, the first one lowest.
    let head: UInt64

    /// The other bytes, likewise.
    let tail: UInt64

    /// Creates a name from at most 16 bytes of UTF-8.
    init(_ bytes: some Collection<UInt8>) {
        var words: UInt128 = 0
        for (index, byte) in bytes.enumerated() { words |= UInt128(byte) << (8 * index) }
        head = UInt64(truncatingIfNeeded: words)
        tail = UInt64(truncatingIfNeeded: words >> 64)
    }

    /// Reads a name of a line up to its closing quote, and moves there.
    ///
    /// Returns `nil`, at some byte of the name, if the name is longer, escaped, not ASCII or does
    /// not end.
    @inline(__always)
    init?(_ line: Span<UInt8>, position: inout Int) {
        head = Self.word(line, position: &position)
        tail = Self.word(line, position: &position)
        guard position < line.count, line[position] == UInt8(ascii: "\"") else { return nil }
    }

    /// A number in 0 … 255 that tells most names apart.
    @inline(__always)
    var bucket: Int {
        // The multiplier is 2⁶⁴ ÷ the golden ratio (Knuth, TAOCP 3, §6.4).
        Int(truncatingIfNeeded: ((head ^ tail &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    /// Reads up to eight plain bytes.
    @inline(__always)
    private static func word(_ line: Span<UInt8>, position: inout Int) -> UInt64 {
        guard position + 8 <= line.count else { return lastWord(line, position: &position) }
        let word = line.word(at: position)
        let count = PlainBytes.count(in: word)
        position += count
        return PlainBytes.prefix(word, count: count)
    }

    /// Reads up to eight plain bytes near the end of a line.
    @inline(never)
    private static func lastWord(_ line: Span<UInt8>, position: inout Int) -> UInt64 {
        let rest = line.littleEndian(at: position, bytes: line.count - position)
        // A byte that is not there reads as 0, which is not plain.
        let count = PlainBytes.count(in: rest)
        position += count
        return PlainBytes.prefix(rest, count: count)
    }
}

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
