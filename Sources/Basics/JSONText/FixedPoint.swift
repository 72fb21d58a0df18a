/// Numbers with a fixed number of decimals, which whole numbers stand for.
package enum FixedPoint {
    /// The most bytes that a number takes: its digits, a sign and a point.
    package static let longestText = 22

    /// Appends number ÷ 10^decimals with all its decimals: 1,234 with three is `1.234`.
    package static func append(_ number: Int64, decimals: Int, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: longestText) { append(number, decimals: decimals, to: &$0) }
    }

    /// Appends number ÷ 10^decimals with all its decimals, for which there MUST be room.
    package static func append(
        _ number: Int64,
        decimals: Int,
        to span: inout OutputSpan<UInt8>
    ) {
        // Room for the digits of the largest number. They are found from the last one to the first,
        // because dividing by a constant is much faster.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        precondition(decimals < digits.count, "a digit stands before the point")
        var rest = number.magnitude
        var count = 0
        while rest > 0 {
            digits[count] = UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            count += 1
        }
        count = max(count, decimals + 1)
        if number < 0 { span.append(UInt8(ascii: "-")) }
        while count > 0 {
            if count == decimals { span.append(UInt8(ascii: ".")) }
            count -= 1
            span.append(UInt8(ascii: "0") + digits[count])
        }
    }

    /// Returns number ÷ 10^decimals with all its decimals.
    package static func text(_ number: Int64, decimals: Int) -> String {
        var bytes: [UInt8] = []
        append(number, decimals: decimals, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
