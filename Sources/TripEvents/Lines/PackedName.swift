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
