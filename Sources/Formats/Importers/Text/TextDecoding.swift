import TripEvents

/// Turns the bytes of a text file into UTF-8 without a byte order mark, piece by piece.
///
/// UTF-16 is recognised by its mark, or by the zeros of its first two characters. Everything else
/// is UTF-8 where it is valid; an invalid byte is a character of the encoding that the text
/// declares as XML does, or else of ``CodePage/western``. Where a text declares an encoding of one
/// byte, all that follows its first such byte is read in it.
struct TextDecoding {
    private enum Encoding {
        case utf8
        case utf16(isBigEndian: Bool)
    }

    /// The number of bytes that tell the encoding.
    static let headByteCount = 256

    private let encoding: Encoding

    /// The encoding that the text declares; `nil` if it declares none with a code page.
    private let declared: CodePage?

    /// How many bytes of marks are still to be skipped.
    private var markByteCount: Int

    /// Whether all that follows is in the declared code page.
    private var isInPage = false

    /// The beginning of a character whose end has not come yet.
    private var rest: [UInt8] = []

    /// The first half of a surrogate pair whose second one has not come yet.
    private var highSurrogate: UInt16?

    /// Finds the encoding of a text by its beginning.
    ///
    /// - Parameter head: The first ``headByteCount`` bytes, or all if there are fewer; those behind
    ///   them are not looked at.
    init(_ head: Span<UInt8>) {
        let head = head.bytes(in: 0..<min(head.count, Self.headByteCount))
        declared = Self.declaration(in: head).flatMap { CodePage(named: $0) }
        if head.starts(with: [0xFF, 0xFE]) {
            (encoding, markByteCount) = (.utf16(isBigEndian: false), 2)
        } else if head.starts(with: [0xFE, 0xFF]) {
            (encoding, markByteCount) = (.utf16(isBigEndian: true), 2)
        } else if head.count >= 4, head[0] != 0, head[1] == 0, head[2] != 0, head[3] == 0 {
            (encoding, markByteCount) = (.utf16(isBigEndian: false), 0)
        } else if head.count >= 4, head[0] == 0, head[1] != 0, head[2] == 0, head[3] != 0 {
            (encoding, markByteCount) = (.utf16(isBigEndian: true), 0)
        } else {
            // Some programs write a mark in front of a mark.
            var count = 0
            while head[count...].starts(with: [0xEF, 0xBB, 0xBF]) { count += 3 }
            (encoding, markByteCount) = (.utf8, count)
        }
    }

    /// The bytes that may stand before the first visible character.
    private static let marks: Set<UInt8> = [
        0x00, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFF, 0xFE,
    ]

    /// Whether the bytes that a text begins with tell its encoding: only XML declares one.
    static func isEnough(_ head: [UInt8]) -> Bool {
        guard head.count < headByteCount else { return true }
        guard head.count >= 8, let first = head.first(where: { !marks.contains($0) }) else {
            return false
        }
        return first != UInt8(ascii: "<")
    }

    /// Returns a whole text, or its beginning, in UTF-8 without a mark.
    static func utf8(of text: Span<UInt8>) -> [UInt8] {
        var decoding = TextDecoding(text)
        var bytes: [UInt8] = []
        decoding.read(text) { bytes.append(contentsOf: $0) }
        decoding.finish { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Hands over the next bytes as UTF-8; those of a character that goes on wait for its end.
    mutating func read(_ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> Void) {
        let start = min(markByteCount, bytes.count)
        markByteCount -= start
        let bytes = bytes.extracting(droppingFirst: start)
        var text: [UInt8] = []
        switch encoding {
        case .utf16(let isBigEndian):
            text.reserveCapacity(bytes.count)
            for position in bytes.indices { add(bytes[position], isBigEndian, to: &text) }
        case .utf8:
            // Nearly every text is UTF-8, and needs no copy.
            let isWhole = rest.isEmpty && !isInPage && UTF8Sequence.areWhole(bytes)
            guard !isWhole else { return take(bytes) }
            let all = rest + bytes.bytes(in: bytes.indices)
            rest = []
            decode(all, to: &text)
        }
        take(text.span)
    }

    /// Hands over what the text ends with.
    mutating func finish(_ take: (Span<UInt8>) -> Void) {
        guard case .utf8 = encoding, !rest.isEmpty else { return }
        var text: [UInt8] = []
        for byte in rest { text += (declared ?? .western)[byte] }
        rest = []
        take(text.span)
    }

    // MARK: UTF-8 and pages

    private mutating func decode(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte < 0x80 || isInPage ? .invalid : UTF8Sequence(bytes.span, at: position) {
            case .whole(let count):
                text += bytes[position..<position + count]
                position += count
            case .cut:
                rest = Array(bytes[position...])
                return
            case .invalid:
                position += 1
                guard byte >= 0x80 else {
                    text.append(byte)
                    continue
                }
                text += (declared ?? .western)[byte]
                isInPage = declared != nil
            }
        }
    }

    /// Returns the encoding that a declaration of XML names, if the text begins with one.
    private static func declaration(in head: [UInt8]) -> String? {
        let bytes = head.drop { marks.contains($0) }
        guard bytes.first == UInt8(ascii: "<") else { return nil }
        let text = String(decoding: bytes.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self)
        guard text.hasPrefix("<?xml"), let name = text.firstRange(of: "encoding") else {
            return nil
        }
        let value = text[name.upperBound...].drop { $0 == " " || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    // MARK: UTF-16

    private mutating func add(_ byte: UInt8, _ isBigEndian: Bool, to text: inout [UInt8]) {
        guard let first = rest.popLast() else {
            rest.append(byte)
            return
        }
        let (high, low) = isBigEndian ? (first, byte) : (byte, first)
        append(UInt16(high) << 8 | UInt16(low), to: &text)
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

/// The state of the UTF-8 character that starts at a position.
private enum UTF8Sequence {
    /// A character of so many bytes.
    case whole(Int)

    /// The beginning of one.
    case cut

    /// None.
    case invalid

    /// Looks at the bytes from a position on, of which the first is not ASCII.
    init(_ bytes: Span<UInt8>, at position: Int) {
        let first = bytes[position]
        // The second byte rules out overlong forms, surrogates, and values that are not scalars.
        let (count, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default:
            self = .invalid
            return
        }
        for index in 1..<count {
            guard position + index < bytes.count else {
                self = .cut
                return
            }
            guard (index == 1 ? second : 0x80...0xBF).contains(bytes[position + index]) else {
                self = .invalid
                return
            }
        }
        self = .whole(count)
    }

    /// Whether bytes are characters of UTF-8 to their end.
    static func areWhole(_ bytes: Span<UInt8>) -> Bool {
        var position = 0
        while position < bytes.count {
            if bytes[position] < 0x80 {
                position += 1
            } else if case .whole(let count) = UTF8Sequence(bytes, at: position) {
                position += count
            } else {
                return false
            }
        }
        return true
    }
}

extension Span<UInt8> {
    /// Whether an ASCII text occurs anywhere from a position on.
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
