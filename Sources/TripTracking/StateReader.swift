/// Reads what a ``StateWriter`` wrote, and trusts none of it.
package struct StateReader {
    private let bytes: [UInt8]
    private var offset = 1

    /// Begins after the version byte, which MUST be `version`.
    package init(_ bytes: [UInt8], version: UInt8) throws(StateError) {
        guard let first = bytes.first else { throw .truncated }
        guard first == version else { throw .unknownVersion(first) }
        self.bytes = bytes
    }

    /// Reads a number.
    package mutating func readUInt64() throws(StateError) -> UInt64 {
        guard bytes.count - offset >= 8 else { throw .truncated }
        var value: UInt64 = 0
        for index in 0..<8 {
            value |= UInt64(bytes[offset + index]) << (8 * UInt64(index))
        }
        offset += 8
        return value
    }

    /// Reads a signed number.
    package mutating func readInt64() throws(StateError) -> Int64 {
        Int64(bitPattern: try readUInt64())
    }

    /// Reads a floating-point number.
    package mutating func readDouble() throws(StateError) -> Double {
        Double(bitPattern: try readUInt64())
    }

    /// Reads a truth value.
    package mutating func readBool() throws(StateError) -> Bool {
        guard offset < bytes.count else { throw .truncated }
        guard bytes[offset] < 2 else { throw .invalidValue }
        defer { offset += 1 }
        return bytes[offset] == 1
    }

    /// Reads text.
    package mutating func readText() throws(StateError) -> String {
        guard let text = String(validating: try readBytes(), as: UTF8.self) else {
            throw .invalidValue
        }
        return text
    }

    /// Reads bytes that were written with their count before them.
    package mutating func readBytes() throws(StateError) -> [UInt8] {
        let count = try readUInt64()
        guard count <= UInt64(bytes.count - offset) else { throw .truncated }
        defer { offset += Int(count) }
        return Array(bytes[offset..<offset + Int(count)])
    }

    /// Reads a value that may be absent.
    package mutating func readOptional<Value>(
        _ read: (inout StateReader) throws(StateError) -> Value
    ) throws(StateError) -> Value? {
        try readBool() ? try read(&self) : nil
    }

    /// Checks that everything has been read.
    package func finish() throws(StateError) {
        guard offset == bytes.count else { throw .trailingBytes }
    }
}
