/// Base64 as RFC 4648 §4 defines it: padded, without white space, and only in its canonical form,
/// so that there is one text for each sequence of bytes.
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// The value of each byte as a digit, or ``noDigit``.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: noDigit, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// A value with bits that no digit's value has.
    private static let noDigit: UInt8 = 0xC0

    /// Returns the text for `bytes`.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text for `bytes` to `text`.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        text.append(addingCapacity: (bytes.count + 2) / 3 * 4) { span in
            let digits = digits.span
            let rest = bytes.count % 3
            var start = 0
            while start < bytes.count - rest {
                let bits =
                    Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
                span.append(digits[bits >> 18])
                span.append(digits[bits >> 12 & 63])
                span.append(digits[bits >> 6 & 63])
                span.append(digits[bits & 63])
                start += 3
            }
            guard rest > 0 else { return }
            let bits = Int(bytes[start]) << 16 | (rest > 1 ? Int(bytes[start + 1]) << 8 : 0)
            span.append(digits[bits >> 18])
            span.append(digits[bits >> 12 & 63])
            span.append(rest > 1 ? digits[bits >> 6 & 63] : padding)
            span.append(padding)
        }
    }

    /// Returns the bytes that `text` encodes, or `nil` if `text(_:)` would not write it like that.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        bytes(Array(text.utf8).span)
    }

    /// Returns the bytes that ASCII encodes, or `nil` if `text(_:)` would not write it like that.
    package static func bytes(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var given = text.count
        // Nothing but one or two padding characters at the very end may follow.
        while given > 0, text.count - given < 2, text[given - 1] == padding { given -= 1 }
        let rest = given % 4
        var isValid = true
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: given * 3 / 4) { span in
            let values = values.span
            var found: UInt8 = 0
            /// The digits from a position on as a number, 6 bits each.
            func bits(at start: Int, count: Int) -> Int {
                var bits = 0
                for position in start..<start + count {
                    let value = values[Int(text[position])]
                    found |= value
                    bits = bits << 6 | Int(value & 63)
                }
                return bits
            }
            for start in stride(from: 0, to: given - rest, by: 4) {
                let bits = bits(at: start, count: 4)
                span.append(UInt8(truncatingIfNeeded: bits >> 16))
                span.append(UInt8(truncatingIfNeeded: bits >> 8))
                span.append(UInt8(truncatingIfNeeded: bits))
            }
            if rest > 0 {
                let bits = bits(at: given - rest, count: rest) << (6 * (4 - rest))
                span.append(UInt8(truncatingIfNeeded: bits >> 16))
                if rest > 2 { span.append(UInt8(truncatingIfNeeded: bits >> 8)) }
                // The bits of the last digit beyond the last byte must be zero.
                isValid = bits & (rest > 2 ? 0xFF : 0xFFFF) == 0
            }
            isValid = isValid && found < noDigit
        }
        return isValid ? bytes : nil
    }
}

/// Whole numbers as the C2SP formats write them.
package enum DecimalNumber {
    /// Reads digits without sign and without leading zeros, or returns `nil` if `text` is something
    /// else, or 2^63 or more.
    package static func read(_ text: Substring) -> UInt64? {
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
