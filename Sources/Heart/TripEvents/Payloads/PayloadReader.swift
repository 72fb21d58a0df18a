/// Reads the parts of a payload one after the other.
struct PayloadReader {
    /// The position of the next byte to read.
    private(set) var position: Int

    /// Reads a byte.
    mutating func byte(_ payload: Span<UInt8>) throws(PayloadDamage) -> UInt8 {
        guard position < payload.count else { throw Self.tooShort }
        position += 1
        return payload[position - 1]
    }

    /// Reads that many bytes.
    mutating func bytes(
        _ payload: Span<UInt8>,
        count: UInt64
    ) throws(PayloadDamage) -> Range<Int> {
        guard count <= UInt64(payload.count - position) else { throw Self.tooShort }
        let start = position
        position += Int(count)
        return start..<position
    }

    /// Reads an unsigned LEB128 number in its shortest form.
    mutating func varint(_ payload: Span<UInt8>) throws(PayloadDamage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte(payload)
            let bits = UInt64(byte & 0x7F)
            guard (bits << shift) >> shift == bits, byte != 0 || shift == 0 else { break }
            number |= bits << shift
            if byte < 0x80 { return number }
        }
        throw PayloadDamage("A varint is too long.")
    }

    /// Reads a decimal.
    mutating func decimal(_ payload: Span<UInt8>) throws(PayloadDamage) -> ScaledDecimal {
        let decimals = try byte(payload)
        let zigzag = try varint(payload)
        let significand = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
        guard
            let number = ScaledDecimal(
                magnitude: significand.magnitude,
                decimals: Int(decimals),
                isNegative: significand < 0
            ),
            number.decimals == decimals
        else { throw PayloadDamage("A decimal is not in lowest terms.") }
        return number
    }

    private static let tooShort = PayloadDamage("The payload ends too early.")
}

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

extension Span<UInt8> {
    /// Returns the unsigned little-endian number of up to eight bytes at an offset.
    @inlinable @inline(__always)
    func littleEndian(at offset: Int, bytes: Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for position in offset..<offset + bytes {
            number |= UInt64(self[position]) << shift
            shift += 8
        }
        return number
    }

    /// Returns whether the bytes from an offset on are those of a range of other bytes.
    @inline(__always)
    func hasSameBytes(at offset: Int, as other: Span<UInt8>, in range: Range<Int>) -> Bool {
        var position = 0
        while position + 8 <= range.count {
            guard word(at: offset + position) == other.word(at: range.lowerBound + position)
            else { return false }
            position += 8
        }
        while position < range.count {
            guard self[offset + position] == other[range.lowerBound + position] else {
                return false
            }
            position += 1
        }
        return true
    }
}
