/// Writes the bytes of a derived state: numbers with seven bits a byte, lowest first and the high
/// bit set on all but the last byte, text with its length before it, and one byte before whatever
/// may be absent.
///
/// What is generic can be inlined by the modules that write rows: each trip that starts or ends is
/// written several times.
package struct StateWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8]

    /// Begins with the version of the state's format.
    package init(version: UInt8) {
        bytes = [version]
        // What a trip needs: one allocation instead of one for each doubling.
        bytes.reserveCapacity(256)
    }

    /// Writes a number in as few bytes as it takes.
    package mutating func write(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a signed number in two's complement: negative ones are few and take ten bytes.
    package mutating func write(_ value: Int64) {
        write(UInt64(bitPattern: value))
    }

    /// Writes a number in eight bytes, lowest first: one that may be anything.
    package mutating func write(word: UInt64) {
        bytes.append(bigEndian: word.byteSwapped)
    }

    /// Writes the bits of a floating-point number.
    package mutating func write(_ value: Double) {
        write(word: value.bitPattern)
    }

    /// Writes one byte, 0 or 1.
    package mutating func write(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    /// Writes text in UTF-8.
    package mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes bytes.
    package mutating func write(_ value: [UInt8]) {
        write(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes whether there is a value, and the value.
    @inlinable
    package mutating func write<Value>(
        _ value: Value?,
        with write: (inout StateWriter, Value) -> Void
    ) {
        self.write(value != nil)
        if let value {
            write(&self, value)
        }
    }
}
