/// Writes FIT files byte by byte, as the protocol says.
struct FITEncoder {
    /// Whether numbers have their highest byte first.
    var isBigEndian = false

    /// How many bytes the header has: 12 or 14.
    var headerByteCount = 12

    private(set) var messages: [UInt8] = []

    /// The whole file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [UInt8(headerByteCount), 0x10, 0x64, 0x00]
        bytes += Self.digits(Int64(messages.count), 4) + Array(".FIT".utf8)
        // The checksum of the header may be left out.
        bytes += [UInt8](repeating: 0, count: headerByteCount - 12)
        bytes += messages
        return bytes + Self.digits(Int64(Self.checksum(bytes)), 2)
    }

    /// Says which fields the messages with a number have: their numbers and sizes.
    mutating func define(
        _ local: UInt8,
        global: Int64,
        _ fields: [(UInt8, UInt8)],
        developer: [UInt8]? = nil
    ) {
        messages += [(developer == nil ? 0x40 : 0x60) | local, 0, isBigEndian ? 1 : 0]
        messages += number(global, 2)
        messages.append(UInt8(fields.count))
        for (field, count) in fields { messages += [field, count, 0x8C] }
        guard let developer else { return }
        messages.append(UInt8(developer.count))
        for count in developer { messages += [0, count, 0] }
    }

    /// Adds a message: numbers and their sizes.
    mutating func add(_ local: UInt8, _ values: [(Int64, Int)]) {
        messages.append(local)
        addValues(values)
    }

    /// Adds a message whose head has the low bits of the time.
    mutating func add(_ local: UInt8, lowTime: UInt8, _ values: [(Int64, Int)]) {
        messages.append(0x80 | local << 5 | lowTime)
        addValues(values)
    }

    private mutating func addValues(_ values: [(Int64, Int)]) {
        for (value, count) in values { messages += number(value, count) }
    }

    private func number(_ value: Int64, _ count: Int) -> [UInt8] {
        let digits = Self.digits(value, count)
        return isBigEndian ? digits.reversed() : digits
    }

    private static func digits(_ value: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    /// CRC-16/ARC, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8)
                .reduce(sum ^ UInt16(byte)) { sum, _ in
                    sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1
                }
        }
    }
}
