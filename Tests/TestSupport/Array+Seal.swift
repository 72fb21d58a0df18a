extension [UInt8] {
    /// Gives a changed block the checksum that it would have been written with: CRC32C, bit by bit.
    public mutating func seal() {
        let checksum = ~self[4...]
            .reduce(~UInt32(0)) { crc, byte in
                (0..<8)
                    .reduce(crc ^ UInt32(byte)) { crc, _ in
                        crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0)
                    }
            }
        setNumber(UInt64(checksum), at: 0, width: 4)
    }

    /// Writes a number over `width` bytes, lowest first.
    public mutating func setNumber(_ number: UInt64, at offset: Int, width: Int = 8) {
        for index in 0..<width {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
        }
    }
}
