import TripEvents

/// Removes the parts that make a text invalid XML and have no bearing on positions: references that
/// stand for no character, ampersands that begin none, and control characters.
///
/// Each becomes a space, so that only the name that contains it is affected.
struct XMLRepair {
    /// The longest reference: `&#1114111;`.
    private static let mostReferenceBytes = 10

    private static let names: Set<String> = ["amp", "lt", "gt", "quot", "apos"]

    /// A reference whose end has not come yet.
    private var reference: [UInt8] = []

    /// Hands over the next bytes; those of a reference wait for its end.
    mutating func read(_ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> Void) {
        // Nearly every piece needs no copy.
        guard !reference.isEmpty || bytes.indices.contains(where: { Self.isSuspect(bytes[$0]) })
        else { return take(bytes) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for position in bytes.indices { add(bytes[position], to: &text) }
        take(text.span)
    }

    /// Hands over what the text ends with.
    mutating func finish(_ take: (Span<UInt8>) -> Void) {
        guard !reference.isEmpty else { return }
        var text: [UInt8] = []
        giveUp(to: &text)
        take(text.span)
    }

    private static func isSuspect(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    private mutating func add(_ byte: UInt8, to text: inout [UInt8]) {
        if !reference.isEmpty {
            let isPart = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x23
            if isPart, reference.count < Self.mostReferenceBytes {
                reference.append(byte)
                return
            }
            guard byte == UInt8(ascii: ";"), Self.isSound(reference.dropFirst()) else {
                giveUp(to: &text)
                return add(byte, to: &text)
            }
            text += reference + [byte]
            reference = []
        } else if byte == UInt8(ascii: "&") {
            reference = [byte]
        } else {
            text.append(Self.isSuspect(byte) ? 0x20 : byte)
        }
    }

    /// Writes what turned out to be no reference, with a space for its ampersand.
    private mutating func giveUp(to text: inout [UInt8]) {
        text.append(0x20)
        text += reference.dropFirst()
        reference = []
    }

    /// Whether what stands between `&` and `;` stands for a character that XML allows.
    private static func isSound(_ content: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: content, as: UTF8.self)
        guard text.hasPrefix("#") else { return names.contains(text) }
        let digits = text.dropFirst()
        let value =
            digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value, Unicode.Scalar(value) != nil, value != 0xFFFE, value != 0xFFFF else {
            return false
        }
        return value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value)
    }
}
