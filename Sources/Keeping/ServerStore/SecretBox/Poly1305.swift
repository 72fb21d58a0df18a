/// The one-time authenticator Poly1305: a polynomial of the message modulo 2^130 − 5.
///
/// OpenSSL 3 has it only behind an interface of names and parameters, which is longer than this.
/// Source: RFC 8439, section 2.5.
enum Poly1305 {
    /// How many bytes a key has; it MUST NOT be used twice.
    static let keyByteCount = 32

    /// How many bytes a tag has.
    static let tagByteCount = 16

    /// Numbers are in five limbs of 26 bits, lowest first.
    private static let limbBits: UInt64 = 26
    private static let mask: UInt64 = 1 << 26 - 1

    /// Returns the tag of a message.
    static func tag(of message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
        precondition(key.count == keyByteCount)
        var clamped = Array(key[..<16])
        for index in [3, 7, 11, 15] { clamped[index] &= 15 }
        for index in [4, 8, 12] { clamped[index] &= 252 }
        let factor = limbs(clamped + [0])
        var sum: [UInt64] = [0, 0, 0, 0, 0]
        var rest = message[...]
        while !rest.isEmpty {
            let block = Array(rest.prefix(16))
            rest = rest.dropFirst(16)
            let padded = block + [1] + Array(repeating: 0, count: 16 - block.count)
            for (index, limb) in limbs(padded).enumerated() { sum[index] += limb }
            sum = product(sum, factor)
        }
        return tag(reduced(sum), plus: key[16...])
    }

    /// Returns 17 bytes, lowest first, as limbs.
    private static func limbs(_ bytes: [UInt8]) -> [UInt64] {
        (0..<5)
            .map { index in
                let bit = index * Int(limbBits)
                var limb: UInt64 = 0
                for offset in 0..<5 where bit / 8 + offset < bytes.count {
                    limb |= UInt64(bytes[bit / 8 + offset]) << UInt64(8 * offset)
                }
                return limb >> UInt64(bit % 8) & mask
            }
    }

    /// Returns a product; its limbs are again small enough for the next one.
    private static func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var limbs: [UInt64] = [0, 0, 0, 0, 0]
        for (i, a) in left.enumerated() {
            for (j, b) in right.enumerated() {
                // Modulo 2^130 − 5, 2^130 equals 5.
                limbs[(i + j) % 5] += a * (i + j < 5 ? b : 5 * b)
            }
        }
        return carried(limbs)
    }

    private static func carried(_ limbs: [UInt64]) -> [UInt64] {
        var limbs = limbs
        var carry: UInt64 = 0
        for index in 0..<5 {
            limbs[index] += carry
            carry = limbs[index] >> limbBits
            limbs[index] &= mask
        }
        limbs[0] += 5 * carry
        limbs[1] += limbs[0] >> limbBits
        limbs[0] &= mask
        return limbs
    }

    /// Returns a number modulo 2^130 − 5.
    private static func reduced(_ number: [UInt64]) -> [UInt64] {
        let number = carried(carried(number))
        // Adding 5 carries out of 130 bits exactly if it is not below 2^130 − 5.
        var less = number
        less[0] += 5
        var carry: UInt64 = 0
        for index in 0..<5 {
            less[index] += carry
            carry = less[index] >> limbBits
            less[index] &= mask
        }
        // The choice must not show in the running time.
        let chooses = 0 &- carry
        return zip(number, less).map { $0 & ~chooses | $1 & chooses }
    }

    /// Returns the lowest 16 bytes of a number and the second half of the key.
    private static func tag(_ number: [UInt64], plus pad: ArraySlice<UInt8>) -> [UInt8] {
        let low = number[0] | number[1] << 26 | number[2] << 52
        let high = number[2] >> 12 | number[3] << 14 | number[4] << 40
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let (sum, overflow) = low.addingReportingOverflow(word(pad.prefix(8)))
        let top = high &+ word(pad.dropFirst(8)) &+ (overflow ? 1 : 0)
        return [sum, top]
            .flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }
}
