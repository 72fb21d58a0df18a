/// What compact blocks are made of (Formats, *Compact blocks*).
enum CompactBlock {
    /// The version in the header of a compact block.
    static let version: UInt8 = 2

    /// The most bytes that the entries of one compact block have: what a look-up has to decode.
    static let maximumContentLength = 65_536

    /// As many entries as the shortest leave room for.
    static let maximumCount = maximumContentLength / EntryView.minimumByteCount

    /// How many entries share the widths of their numbers.
    static let frameCount = 64

    /// The columns that every group has: source, occurred_at, recorded_at.
    static let commonColumnCount = 3

    /// The most fields that a payload can be taken apart into.
    static let maximumFieldCount = 16

    /// The field count that stands for entries that are kept as they are.
    static let rawMark: UInt8 = 255

    /// The widest number that can be packed: with seven bits before it, it is one load.
    static let maximumWidth = 56

    /// Bit of a frame's first byte that says that differences of differences follow.
    static let secondDifferencesFlag: UInt8 = 0x80

    /// Zero bytes at the end, so that eight bytes can be read wherever a number starts.
    static let paddingByteCount = 8

    /// How many bytes the packed numbers of a frame take.
    static func packedByteCount(count: Int, width: Int) -> Int {
        (count * width + 7) / 8
    }
}
