/// A name of at most 16 bytes in two words: names are compared as two numbers.
struct PackedName: Hashable, BitwiseCopyable {
    static let maximumBytes = 16

    private(set) var high: UInt64 = 0
    private(set) var low: UInt64 = 0

    /// Creates the empty name.
    @inline(__always)
    init() {}

    /// Creates a name from at most 16 bytes of UTF-8.
    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            append(byte)
        }
    }

    /// Appends a byte; after the sixteenth the first ones are lost.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(byte)
    }

    /// A number in 0 … 255 that tells most names apart.
    @inline(__always)
    var bucket: Int {
        // The multiplier is 2⁶⁴ ÷ the golden ratio (Knuth, TAOCP 3, §6.4).
        Int(truncatingIfNeeded: ((low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
