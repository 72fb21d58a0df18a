extension Cursor {
    private static let headerByteCount = 16
    private static let leafFlags: UInt16 = 0x02
    private static let overflowFlags: UInt16 = 0x04
    private static let maximumValueByteCount = 1 << 20

    /// Whether the pages that the key and a large value lie on have the headers that LMDB writes.
    ///
    /// Reading does without them, but whoever writes next trusts them: a wrong number frees a page
    /// that is in use. The value of a small entry lies on the page of its key.
    package var hasSoundPages: Bool {
        let pageBytes = UInt(Environment.pageBytes)
        let keyAddress = Self.address(of: key)
        let valueAddress = Self.address(of: value)
        let leafAddress = keyAddress / pageBytes * pageBytes
        // The headers are in the map, as key and value are, for as long as they are borrowed.
        let leaf = unsafe Self.header(at: leafAddress)
        guard leaf.flags == Self.leafFlags else { return false }
        let headerBytes = UInt(Self.headerByteCount)
        guard valueAddress % pageBytes == headerBytes else { return true }
        // As above.
        let page = unsafe Self.header(at: valueAddress - headerBytes)
        let distance = (Int(valueAddress - headerBytes) - Int(leafAddress)) / Int(pageBytes)
        let needed = (value.count + Self.headerByteCount - 1) / Int(pageBytes) + 1
        return page.flags == Self.overflowFlags
            && Int64(bitPattern: page.number &- leaf.number) == Int64(distance)
            && needed...Self.maximumValueByteCount / Int(pageBytes) ~= Int(page.count)
    }

    private static func address(of bytes: Span<UInt8>) -> UInt {
        // Only the address is kept, as a number; nothing is read through it.
        unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    /// Reads the header of the page at an address, which MUST be a page of the map.
    // @unsafe because an address says nothing of what is there; both callers have it from LMDB.
    @unsafe private static func header(
        at address: UInt
    ) -> (number: UInt64, flags: UInt16, count: UInt32) {
        // The caller answers for the address.
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else { return (0, 0, 0) }
        let bytes = unsafe RawSpan(_unsafeStart: start, byteCount: headerByteCount)
        return (
            bytes.number(at: 0, as: UInt64.self),
            bytes.number(at: 10, as: UInt16.self),
            bytes.number(at: 12, as: UInt32.self)
        )
    }
}
