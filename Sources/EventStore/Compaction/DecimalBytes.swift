/// Writes and reads decimals as payloads have them: u8 decimals, zigzag significand as a varint in
/// its shortest form, in lowest terms (Formats, *Payloads*).
enum DecimalBytes {
    static let maximumDecimals = 18

    /// The greatest significand that is taken into a column: sums of its differences stay exact.
    static let largestSignificand: Int64 = 1 << 62

    /// Reads the decimal at `offset` and steps over it, or returns `nil` if none stands there in
    /// the one form that a writer would have given it.
    static func read(
        _ bytes: Span<UInt8>,
        at offset: inout Int
    ) -> (decimals: Int, significand: Int64)? {
        guard offset < bytes.count else { return nil }
        let decimals = Int(bytes[offset])
        var next = offset + 1
        var zigzag: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard next < bytes.count, shift < 63 else { return nil }
            let byte = bytes[next]
            next += 1
            zigzag |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 != 0 else {
                guard byte != 0 || shift == 7 else { return nil }
                break
            }
        }
        let significand = zigzag.unzigzagged
        guard decimals <= maximumDecimals, significand.magnitude < largestSignificand,
            decimals == 0 || significand % 10 != 0
        else { return nil }
        offset = next
        return (decimals, significand)
    }

    /// Writes `value` ÷ 10^`scale` in lowest terms at `offset`, where there is room for 16 bytes.
    ///
    /// - Returns: Where it ends.
    @inline(__always)
    static func write(
        _ value: Int64,
        scale: UInt8,
        to output: inout MutableRawSpan,
        at offset: Int
    ) -> Int {
        var magnitude = value.magnitude
        var decimals = scale
        if magnitude == 0 {
            decimals = 0
        } else {
            while decimals > 0 {
                let (tenth, rest) = magnitude.quotientAndRemainder(dividingBy: 10)
                guard rest == 0 else { break }
                magnitude = tenth
                decimals -= 1
            }
        }
        output.storeBytes(of: decimals, toByteOffset: offset, as: UInt8.self)
        let zigzag = value < 0 ? magnitude &* 2 &- 1 : magnitude &* 2
        return writeVarint(zigzag, to: &output, at: offset + 1)
    }

    @inline(__always)
    private static func writeVarint(
        _ number: UInt64,
        to output: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        guard number < 1 << 56 else { return writeLongVarint(number, to: &output, at: start) }
        // Seven bits to a byte, by halves: 28, 14, 7.
        var bytes = number & 0x0FFF_FFFF | (number & 0xFF_FFFF_F000_0000) << 4
        bytes = bytes & 0x3FFF_0000_3FFF | (bytes & 0xFFF_C000_0FFF_C000) << 2
        bytes = bytes & 0x7F_007F_007F_007F | (bytes & 0x3F80_3F80_3F80_3F80) << 1
        // A byte goes on if a later one is there.
        let byteCount = bytes == 0 ? 1 : (71 - bytes.leadingZeroBitCount) >> 3
        let later: UInt64 = 0x80_8080_8080_8080 & (1 << UInt64(8 * (byteCount - 1)) - 1)
        let word = bytes | later
        output.storeBytes(of: word.littleEndian, toByteOffset: start, as: UInt64.self)
        return start + byteCount
    }

    private static func writeLongVarint(
        _ number: UInt64,
        to output: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        var rest = number
        var offset = start
        while rest >= 0x80 {
            output.storeBytes(
                of: UInt8(truncatingIfNeeded: rest) | 0x80,
                toByteOffset: offset,
                as: UInt8.self
            )
            rest >>= 7
            offset += 1
        }
        output.storeBytes(
            of: UInt8(truncatingIfNeeded: rest),
            toByteOffset: offset,
            as: UInt8.self
        )
        return offset + 1
    }
}
