import EventStore

/// The checksum before every value of a view: LMDB has none, and a view that was damaged must never
/// be taken for a figure.
enum ViewSeal {
    private static let byteCount = 4

    /// Returns the value as it is stored: its CRC32C, lowest byte first, then its bytes.
    static func sealed(_ value: [UInt8]) -> [UInt8] {
        let checksum = Checksum.crc32c(value.span)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(byteCount + value.count)
        for index in 0..<byteCount {
            sealed.append(UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)))
        }
        sealed += value
        return sealed
    }

    /// Returns the value that was stored, or `nil` if it is not what was written.
    static func opened(_ stored: Span<UInt8>) -> [UInt8]? {
        isWhole(stored) ? [UInt8](copying: stored.extracting(droppingFirst: byteCount)) : nil
    }

    /// Puts the value that was stored in the place of `value`, or returns `false` if it is not what
    /// was written.
    static func open(_ stored: Span<UInt8>, into value: inout [UInt8]) -> Bool {
        guard isWhole(stored) else { return false }
        value.removeAll(keepingCapacity: true)
        value.append(contentsOf: stored.extracting(droppingFirst: byteCount))
        return true
    }

    /// Returns whether a stored value is what was written.
    static func isWhole(_ stored: Span<UInt8>) -> Bool {
        guard stored.count >= byteCount else { return false }
        let checksum = Checksum.crc32c(stored.extracting(droppingFirst: byteCount))
        for index in 0..<byteCount
        where stored[index] != UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) {
            return false
        }
        return true
    }
}
