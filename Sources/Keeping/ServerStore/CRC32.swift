/// The CRC-32 of zip, gzip and PNG (ISO 3309, reflected polynomial EDB88320).
///
/// It finds every error that lies within 32 bits, so every wrong character and every exchange of
/// two neighbours. The log's CRC32C would as well, but no other program has that one at hand to
/// check a token with; and zlib's door belongs to archives, which a server need not link.
enum CRC32 {
    private static let polynomial: UInt32 = 0xEDB8_8320

    /// The result of eight steps for each byte.
    private static let table: [UInt32] = (0..<256)
        .map { byte in
            (0..<8)
                .reduce(UInt32(byte)) { register, _ in
                    register >> 1 ^ (register & 1 == 1 ? polynomial : 0)
                }
        }

    /// Returns the checksum of bytes, which go on after those of an earlier checksum.
    static func checksum(_ bytes: some Sequence<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
        var register = ~earlier
        for byte in bytes {
            register = register >> 8 ^ table[Int((register ^ UInt32(byte)) & 0xFF)]
        }
        return ~register
    }
}
