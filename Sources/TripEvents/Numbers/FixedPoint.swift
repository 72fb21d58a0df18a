/// Numbers with a fixed number of decimals, which whole numbers stand for.
package enum FixedPoint {
    /// Appends number ÷ 10^decimals with all its decimals: 1,234 with three is `1.234`.
    package static func append(_ number: Int64, decimals: Int, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = decimals + 1
        while digits < PowersOfTen.integers.count, rest >= PowersOfTen.integers[digits] {
            digits += 1
        }
        let count = decimals > 0 ? digits + 1 : digits
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "."), count: count))
        // From the last digit to the first, for the division by a constant is much faster.
        var position = bytes.count
        for index in 0..<digits {
            position -= index == decimals && index > 0 ? 2 : 1
            bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Returns number ÷ 10^decimals with all its decimals.
    package static func text(_ number: Int64, decimals: Int) -> String {
        var bytes: [UInt8] = []
        append(number, decimals: decimals, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
