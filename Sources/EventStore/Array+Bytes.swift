extension [UInt8] {
    /// Creates a copy of bytes that were lent.
    package init(copying bytes: Span<UInt8>) {
        self = []
        append(contentsOf: bytes)
    }

    /// Appends the bytes of a span in one go.
    package mutating func append(contentsOf source: Span<UInt8>) {
        // The pointer lives as long as the call, and the elements are copied.
        unsafe source.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends the lowest bytes of a number, lowest first.
    mutating func append(littleEndian number: UInt64, byteCount: Int = 8) {
        // The pointer lives as long as the call, and the bytes are copied.
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { bytes in
            unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }

    /// Appends the eight bytes of a number, highest first.
    mutating func append(bigEndian number: UInt64) {
        append(littleEndian: number.byteSwapped)
    }
}
