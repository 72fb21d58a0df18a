/// A cell of a table as the table keeps it: what room it takes, and its bytes.
///
/// The count of its bytes stands before them in one byte. One that is long or not ASCII has
/// ``sizeFollows`` there, and then its count and its width in four bytes each, lowest byte first.
struct TextCell {
    private static let sizeFollows = UInt8.max
    private static let numberByteCount = 4

    /// The most bytes that stand before those of a cell.
    static let longestHead = 1 + 2 * numberByteCount

    /// Where its bytes stand.
    let range: Range<Int>

    /// In characters.
    let width: Int

    /// Reads the cell that begins at a position.
    @inline(__always)
    init(_ bytes: [UInt8], at position: Int) {
        if bytes[position] == Self.sizeFollows {
            let start = position + Self.longestHead
            range = start..<start + Self.number(bytes, at: position + 1)
            width = Self.number(bytes, at: position + 1 + Self.numberByteCount)
        } else {
            width = Int(bytes[position])
            range = position + 1..<position + 1 + width
        }
    }

    /// Begins a cell of a few ASCII characters, which are to be appended before ``end(_:in:)``.
    ///
    /// - Returns: Where it begins.
    @inline(__always)
    static func begin(in span: inout OutputSpan<UInt8>) -> Int {
        span.append(0)
        return span.count - 1
    }

    /// Ends the cell that begins at a position.
    @inline(__always)
    static func end(_ position: Int, in span: inout OutputSpan<UInt8>) {
        let byteCount = span.count - position - 1
        precondition(byteCount < Int(sizeFollows), "only a text is long")
        span[position] = UInt8(byteCount)
    }

    /// Appends a cell in which nothing stands.
    @inline(__always)
    static func appendEmpty(to span: inout OutputSpan<UInt8>) {
        span.append(0)
    }

    /// Appends a cell with a text, for which there MUST be room.
    static func append(_ text: String, to span: inout OutputSpan<UInt8>) {
        let bytes = text.utf8.span
        if bytes.count < Int(sizeFollows), isPlain(bytes) {
            span.append(UInt8(bytes.count))
        } else {
            span.append(sizeFollows)
            append(bytes.count, to: &span)
            append(text.count, to: &span)
        }
        for index in bytes.indices { span.append(bytes[index]) }
    }

    /// Returns the room that a cell with a text takes at most.
    static func room(for text: String) -> Int {
        longestHead + text.utf8.count
    }

    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var bits: UInt8 = 0
        for index in bytes.indices { bits |= bytes[index] }
        return bits < 0x80
    }

    private static func append(_ number: Int, to span: inout OutputSpan<UInt8>) {
        precondition(number <= Int(UInt32.max), "no cell is that long")
        for index in 0..<numberByteCount {
            span.append(UInt8(truncatingIfNeeded: number >> (8 * index)))
        }
    }

    @inline(never)
    private static func number(_ bytes: [UInt8], at position: Int) -> Int {
        (0..<numberByteCount).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
}
