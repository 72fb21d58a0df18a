/// A field of a FIT message.
struct FITField {
    /// Its number, whose meaning depends on the type of the message.
    let number: UInt8

    /// How many bytes it has.
    let byteCount: Int

    /// Returns its value without a sign, if it has at most eight bytes.
    func value(_ bytes: [UInt8], at start: Int, isBigEndian: Bool) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<min(8, byteCount) {
            let place = isBigEndian ? byteCount - 1 - index : index
            value |= UInt64(bytes[start + index]) << UInt64(8 * place)
        }
        return value
    }
}

/// The layout of the messages with a number, until another definition takes the number over.
struct FITDefinition {
    /// The types of the messages that are read.
    static let fileID: UInt16 = 0
    static let record: UInt16 = 20

    /// The bytes before the fields: the head, a reserved one, the order of bytes, the type of the
    /// message and the number of fields.
    private static let byteCountBeforeFields = 6
    private static let byteCountOfField = 3

    /// The type of the messages.
    let global: UInt16

    /// Whether the highest byte of a number comes first.
    let isBigEndian: Bool

    /// Where each field stands in a message, behind its head.
    let fields: [(field: FITField, offset: Int)]

    /// How many bytes a message has, without its head.
    let byteCount: Int

    /// Reads a definition; all its bytes MUST be there.
    init(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        isBigEndian = bytes[start + 2] != 0
        let type = (UInt16(bytes[start + 3]), UInt16(bytes[start + 4]))
        global = isBigEndian ? type.0 << 8 | type.1 : type.1 << 8 | type.0
        var fields: [(FITField, Int)] = []
        var offset = 0
        var position = start + Self.byteCountBeforeFields
        for _ in 0..<bytes[start + 5] {
            let field = FITField(number: bytes[position], byteCount: Int(bytes[position + 1]))
            fields.append((field, offset))
            offset += field.byteCount
            position += Self.byteCountOfField
        }
        // Fields of the app's own stand behind, and say nothing that is known.
        if position < bytes.endIndex {
            for _ in 0..<bytes[position] {
                offset += Int(bytes[position + 2])
                position += Self.byteCountOfField
            }
        }
        self.fields = fields
        byteCount = offset
    }

    /// Returns how many bytes the definition that begins at a position has; `nil` if too few are
    /// there to tell.
    static func byteCount(
        _ bytes: [UInt8],
        at start: Int,
        hasDeveloperFields: Bool
    ) -> Int? {
        guard start + byteCountBeforeFields <= bytes.count else { return nil }
        let count = byteCountBeforeFields + byteCountOfField * Int(bytes[start + 5])
        guard hasDeveloperFields else { return count }
        guard start + count < bytes.count else { return nil }
        return count + 1 + byteCountOfField * Int(bytes[start + count])
    }
}

/// A message of a FIT file.
struct FITMessage {
    /// A field that is read: its number in its type of message, and its size.
    enum Name {
        case timestamp
        case serialNumber
        case latitude
        case longitude
        case altitude
        case enhancedAltitude
        case speed
        case enhancedSpeed
        case accuracy

        fileprivate var field: FITField {
            switch self {
            case .timestamp: FITField(number: 253, byteCount: 4)
            case .serialNumber: FITField(number: 3, byteCount: 4)
            case .latitude: FITField(number: 0, byteCount: 4)
            case .longitude: FITField(number: 1, byteCount: 4)
            case .altitude: FITField(number: 2, byteCount: 2)
            case .enhancedAltitude: FITField(number: 78, byteCount: 4)
            case .speed: FITField(number: 6, byteCount: 2)
            case .enhancedSpeed: FITField(number: 73, byteCount: 4)
            case .accuracy: FITField(number: 31, byteCount: 1)
            }
        }

        /// The value of an unknown field.
        fileprivate var unknown: UInt64 {
            switch self {
            case .latitude, .longitude: 0x7FFF_FFFF
            default: (1 << (8 * UInt64(field.byteCount))) - 1
            }
        }
    }

    private let definition: FITDefinition
    private let bytes: [UInt8]
    private let start: Int

    /// Refers to a message whose fields begin at a position.
    init(_ definition: FITDefinition, _ bytes: [UInt8], at start: Int) {
        (self.definition, self.bytes, self.start) = (definition, bytes, start)
    }

    /// The value of a field without a sign; `nil` if it is not there, has another size, or is
    /// unknown.
    subscript(name: Name) -> UInt64? {
        let wanted = name.field
        for (field, offset) in definition.fields where field.number == wanted.number {
            guard field.byteCount == wanted.byteCount else { return nil }
            let value = field.value(
                bytes,
                at: start + offset,
                isBigEndian: definition.isBigEndian
            )
            return value == name.unknown ? nil : value
        }
        return nil
    }

    /// Returns the value of a field of four bytes with its sign.
    func signed(_ name: Name) -> Int64? {
        self[name].map { Int64(Int32(truncatingIfNeeded: $0)) }
    }
}

/// The checksum of a FIT file: a CRC of 16 bits, by halves of bytes.
///
/// Source: developer.garmin.com/fit/protocol, *CRC*.
struct FITChecksum {
    private static let table: [UInt16] = [
        0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
        0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
    ]

    /// The checksum of the bytes so far.
    private(set) var value: UInt16 = 0

    /// Adds a byte.
    mutating func add(_ byte: UInt8) {
        add(half: byte & 0x0F)
        add(half: byte >> 4)
    }

    private mutating func add(half: UInt8) {
        value = value >> 4 ^ Self.table[Int(value & 0x0F)] ^ Self.table[Int(half)]
    }
}
