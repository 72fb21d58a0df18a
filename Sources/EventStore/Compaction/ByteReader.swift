/// Reads numbers one after the other, and never beyond the end.
struct ByteReader: ~Escapable {
    /// All the bytes.
    let bytes: Span<UInt8>

    /// Where the next number starts.
    var offset = 0

    // The bytes lie wherever they were lent from.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    /// Reads a little-endian number of up to eight bytes, or returns `nil` at the end.
    mutating func number(byteCount: Int) -> UInt64? {
        guard byteCount <= bytes.count - offset else { return nil }
        var number: UInt64 = 0
        for index in 0..<byteCount {
            number |= UInt64(bytes[offset + index]) << UInt64(8 * index)
        }
        offset += byteCount
        return number
    }

    /// Reads a byte as a small number, or returns `nil` at the end.
    mutating func byte() -> Int? {
        number(byteCount: 1).map { Int($0) }
    }
}
