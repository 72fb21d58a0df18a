/// Reads what a ``StateWriter`` wrote, and trusts none of it.
///
/// The hot parts can be inlined by the modules that read rows: a listing of many trips is little
/// else.
package struct StateReader {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var offset = 1

    /// Begins after the version byte, which MUST be `version`.
    package init(_ bytes: [UInt8], version: UInt8) throws(StateError) {
        guard let first = bytes.first else { throw .truncated }
        guard first == version else { throw .unknownVersion(first) }
        self.bytes = bytes
    }

    /// Reads a number.
    @inlinable
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
    @inlinable
    package mutating func readInt64() throws(StateError) -> Int64 {
        Int64(bitPattern: try readUInt64())
    }

    /// Reads a number that has eight bytes, whatever it is.
    package mutating func readWord() throws(StateError) -> UInt64 {
        guard bytes.count - offset >= 8 else { throw .truncated }
        var word: UInt64 = 0
        for index in 0..<8 {
            word |= UInt64(bytes[offset + index]) << (8 * UInt64(index))
        }
        offset += 8
        return word
    }

    /// Reads a floating-point number.
    package mutating func readDouble() throws(StateError) -> Double {
        Double(bitPattern: try readWord())
    }

    /// Reads a truth value.
    @inlinable
    package mutating func readBool() throws(StateError) -> Bool {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        guard byte < 2 else { throw .invalidValue }
        offset += 1
        return byte == 1
    }

    /// Reads text.
    package mutating func readText() throws(StateError) -> String {
        let range = try readRange()
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
    @inlinable
    package mutating func readOptional<Value>(
        _ read: (inout StateReader) throws(StateError) -> Value
    ) throws(StateError) -> Value? {
        try readBool() ? try read(&self) : nil
    }

    /// Reads a choice by its name.
    @inlinable
    package mutating func readChoice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) throws(StateError) -> Choice {
        let range = try readRange()
        for choice in Choice.allCases where holds(choice.rawValue, in: range) { return choice }
        throw .invalidValue
    }

    /// Checks that everything has been read.
    package func finish() throws(StateError) {
        guard offset == bytes.count else { throw .trailingBytes }
    }

    /// Reads the count of the bytes that follow, and returns where they stand.
    @usableFromInline
    mutating func readRange() throws(StateError) -> Range<Int> {
        let count = try readUInt64()
        guard count <= UInt64(bytes.count - offset) else { throw .truncated }
        let start = offset
        offset += Int(count)
        return start..<offset
    }

    /// Returns whether a text stands in a range.
    @usableFromInline
    func holds(_ text: String, in range: Range<Int>) -> Bool {
        let characters = text.utf8.span
        guard characters.count == range.count else { return false }
        for index in 0..<range.count where bytes[range.lowerBound + index] != characters[index] {
            return false
        }
        return true
    }

    /// Reads a number of more than one byte, which MUST be in its shortest form.
    @usableFromInline
    mutating func readLongNumber() throws(StateError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < bytes.count else { throw .truncated }
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            guard byte < 0x80 else { continue }
            guard byte > 0, shift < 63 || byte == 1 else { throw .invalidValue }
            return number
        }
        throw .invalidValue
    }
}
