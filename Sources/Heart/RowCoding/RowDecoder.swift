public import CivilTime
public import Geodesy

// Public, because only public declarations can be inlined into other modules. The short ones are
// inlined where a trip is read, which is nearly all the cost of listing many trips.
/// Reads what a ``RowEncoder`` wrote, and trusts none of it.
public struct RowDecoder {
    /// The bytes of the largest number.
    private static let longestNumber = 10

    @usableFromInline let bytes: [UInt8]
    @usableFromInline var offset = 1

    /// Begins after the version byte, which MUST be `version`.
    package init(_ bytes: [UInt8], version: UInt8) throws(RowCodingError) {
        guard let first = bytes.first else { throw .truncated }
        guard first == version else { throw .unknownVersion(first) }
        self.bytes = bytes
    }

    /// Reads a number.
    @inlinable @inline(__always)
    public mutating func readUInt64() throws(RowCodingError) -> UInt64 {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        guard byte >= 0x80 else {
            offset += 1
            return UInt64(byte)
        }
        return try readLongNumber()
    }

    /// Reads a signed number.
    @inlinable @inline(__always)
    public mutating func readInt64() throws(RowCodingError) -> Int64 {
        Int64(bitPattern: try readUInt64())
    }

    /// Reads a number that has eight bytes, whatever it is.
    @inlinable
    public mutating func readWord() throws(RowCodingError) -> UInt64 {
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
    @inlinable
    public mutating func readDouble() throws(RowCodingError) -> Double {
        Double(bitPattern: try readWord())
    }

    /// Reads a truth value.
    @inlinable @inline(__always)
    public mutating func readBool() throws(RowCodingError) -> Bool {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        guard byte < 2 else { throw .invalidValue }
        offset += 1
        return byte == 1
    }

    /// Reads text.
    package mutating func readText() throws(RowCodingError) -> String {
        try text(in: try readRange())
    }

    /// Reads text that may be absent.
    package mutating func readOptionalText() throws(RowCodingError) -> String? {
        // Trips have many of these: a generic function of another module would cost more than all
        // the rest of a trip.
        try readBool() ? try readText() : nil
    }

    /// Returns the text in a range.
    package func text(in range: Range<Int>) throws(RowCodingError) -> String {
        do {
            return String(
                copying: try UTF8Span(validating: bytes.span.extracting(range))
            )
        } catch {
            throw .invalidValue
        }
    }

    /// Reads bytes that were written with their count before them.
    package mutating func readBytes() throws(RowCodingError) -> [UInt8] {
        Array(bytes[try readRange()])
    }

    /// Reads a value that may be absent.
    @inlinable @inline(__always)
    public mutating func readOptional<Value>(
        _ read: (inout RowDecoder) throws(RowCodingError) -> Value
    ) throws(RowCodingError) -> Value? {
        try readBool() ? try read(&self) : nil
    }

    /// Reads the name of a choice, and returns which one it is.
    package mutating func readIndex(in names: ChoiceNames) throws(RowCodingError) -> Int {
        guard let index = index(of: try readRange(), in: names) else { throw .invalidValue }
        return index
    }

    /// Returns which choice is named in a range, or `nil` if none is.
    package func index(of range: Range<Int>, in names: ChoiceNames) -> Int? {
        names.index(of: bytes.span.extracting(range))
    }

    /// Checks that everything has been read.
    package func finish() throws(RowCodingError) {
        guard offset == bytes.count else { throw .trailingBytes }
    }

    /// Reads the count of the bytes that follow, and returns where they stand.
    package mutating func readRange() throws(RowCodingError) -> Range<Int> {
        let count = try readUInt64()
        guard count <= UInt64(bytes.count - offset) else { throw .truncated }
        let start = offset
        offset += Int(count)
        return start..<offset
    }

    /// Reads a number of more than one byte, which MUST be in its shortest form.
    @usableFromInline
    mutating func readLongNumber() throws(RowCodingError) -> UInt64 {
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

extension RowDecoder {
    /// Reads a count or an amount, which is never negative; damage MUST NOT make a later sum
    /// overflow.
    @inlinable @inline(__always)
    public mutating func readAmount() throws(RowCodingError) -> Int64 {
        let amount = try readInt64()
        guard (0...1 << 53).contains(amount) else { throw .invalidValue }
        return amount
    }

    /// Reads an instant, which has 48 bits as in an entry.
    @inlinable @inline(__always)
    public mutating func readTimestamp() throws(RowCodingError) -> Timestamp {
        let milliseconds = try readInt64()
        guard (-1 << 47..<1 << 47).contains(milliseconds) else { throw .invalidValue }
        return Timestamp(milliseconds: milliseconds)
    }

    /// Reads an instant that may be absent.
    @inlinable
    public mutating func readOptionalTimestamp() throws(RowCodingError) -> Timestamp? {
        try readOptional { reader throws(RowCodingError) in try reader.readTimestamp() }
    }

    /// Reads an instant with its offset from UTC.
    package mutating func readEventTime() throws(RowCodingError) -> EventTime {
        let timestamp = try readTimestamp()
        return EventTime(timestamp, utcOffset: try readOptionalUTCOffset())
    }

    /// Reads an offset from UTC that may be absent.
    package mutating func readOptionalUTCOffset() throws(RowCodingError) -> UTCOffset? {
        try readOptional { reader throws(RowCodingError) in
            guard let minutes = Int(exactly: try reader.readInt64()),
                let offset = UTCOffset(minutes: minutes)
            else { throw .invalidValue }
            return offset
        }
    }

    /// Reads a distance.
    @inlinable
    public mutating func readDistance() throws(RowCodingError) -> Distance {
        Distance(millimeters: try readAmount())
    }

    /// Reads a position.
    package mutating func readCoordinate() throws(RowCodingError) -> Coordinate {
        let latitude = try readDouble()
        let longitude = try readDouble()
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw .invalidValue
        }
        return coordinate
    }
}

/// The names of a type's choices as they are stored: finds the one that stands in a row without
/// making a text of it.
package struct ChoiceNames: Sendable {
    private let names: [[UInt8]]

    /// Creates the names of a type's choices, in the order of its cases.
    package init<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) {
        names = Choice.allCases.map { Array($0.rawValue.utf8) }
    }

    /// Returns which choice has a name, or `nil` if none has.
    func index(of name: Span<UInt8>) -> Int? {
        for index in names.indices where Self.isSame(names[index], name) { return index }
        return nil
    }

    @inline(__always)
    private static func isSame(_ name: [UInt8], _ other: Span<UInt8>) -> Bool {
        guard name.count == other.count else { return false }
        for index in name.indices where name[index] != other[index] { return false }
        return true
    }
}

/// Why stored bytes of a row or of another derived state cannot be read; they are then derived
/// again.
public enum RowCodingError: Error, Hashable, Sendable {
    /// The bytes end too early.
    case truncated

    /// There are bytes after the end.
    case trailingBytes

    /// Another version of the program wrote them; the value is the version byte.
    case unknownVersion(UInt8)

    /// A value is not one that the program can have written.
    case invalidValue

    /// There is no row where another row says that there is one.
    case missing
}
