import TripEvents

/// The keys of tables of the environment `views/`: big-endian, so that LMDB's order is numeric.
enum ViewKey {
    /// The key of `folds`.
    static func source(_ source: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: source >> UInt32(24 - 8 * $0)) }
    }

    /// The key of `rewinds`; without a position, the lowest key at that instant.
    static func rewind(_ source: UInt32, at instant: Timestamp, position: UInt64 = 0) -> [UInt8] {
        Self.source(source) + number(UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
            + number(position)
    }

    private static func number(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
}
