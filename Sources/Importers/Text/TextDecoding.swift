import TripEvents

/// Turns the bytes of a text file into UTF-8 without a byte order mark, piece by piece.
///
/// UTF-16 is recognised by its mark; everything else is taken for UTF-8.
struct TextDecoding {
    private enum Encoding {
        case utf8
        case utf16(isBigEndian: Bool)
    }

    private let encoding: Encoding

    /// How many bytes of the mark are still to be skipped.
    private var markByteCount: Int

    /// The first byte of a code unit whose second one has not come yet.
    private var half: UInt8?

    /// The first half of a surrogate pair whose second one has not come yet.
    private var highSurrogate: UInt16?

    /// Finds the encoding of a text that begins so.
    init(_ head: Span<UInt8>) {
        switch (head.count > 0 ? head[0] : 0, head.count > 1 ? head[1] : 0) {
        case (0xFF, 0xFE): (encoding, markByteCount) = (.utf16(isBigEndian: false), 2)
        case (0xFE, 0xFF): (encoding, markByteCount) = (.utf16(isBigEndian: true), 2)
        case (0xEF, 0xBB) where head.count > 2 && head[2] == 0xBF:
            (encoding, markByteCount) = (.utf8, 3)
        default: (encoding, markByteCount) = (.utf8, 0)
        }
    }

    /// So many bytes tell the encoding.
    static let longestMark = 3

    /// Returns how many of the next bytes of a text in UTF-8 come before its first character; `nil`
    /// if it is in UTF-16.
    mutating func takeUTF8Mark() -> Int? {
        guard case .utf8 = encoding else { return nil }
        defer { markByteCount = 0 }
        return markByteCount
    }

    /// Returns the next bytes of a text in UTF-16 as UTF-8.
    mutating func decoded(_ bytes: Span<UInt8>) -> [UInt8] {
        guard case .utf16(let isBigEndian) = encoding else { return [] }
        let start = min(markByteCount, bytes.count)
        markByteCount -= start
        return utf8(of: bytes, from: start, isBigEndian)
    }

    private mutating func utf8(
        of bytes: Span<UInt8>,
        from start: Int,
        _ isBigEndian: Bool
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for position in start..<bytes.count {
            guard let first = half else {
                half = bytes[position]
                continue
            }
            half = nil
            let (high, low) = isBigEndian ? (first, bytes[position]) : (bytes[position], first)
            append(UInt16(high) << 8 | UInt16(low), to: &text)
        }
        return text
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let high = highSurrogate {
            highSurrogate = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x1_0000 + UInt32(high & 0x3FF) << 10 + UInt32(unit & 0x3FF)
                return append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &text)
            }
            append("\u{FFFD}", to: &text)
        }
        if UTF16.isLeadSurrogate(unit) {
            highSurrogate = unit
            return
        }
        append(Unicode.Scalar(unit) ?? "\u{FFFD}", to: &text)
    }

    private func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(contentsOf: String(Character(scalar)).utf8)
    }
}

extension Span<UInt8> {
    /// Whether some ASCII stands anywhere from a position on.
    func contains(_ text: String, from start: Int) -> Bool {
        let length = text.utf8.count
        guard let first = text.utf8.first else { return true }
        var position = start
        while position + length <= count {
            if self[position] == first, holds(text, at: position..<position + length) {
                return true
            }
            position += 1
        }
        return false
    }

    /// Returns where the first line feed from a position on is.
    func firstLineFeed(from start: Int) -> Int? {
        var position = start
        while position < count {
            if self[position] == UInt8(ascii: "\n") { return position }
            position += 1
        }
        return nil
    }
}
