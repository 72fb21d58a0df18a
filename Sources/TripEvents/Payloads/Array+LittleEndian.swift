extension [UInt8] {
    /// Appends a number, lowest byte first.
    mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// Appends an unsigned LEB128 number in its shortest form.
    mutating func appendVarint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a decimal: decimals, then the zigzag significand.
    mutating func append(_ number: ScaledDecimal) {
        append(number.decimals)
        appendVarint(UInt64(bitPattern: number.significand << 1 ^ number.significand >> 63))
    }
}
