/// Reads what a ``StateWriter`` wrote, and trusts none of it.
///
/// The hot parts are inlined where a trip is read: a listing of many trips is little else.
package struct StateReader {
    /// The bytes of the largest number.
    private static let longestNumber = 10

    private let bytes: [UInt8]
    private var offset = 1

    /// Begins after the version byte, which MUST be `version`.
    package init(_ bytes: [UInt8], version: UInt8) throws(StateError) {
        guard let first = bytes.first else { throw .truncated }
        guard first == version else { throw .unknownVersion(first) }
        self.bytes = bytes
    }

    /// Reads a number.
    @inline(__always)
    package mutating func readUInt64() throws(StateError) -> UInt64 {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        guard byte >= 0x80 else {
            offset += 1
            return UInt64(byte)
        }
        return try readLongNumber()
    }

    /// Reads a signed number.
    @inline(__always)
    package mutating func readInt64() throws(StateError) -> Int64 {
        Int64(bitPattern: try readUInt64())
    }

    /// Reads a number that has eight bytes, whatever it is.
    package mutating func readWord() throws(StateError) -> UInt64 {
        // The bounds are checked once, so that the eight reads become one.
        let (bytes, offset) = (bytes, offset)
        let eight = bytes.span.extracting(droppingFirst: offset).extracting(first: 8)
        guard eight.count == 8 else { throw .truncated }
        var word: UInt64 = 0
        for index in 0..<8 {
            word |= UInt64(eight[index]) << (8 * UInt64(index))
        }
        self.offset = offset + 8
        return word
    }

    /// Reads a floating-point number.
    package mutating func readDouble() throws(StateError) -> Double {
        Double(bitPattern: try readWord())
    }

    /// Reads a truth value.
    @inline(__always)
    package mutating func readBool() throws(StateError) -> Bool {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        guard byte < 2 else { throw .invalidValue }
        offset += 1
        return byte == 1
    }

    /// Reads text.
    package mutating func readText() throws(StateError) -> String {
        try text(in: try readRange())
    }

    /// Reads text that may be absent.
    package mutating func readOptionalText() throws(StateError) -> String? {
        // Trips have many of these: a generic function of another module would cost more than all
        // the rest of a trip.
        try readBool() ? try readText() : nil
    }

    /// Returns the text in a range.
    func text(in range: Range<Int>) throws(StateError) -> String {
        do {
            return String(
                copying: try UTF8Span(validating: bytes.span.extracting(range))
            )
        } catch {
            throw .invalidValue
        }
    }

    /// Reads bytes that were written with their count before them.
    package mutating func readBytes() throws(StateError) -> [UInt8] {
        Array(bytes[try readRange()])
    }

    /// Reads a value that may be absent.
    @inline(__always)
    package mutating func readOptional<Value>(
        _ read: (inout StateReader) throws(StateError) -> Value
    ) throws(StateError) -> Value? {
        try readBool() ? try read(&self) : nil
    }

    /// Reads the name of a choice, and returns which one it is.
    package mutating func readIndex(in names: ChoiceNames) throws(StateError) -> Int {
        guard let index = index(of: try readRange(), in: names) else { throw .invalidValue }
        return index
    }

    /// Returns which choice is named in a range, or `nil` if none is.
    func index(of range: Range<Int>, in names: ChoiceNames) -> Int? {
        names.index(of: bytes.span.extracting(range))
    }

    /// Checks that everything has been read.
    package func finish() throws(StateError) {
        guard offset == bytes.count else { throw .trailingBytes }
    }

    /// Reads the count of the bytes that follow, and returns where they stand.
    mutating func readRange() throws(StateError) -> Range<Int> {
        let count = try readUInt64()
        guard count <= UInt64(bytes.count - offset) else { throw .truncated }
        let start = offset
        offset += Int(count)
        return start..<offset
    }

    /// Reads a number of more than one byte, which MUST be in its shortest form.
    private mutating func readLongNumber() throws(StateError) -> UInt64 {
        let end = min(bytes.count, offset + Self.longestNumber)
        var position = offset
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 {
                guard byte > 0, shift < 63 || byte == 1 else { throw .invalidValue }
                offset = position
                return number
            }
            shift += 7
        }
        throw end - offset < Self.longestNumber ? .truncated : .invalidValue
    }
}
