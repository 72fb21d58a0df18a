/// Base64 as RFC 4648 §4 defines it: padded, without white space, and only in its canonical form,
/// so that there is one text for each sequence of bytes.
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// Returns the text for `bytes`.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for index in 0..<3 {
                bits = bits << 8 | (index < group.count ? UInt32(group[start + index]) : 0)
            }
            for index in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * index) & 63)
                text.append(index <= group.count ? digits[digit] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that `text` encodes, or `nil` if `text(_:)` would not write it like that.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters[start..<start + 4]
            let given = group.prefix { $0 != padding }
            // Nothing but one or two padding characters at the very end may follow.
            let isLast = start + 4 == characters.count
            guard given.count == 4 || isLast && given.count >= 2,
                group.dropFirst(given.count).allSatisfy({ $0 == padding })
            else { return nil }
            var bits: UInt32 = 0
            for character in given {
                guard let value = value(of: character) else { return nil }
                bits = bits << 6 | value
            }
            let spare = UInt32(given.count * 6 % 8)
            guard bits & (1 << spare - 1) == 0 else { return nil }
            bits >>= spare
            for index in (0..<given.count - 1).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(8 * index)))
            }
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Whole numbers as the C2SP formats write them.
enum DecimalNumber {
    /// Reads digits without sign and without leading zeros, or returns `nil` if `text` is something
    /// else, or 2^63 or more.
    static func read(_ text: Substring) -> UInt64? {
        guard let number = UInt64(text), number <= UInt64(Int64.max), String(number) == text else {
            return nil
        }
        return number
    }
}

extension StringProtocol {
    /// Splits a text at an ASCII character, whatever follows that: a combining mark would make
    /// another `Character` of it.
    func parts(separatedBy separator: Unicode.Scalar, atMost count: Int) -> [Substring] {
        Substring(self).unicodeScalars
            .split(separator: separator, maxSplits: count - 1, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
