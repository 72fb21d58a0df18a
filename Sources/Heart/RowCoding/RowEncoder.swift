public import CivilTime
public import Geodesy

// Public, because only public declarations can be inlined into other modules: each trip that starts
// or ends is written several times.
/// Writes the bytes of a row or of another derived state: numbers with seven bits a byte, lowest
/// first and the high bit set on all but the last byte, text with its length before it, and one
/// byte before each value that may be absent.
public struct RowEncoder {
    @usableFromInline var buffer: [UInt8]

    /// Begins with the version of the row's format.
    package init(version: UInt8) {
        buffer = [version]
        // Room for a trip: one allocation instead of one for each doubling.
        buffer.reserveCapacity(256)
    }

    /// The bytes so far.
    @inlinable
    public var bytes: [UInt8] { buffer }

    /// Writes a number in as few bytes as it takes.
    @inlinable
    public mutating func write(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a signed number in two's complement: negative ones are few and take ten bytes.
    @inlinable
    public mutating func write(_ value: Int64) {
        write(UInt64(bitPattern: value))
    }

    /// Writes a number in eight bytes, lowest first: one that may be anything.
    @inlinable
    public mutating func write(word: UInt64) {
        buffer.append(bigEndian: word.byteSwapped)
    }

    /// Writes the bits of a floating-point number.
    @inlinable
    public mutating func write(_ value: Double) {
        write(word: value.bitPattern)
    }

    /// Writes one byte, 0 or 1.
    @inlinable
    public mutating func write(_ value: Bool) {
        buffer.append(value ? 1 : 0)
    }

    /// Writes text in UTF-8.
    public mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        buffer.append(contentsOf: text.utf8)
    }

    /// Writes bytes.
    package mutating func write(_ value: [UInt8]) {
        write(UInt64(value.count))
        buffer.append(contentsOf: value)
    }

    /// Writes a choice by its name.
    @inlinable
    public mutating func write(_ choice: some RawRepresentable<String>) {
        write(choice.rawValue)
    }

    /// Writes whether there is a value, and the value.
    @inlinable
    public mutating func write<Value>(
        _ value: Value?,
        with write: (inout RowEncoder, Value) -> Void
    ) {
        self.write(value != nil)
        if let value {
            write(&self, value)
        }
    }

    /// Writes an instant.
    @inlinable
    public mutating func write(_ instant: Timestamp) {
        write(instant.milliseconds)
    }

    /// Writes an instant with its offset from UTC.
    package mutating func write(_ time: EventTime) {
        write(time.timestamp)
        write(time.utcOffset)
    }

    /// Writes whether an offset from UTC is known, and the offset.
    package mutating func write(_ offset: UTCOffset?) {
        write(offset) { $0.write(Int64($1.minutes)) }
    }

    /// Writes a distance.
    @inlinable
    public mutating func write(_ distance: Distance) {
        write(distance.millimeters)
    }

    /// Writes a position.
    @inlinable
    public mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }
}

extension [UInt8] {
    /// Appends the eight bytes of a number, highest first: in keys, the order of such numbers is
    /// that of their bytes.
    @inlinable
    public mutating func append(bigEndian number: UInt64) {
        append(addingCapacity: 8) { span in
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                span.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
    }
}
