/// Finds the code of a member, which is the raw value of its ``FieldName`` or ``EnvelopeName``.
struct MemberTable: Sendable {
    /// The one that readers share: making it takes longer than storing an event.
    static let shared = MemberTable()

    /// The code of no member.
    static let unknown: UInt8 = 0

    /// How many codes there are, used or not.
    static let codeCount = 256

    /// Open addressing: a name stands in its bucket or in one of the next, before a free one.
    private var codes = [UInt8](repeating: unknown, count: 256)
    private var names = [PackedName](repeating: PackedName([]), count: 256)

    /// For the code of a member, what to expect where that may come.
    private(set) var expected = [ExpectedMember?](repeating: nil, count: codeCount)

    /// Creates the table of all members that there are.
    init() {
        for name in FieldName.allCases {
            insert(name.jsonName, code: name.rawValue)
        }
        for name in EnvelopeName.allCases {
            insert(name.jsonName, code: name.rawValue)
        }
    }

    /// Returns the code of a member, or ``unknown``.
    @inline(__always)
    func code(of name: PackedName) -> UInt8 {
        var bucket = name.bucket
        while codes[bucket] != Self.unknown {
            if names[bucket] == name { return codes[bucket] }
            bucket = (bucket + 1) & 255
        }
        return Self.unknown
    }

    private mutating func insert(_ jsonName: String, code: UInt8) {
        let name = PackedName(jsonName.utf8)
        let byteCount = jsonName.utf8.count
        expected[Int(code)] = ExpectedMember(name, nameByteCount: byteCount, code: code)
        var bucket = name.bucket
        while codes[bucket] != Self.unknown {
            bucket = (bucket + 1) & 255
        }
        codes[bucket] = code
        names[bucket] = name
    }
}

/// The member that a line probably has next, because a sender writes its members in one order.
struct ExpectedMember: BitwiseCopyable {
    /// Its code.
    let code: UInt8

    /// Its bit among those that were seen.
    let bit: MemberSet

    /// Its name.
    let name: QuotedName

    /// Expects a member, or returns `nil` if its name is too long to be expected.
    init?(_ name: PackedName, nameByteCount: Int, code: UInt8) {
        guard let name = QuotedName(name, nameByteCount: nameByteCount) else { return nil }
        self.name = name
        self.code = code
        bit = MemberSet(code)
    }
}

/// The place of a member's value in the line, and what the one pass has found out about it.
struct LineMember: BitwiseCopyable {
    /// What the value is.
    enum Kind: UInt8, BitwiseCopyable {
        case text
        case number
        case boolean
        case null

        /// A list or an object, kept as a tree.
        case tree
    }

    var kind = Kind.null

    /// For a text, whether it has escapes; for a boolean, its value; for a number, whether it is
    /// negative.
    var flag = false

    /// Whether a number has at most 19 digits and no exponent.
    var isShort = false

    /// How many digits of a short number come after the point.
    var decimals: Int32 = 0

    /// Offset of the value's first byte; of a text the one after the quote.
    var start = 0

    /// Offset after the value's last byte; of a text that of the closing quote.
    var end = 0

    /// For a short number, its digits as an integer; for a tree, its index.
    var magnitude: UInt64 = 0

    /// The column of the value, counted from 1.
    var column: Int { kind == .text ? start : start + 1 }

    /// A short number of at most 18 digits and 18 decimals.
    @inline(__always)
    var scaled: ScaledDecimal? {
        guard kind == .number, isShort else { return nil }
        return ScaledDecimal(magnitude: magnitude, decimals: Int(decimals), isNegative: flag)
    }

    /// Returns a short number in units of 10^−places, or `nil` if it has more decimals or is too
    /// large.
    @inline(__always)
    func units(places: Int) -> Int64? {
        let missing = places - Int(decimals)
        guard kind == .number, isShort, missing >= 0 else { return nil }
        let scaled = magnitude.multipliedReportingOverflow(by: PowersOfTen.integers[missing])
        guard !scaled.overflow, let units = Int64(exactly: scaled.partialValue) else { return nil }
        return flag ? -units : units
    }

    /// A whole number that is written without point, sign or exponent.
    @inline(__always)
    var wholeNumber: UInt64? {
        kind == .number && isShort && decimals == 0 && !flag ? magnitude : nil
    }
}

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
        let byteCount = line.count - position
        // Those before the position fall out of the last eight bytes of the line.
        let rest =
            line.count < 8
            ? line.littleEndian(at: position, bytes: byteCount)
            : line.word(at: line.count - 8) >> UInt64(8 * (8 - byteCount))
        // A byte that is not there reads as 0, which is not plain.
        let count = PlainBytes.count(in: rest)
        position += count
        return PlainBytes.prefix(rest, count: count)
    }
}

/// A member's name as most lines have it, with the quote and the colon right behind it, in two
/// words: two comparisons tell whether it is at some place of a line.
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
