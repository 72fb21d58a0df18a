/// The CRC-32 of zip, gzip and PNG (ISO 3309, reflected polynomial EDB88320), over a few bytes.
///
/// It finds every error that lies within 32 bits, so every wrong character and every exchange of
/// two neighbours. The log's CRC32C would as well, but no other program has that one at hand to
/// check a token with; and zlib's door belongs to archives, which a server need not link.
enum CRC32 {
    private static let polynomial: UInt32 = 0xEDB8_8320

    /// Returns the checksum of bytes, which go on after those of an earlier checksum.
    static func checksum(_ bytes: some Sequence<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
        var register = ~earlier
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register >> 1 ^ (register & 1 == 1 ? polynomial : 0)
            }
        }
        return ~register
    }
}
