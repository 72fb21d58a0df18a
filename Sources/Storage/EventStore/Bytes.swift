extension [UInt8] {
    /// Creates a copy of a span.
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

extension Span<UInt8> {
    /// The number whose eight bytes are at `offset`, lowest first.
    @inlinable @inline(__always)
    func littleEndian(at offset: Int) -> UInt64 {
        // Checked to lie within the span; every pattern of bits is a number.
        unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    /// The number whose eight bytes are at `offset`, highest first.
    func bigEndian(at offset: Int) -> UInt64 {
        littleEndian(at: offset).byteSwapped
    }

    /// Returns whether two spans hold the same bytes.
    func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] {
            return false
        }
        return true
    }
}

extension OutputSpan<UInt8> {
    /// Appends the lowest bytes of a number, at most eight, lowest first.
    @inline(__always)
    mutating func append(littleEndian number: UInt64, byteCount: Int) {
        // The pointers live as long as the calls.
        unsafe withUnsafeBytes(of: number.littleEndian) { bytes in
            unsafe append(copying: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }

    // Public, because only public declarations can be inlined into other modules.
    /// Appends the lowest bytes of a word, lowest first, in one go.
    ///
    /// There MUST be room for all eight: those beyond the count are written too, and then others
    /// over them.
    @inlinable @inline(__always)
    public mutating func append(word: UInt64, byteCount: Int) {
        // The pointer lives as long as the call.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(
                0...8 ~= byteCount && buffer.count - count >= 8,
                "there is no room for a word"
            )
            // Into the room that is left, as was checked; every byte is a number.
            guard let start = buffer.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(start + count)
                .storeBytes(of: word.littleEndian, as: UInt64.self)
            count += byteCount
        }
    }

    // Public, because only public declarations can be inlined into other modules.
    /// Appends the first bytes of two words, lowest first, in one go.
    ///
    /// There MUST be room for all sixteen, as above.
    @inlinable @inline(__always)
    public mutating func append(words first: UInt64, _ second: UInt64, byteCount: Int) {
        // The pointer lives as long as the call.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(
                0...16 ~= byteCount && buffer.count - count >= 16,
                "there is no room for two words"
            )
            // Into the room that is left, as was checked; every byte is a number.
            guard let start = buffer.baseAddress else { return }
            let target = unsafe UnsafeMutableRawPointer(start + count)
            unsafe target.storeBytes(of: first.littleEndian, as: UInt64.self)
            unsafe target.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
            count += byteCount
        }
    }

    /// Appends bytes in one go.
    @inline(__always)
    package mutating func append(contentsOf source: Span<UInt8>) {
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

extension String {
    /// Creates a text from UTF-8 bytes, or returns `nil` if they are not valid UTF-8.
    package init?(validating bytes: Span<UInt8>) {
        var copy: [UInt8] = []
        copy.append(contentsOf: bytes)
        self.init(validating: copy, as: UTF8.self)
    }
}
