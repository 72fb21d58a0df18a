/// One of the parts that a payload falls into, one after the other (Formats, *Compact blocks*).
///
/// The store does not know what they mean, only how they are written.
package enum EntryField: Hashable, Sendable {
    /// A little-endian number of 1 … 8 bytes.
    case number(byteCount: UInt8)

    /// A u8 of decimals, 0 … 18, and a zigzag significand in lowest terms.
    case decimal
}

extension EntryField {
    /// Returns the fields that the payload of an entry is made of, at most 16, or `nil` if nobody
    /// knows.
    package typealias Reading = (EntryView) -> [EntryField]?

    /// The code of a decimal with no decimals; more of them count up from there.
    static let firstDecimalCode: UInt8 = 0x10

    /// The code of a decimal with the most decimals.
    static let lastDecimalCode = firstDecimalCode + UInt8(DecimalBytes.maximumDecimals)

    /// The greatest size of a number.
    static let maximumNumberByteCount: UInt8 = 8
}
