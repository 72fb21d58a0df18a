extension OutputSpan<UInt8> {
    /// Appends the lowest bytes of a number, at most eight, lowest first.
    @inline(__always)
    mutating func append(littleEndian number: UInt64, byteCount: Int) {
        // The pointers live as long as the calls.
        unsafe withUnsafeBytes(of: number.littleEndian) { bytes in
            unsafe append(copying: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }

    /// Appends bytes in one go.
    @inline(__always)
    mutating func append(contentsOf source: Span<UInt8>) {
        // The pointer lives as long as the call.
        unsafe source.withUnsafeBytes { unsafe append(copying: $0) }
    }

    @inline(__always)
    private mutating func append(copying source: UnsafeRawBufferPointer) {
        // Into the room that is left, as is checked; every byte is a number.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(source.count <= buffer.count - count, "there is no room for the bytes")
            let room = UnsafeMutableRawBufferPointer(buffer)
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: source)
            count += source.count
        }
    }
}
