import DriveSimulation
import Proofs
import Testing

/// Short inputs are padded by us; libcrypto's own padding is the judge.
@Suite struct SHA256Tests {
    /// The digest with libcrypto's own padding.
    private func judged(_ message: [UInt8]) -> Digest {
        var stream = SHA256Stream()
        stream.update(message.span)
        return stream.finish()
    }

    @Test(arguments: 0...200)
    func `a message of any length has libcrypto's digest`(length: Int) {
        var random = SplitMix64(seed: UInt64(length))
        let message = (0..<length).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        #expect(SHA256.digest(message.span) == judged(message))
    }

    @Test(arguments: 0...200)
    func `a leaf of any length has the digest of its prefix and its bytes`(length: Int) {
        var random = SplitMix64(seed: UInt64(length))
        let entry = (0..<length).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        let message = [0x00] + entry
        #expect(SHA256.leaf(entry.span) == judged(message))
    }

    @Test(arguments: 0..<50)
    func `a node has the digest of its prefix and both hashes`(number: UInt8) {
        let left = SHA256.digest([number].span)
        let right = SHA256.digest([number, 1].span)
        let message = [0x01] + left.array + right.array
        #expect(SHA256.node(left, right) == judged(message))
    }

    /// FIPS 180-2, appendix B.1.
    @Test func `the digest of abc is the standard's`() {
        let digest = SHA256.digest(Array("abc".utf8).span)
        #expect(
            digest.description
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    /// RFC 4231, test cases 1, 2 and 6: keys shorter and longer than a block.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `the code that authenticates a message is the standard's`(
        key: [UInt8],
        message: String,
        code: String
    ) {
        #expect(SHA256.code(of: Array(message.utf8), key: key).description == code)
    }
}
