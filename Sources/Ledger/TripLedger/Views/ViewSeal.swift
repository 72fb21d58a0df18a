import EventStore
import RowCoding

/// The checksum before every value of a view, over its key and the value: LMDB has none, and a view
/// that was damaged must never be taken for a figure.
enum ViewSeal {
    private static let byteCount = 4

    /// Returns the value as it is stored: the CRC32C of key and value, lowest byte first, then the
    /// value.
    static func sealed(_ value: [UInt8], key: [UInt8]) -> [UInt8] {
        let checksum = Checksum.crc32c(value.span, after: Checksum.crc32c(key.span))
        var sealed: [UInt8] = []
        sealed.reserveCapacity(byteCount + value.count)
        for index in 0..<byteCount {
            sealed.append(UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)))
        }
        sealed += value
        return sealed
    }

    /// Returns the value that was stored, or `nil` if it is not what was written.
    static func opened(_ stored: Span<UInt8>, key: Span<UInt8>) -> [UInt8]? {
        guard isWhole(stored, key: key) else { return nil }
        return [UInt8](copying: stored.extracting(droppingFirst: byteCount))
    }

    /// Puts the value that was stored in the place of `value`, or returns `false` if it is not what
    /// was written.
    static func open(
        _ stored: Span<UInt8>,
        key: Span<UInt8>,
        into value: inout [UInt8]
    ) -> Bool {
        guard isWhole(stored, key: key) else { return false }
        value.removeAll(keepingCapacity: true)
        value.append(contentsOf: stored.extracting(droppingFirst: byteCount))
        return true
    }

    /// Returns whether a stored value is what was written for its key.
    static func isWhole(_ stored: Span<UInt8>, key: Span<UInt8>) -> Bool {
        guard stored.count >= byteCount else { return false }
        let value = stored.extracting(droppingFirst: byteCount)
        return checksum(in: stored) == Checksum.crc32c(value, after: Checksum.crc32c(key))
    }

    /// Returns the checksum that a stored value says it has; one that is too short for any has 0.
    static func checksum(in stored: Span<UInt8>) -> UInt32 {
        guard stored.count >= byteCount else { return 0 }
        var checksum: UInt32 = 0
        for index in 0..<byteCount {
            checksum |= UInt32(stored[index]) << UInt32(8 * index)
        }
        return checksum
    }
}
