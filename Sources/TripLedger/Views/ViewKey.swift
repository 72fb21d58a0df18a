import TripEvents
import TripTracking

/// The keys of tables of the environment `views/`: big-endian, so that LMDB's order is numeric.
enum ViewKey {
    /// The key of `folds`.
    static func source(_ source: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: source >> UInt32(24 - 8 * $0)) }
    }

    /// Returns the source whose key this is.
    static func number(ofSource key: [UInt8]) -> UInt32 {
        key.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The key of `rewinds`; without a position, the lowest key at that instant.
    static func rewind(_ source: UInt32, at instant: Timestamp, position: UInt64 = 0) -> [UInt8] {
        Self.source(source) + ambient(instant, position: position)
    }

    /// The key of `ambient`.
    static func ambient(_ instant: Timestamp, position: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
        bytes.append(bigEndian: position)
        return bytes
    }

    /// Returns a key as text: two lower-case digits a byte.
    static func hexadecimal(_ key: [UInt8]) -> String {
        key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
