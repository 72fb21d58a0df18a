import DriveSimulation
import Foundation
import TestSupport
import Testing

@testable import ServerStore

/// Messages that OwnTracks has encrypted, and what they are encrypted with.
@Suite struct SecretBoxTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.utf8.count, by: 2)
            .compactMap { UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16) }
    }

    /// RFC 8439, section 2.5.2, and of appendix A.3 those that carry out of 130 bits.
    @Test(arguments: [
        (
            "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
            "43727970746f6772617068696320466f72756d2052657365617263682047726f7570",
            "a8061dc1305136c6c22b8baf0c0127a9"
        ),
        (
            "0200000000000000000000000000000000000000000000000000000000000000",
            "ffffffffffffffffffffffffffffffff", "03000000000000000000000000000000"
        ),
        (
            "02000000000000000000000000000000ffffffffffffffffffffffffffffffff",
            "02000000000000000000000000000000", "03000000000000000000000000000000"
        ),
        (
            "0200000000000000000000000000000000000000000000000000000000000000",
            "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff"
        ),
        (
            "0100000000000000040000000000000000000000000000000000000000000000",
            "e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000"
                + "000000000000000001000000000000000000000000000000",
            "14000000000000005500000000000000"
        ),
        (
            "0100000000000000040000000000000000000000000000000000000000000000",
            "e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000"
                + "0000000000000000",
            "13000000000000000000000000000000"
        ),
    ])
    func `a tag is that of the standard`(key: String, message: String, tag: String) {
        #expect(Poly1305.tag(of: Self.bytes(message), key: Self.bytes(key)) == Self.bytes(tag))
    }

    /// *Cryptography in NaCl*, section 10: the tag stands before the text.
    @Test func `a message of the cipher's authors opens`() {
        let key = Self.bytes("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389")
        let nonce = Self.bytes("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37")
        let sealed = Self.bytes(
            "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4"
                + "476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738"
                + "b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de"
                + "56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5"
        )
        let text = Self.bytes(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a"
                + "1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057"
                + "e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040"
                + "e082f937763848645e0705"
        )
        let message = Data(nonce + sealed).base64EncodedString()
        #expect(SecretBox(key: key).open(message) == text)
    }

    /// Made by another program, in Python.
    private static let message =
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXHhwikzWKtLR1xiUfeuYryJ704HnE4VqqbN/Wb/Kdza/8qZwWu8be8C9p"
        + "gSOANt60McLEkNnX5p2cXPnSJIlXxV+anBX1gEyZvUu2zf+Mu0SkgHhr7oTQCL2Yr4YEpc/WFF6XNZk5hX0E"
        + "+dA6"

    @Test func `a key is a text, which zeros fill up`() throws {
        let text = try #require(SecretBox(key: Array("our key".utf8)).open(Self.message))
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"_type":"location","lat":52.0116,"lon":4.3571,"tst":1795159950,"acc":6,"#
                + #""vel":36,"tid":"ev"}"#
        )
        let lines = Self.message.prefix(76) + "\n" + Self.message.dropFirst(76)
        #expect(SecretBox(key: Array("our key".utf8)).open(String(lines)) == text)
        #expect(SecretBox(key: Array("our key2".utf8)).open(Self.message) == nil)
    }

    @Test(arguments: Seeds.fresh(1))
    func `a message with one bit changed does not open`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bytes = try #require(Data(base64Encoded: Self.message))
        let box = SecretBox(key: Array("our key".utf8))
        for _ in 0..<50 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
            #expect(box.open(changed.base64EncodedString()) == nil, "seed \(seed)")
        }
        for count in [0, 1, 39, 40, 41] {
            #expect(box.open(bytes.prefix(count).base64EncodedString()) == nil)
        }
        #expect(box.open("no base64") == nil)
    }
}
