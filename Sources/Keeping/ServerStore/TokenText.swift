package import Proofs
import RowCoding

/// The text of a token: `tl1_ingest_` and 43 characters and `_` and a checksum.
///
/// The beginning lets scanners for leaked secrets find it, the 43 characters are 32 random bytes in
/// base 62, and the checksum tells a typing error from a guess, so that nothing need be looked up
/// for it (Formats, *Tokens*). Only its ``digest`` is stored.
package struct TokenText: Hashable, Sendable {
    /// How many random bytes a token has.
    package static let secretByteCount = 32

    private static let beginning = "tl1_"
    private static let digitCount = 43
    private static let checksumDigitCount = 8
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    /// The text itself, which is the secret.
    package let text: String

    /// The scope that it names: of several, the one that permits the most.
    package let scope: TokenScope

    /// Makes the text of a token.
    ///
    /// - Parameters:
    ///   - scope: The scope that it names.
    ///   - secret: ``secretByteCount`` random bytes.
    package init(scope: TokenScope, secret: [UInt8]) {
        precondition(secret.count == Self.secretByteCount, "A token has 32 random bytes.")
        self.scope = scope
        let body = Self.beginning + scope.rawValue + "_" + Self.baseSixtyTwo(secret)
        text = body + "_" + Self.checksum(of: body.utf8)
    }

    /// Makes the text of a new token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - random: The source of the secret, which MUST be good enough for keys.
    package init(of token: Token, using random: inout some RandomNumberGenerator) {
        var secret: [UInt8] = []
        while secret.count < Self.secretByteCount { secret.append(bigEndian: random.next()) }
        // Scopes are in order: the first one permits the most, and naming it shows how grave a leak
        // is.
        self.init(scope: token.scopes[0], secret: secret)
    }

    /// Reads the text of a token, or returns `nil` if it is not one, or not as it was given out.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard parts.count == 4, Self.beginning.utf8.dropLast().elementsEqual(parts[0]),
            let scope = TokenScope(rawValue: String(decoding: parts[1], as: UTF8.self)),
            Self.bytes(baseSixtyTwo: parts[2]) != nil
        else { return nil }
        let body = text.utf8.dropLast(Self.checksumDigitCount + 1)
        guard Self.checksum(of: body).utf8.elementsEqual(parts[3]) else { return nil }
        self.text = text
        self.scope = scope
    }

    /// The SHA-256 of the text, which finds the token: enough for a secret of 256 bits.
    package var digest: Digest { SHA256.digest(text.utf8.span) }

    /// Returns the checksum as eight hexadecimal digits.
    private static func checksum(of body: some Sequence<UInt8>) -> String {
        let hexadecimal = String(CRC32.checksum(body), radix: 16)
        return String(repeating: "0", count: checksumDigitCount - hexadecimal.count) + hexadecimal
    }

    /// Returns a number, highest byte first, with the number of digits that the largest number of
    /// its length needs.
    private static func baseSixtyTwo(_ number: [UInt8]) -> String {
        var number = number
        var text: [UInt8] = []
        for _ in 0..<digitCount {
            var remainder = 0
            for index in number.indices {
                let dividend = remainder << 8 | Int(number[index])
                number[index] = UInt8(dividend / digits.count)
                remainder = dividend % digits.count
            }
            text.append(digits[remainder])
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// Returns the 32 bytes of a number, or `nil` if it has other digits, or is too large for them.
    private static func bytes(baseSixtyTwo text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count == digitCount else { return nil }
        var number = [UInt8](repeating: 0, count: secretByteCount)
        for character in text {
            guard var carry = digits.firstIndex(of: character) else { return nil }
            for index in number.indices.reversed() {
                carry += Int(number[index]) * digits.count
                number[index] = UInt8(carry & 0xFF)
                carry >>= 8
            }
            guard carry == 0 else { return nil }
        }
        return number
    }
}
