import CivilTime
import DriveSimulation
import Proofs
import TestSupport
import Testing

@testable import ServerStore

@Suite struct TokenTextTests {
    /// A token as Python makes it, whose `zlib.crc32`, `hashlib.sha256` and long integers are none
    /// of ours.
    struct Vector: Sendable {
        let scope: TokenScope
        let secret: [UInt8]
        let text: String
        let digest: String
    }

    // alphabet = string.digits + string.ascii_uppercase + string.ascii_lowercase
    // number = int.from_bytes(secret, "big"); digits = ""
    // for _ in range(43): number, digit = divmod(number, 62); digits = alphabet[digit] + digits
    // body = f"tl1_{scope}_{digits}"; text = body + "_%08x" % zlib.crc32(body.encode())
    // digest = hashlib.sha256(text.encode()).hexdigest()
    static let vectors = [
        Vector(
            scope: .ingest,
            secret: Array(0..<32),
            text: "tl1_ingest_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf_ad400920",
            digest: "1a33ad126b7b11daf6a43171863fa4b7a7b255e4d8fef717ae6747f70b7167b2"
        ),
        Vector(
            scope: .admin,
            secret: Array(repeating: 255, count: 32),
            text: "tl1_admin_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1_e114b6a8",
            digest: "59f6ebecf8e4d57b1e3a81eb3aa33a40c0740f4e898fbce272b114774d94f18d"
        ),
        Vector(
            scope: .live,
            secret: Array(repeating: 0, count: 32),
            text: "tl1_live_0000000000000000000000000000000000000000000_4b60c721",
            digest: "dc685e9e633c2d413b5548b1d435415c48dd9de51e0b7b9c8fb67be0d3cfbf2a"
        ),
        // The checksum begins with zeros.
        Vector(
            scope: .audit,
            secret: Array(repeating: 0, count: 30) + [0xB9, 0xB6],
            text: "tl1_audit_0000000000000000000000000000000000000000CMo_0000f6ee",
            digest: "d251a3364e7ced0948f21f008aa3e50d2f15fbe31c0d5a8704aca9519eb9a002"
        ),
    ]

    private static let alphabet =
        Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-/ ä")

    private static func random(_ random: inout SplitMix64) -> TokenText {
        let scopes = TokenScope.allCases
        let secret = (0..<TokenText.secretByteCount)
            .map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return TokenText(scope: scopes[Int(random.next() % 7)], secret: secret)
    }

    @Test(arguments: vectors)
    func `a token is what other programs make of the same bytes`(vector: Vector) throws {
        let made = TokenText(scope: vector.scope, secret: vector.secret)
        #expect(made.text == vector.text)
        #expect(made.digest.description == vector.digest)
        #expect(TokenText(vector.text) == made)
    }

    @Test func `the checksum is that of zlib`() {
        #expect(CRC32.checksum("123456789".utf8) == 0xCBF4_3926)
        #expect(CRC32.checksum("6789".utf8, after: CRC32.checksum("12345".utf8)) == 0xCBF4_3926)
        #expect(CRC32.checksum([]) == 0)
    }

    @Test(arguments: Seeds.fresh(200))
    func `what was made is read again`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let made = Self.random(&random)
        let read = try #require(TokenText(made.text))
        #expect(read == made)
        #expect(read.digest == made.digest)
        #expect(made.text.utf8.count == made.scope.rawValue.utf8.count + 57)
    }

    @Test(arguments: Seeds.fresh(12))
    func `no token is read with another character anywhere`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let made = Array(Self.random(&random).text)
        for index in made.indices {
            for character in Self.alphabet where character != made[index] {
                var typed = made
                typed[index] = character
                #expect(TokenText(String(typed)) == nil, "\(String(typed))")
            }
        }
    }

    @Test(arguments: Seeds.fresh(200))
    func `no token is read with two neighbours exchanged`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let made = Array(Self.random(&random).text)
        for index in made.indices.dropLast() where made[index] != made[index + 1] {
            var typed = made
            typed.swapAt(index, index + 1)
            #expect(TokenText(String(typed)) == nil, "\(String(typed))")
        }
    }

    @Test(arguments: Seeds.fresh(12))
    func `no token is read with a character too many or too few`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let made = Array(Self.random(&random).text)
        for index in made.indices {
            var typed = made
            typed.remove(at: index)
            #expect(TokenText(String(typed)) == nil, "\(String(typed))")
            for character in Self.alphabet {
                typed = made
                typed.insert(character, at: index)
                #expect(TokenText(String(typed)) == nil, "\(String(typed))")
            }
        }
        for end in [" ", "\n", "_"] { #expect(TokenText(String(made) + end) == nil) }
    }

    @Test func `a number too large for 32 bytes is no token, though its checksum is right`() {
        let body = "tl1_admin_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp2"
        let checksum = String(CRC32.checksum(body.utf8), radix: 16)
        #expect(TokenText("\(body)_\(checksum)") == nil)
    }

    @Test func `only tokens of phones, buttons and shared links may stand in an address`() {
        func token(_ scopes: Set<TokenScope>) -> Token {
            Token(name: "a", scopes: scopes, createdAt: .init(milliseconds: 0))
        }
        #expect(token([.ingest]).mayStandInAddress)
        #expect(token([.live, .ingest]).mayStandInAddress)
        #expect(!token([.ingest, .read]).mayStandInAddress)
        let those = TokenScope.allCases.filter { token([$0]).mayStandInAddress }
        #expect(those == [.live, .ingest, .press])
    }
}
