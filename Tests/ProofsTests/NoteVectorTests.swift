import Foundation
import Proofs
import TestSupport
import Testing

/// The public vectors of `../shared/data/tlog`; its README names their sources.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct NoteVectorTests {
    private struct NoteCase: Decodable {
        var `case`: String
        var skey: String?
        var text: String?
        var note: String
        var vkeys: [String]
        var ok: Bool
        var verified: Int?
        var unverified: Int?
    }

    private struct KeyCase: Decodable {
        var vkey: String
        var skey: String?
        var ok: Bool
        var note: String?
    }

    private struct BodyCase: Decodable {
        var body: String
        var note: String?
        var okInFormats: Bool
        var size: UInt64?
        var leafOfRoot: String?
    }

    private struct ProofCase: Decodable {
        var `case`: String
        var text: String
        var ok: Bool
        var index: UInt64?
        var hashes: Int?
    }

    private struct TesseraProofs: Decodable {
        struct Inclusion: Decodable {
            var entry: String
            var index: UInt64
            var tlogProof: String
        }

        struct Consistency: Decodable {
            var old: UInt64
            var new: UInt64
            var proof: [String]
        }

        var vkey: String
        var inclusion: [Inclusion]
        var consistency: [Consistency]
    }

    private struct SignatureCase: Decodable {
        var number: Int
        var key: String
        var sig: String
        var msg: String
        var flags: [String]?
    }

    @Test func `notes are accepted and refused as they say`() throws {
        let cases = try decoded([NoteCase].self, "note/signed-note.json")
        var tally = VectorTally(.signedNotes)
        for vector in cases {
            let keys = try vector.vkeys.map { try #require(VerifierKey($0)) }
            let note = try? SignedNote(Array(vector.note.utf8))
            let verified = (try note?.signatures(by: keys).count) ?? 0
            tally.expect((verified > 0) == vector.ok, "\(vector.case)")
            guard vector.ok, let note else { continue }
            #expect(verified == vector.verified, "\(vector.case)")
            #expect(note.signatures.count - verified == vector.unverified, "\(vector.case)")
            #expect(note.bytes == Array(vector.note.utf8))
        }
        try tally.finish()
    }

    @Test func `a signature is the published one`() throws {
        let cases = try decoded([NoteCase].self, "note/signed-note.json")
        let vector = try #require(cases.first { $0.skey != nil })
        let secret = try #require(vector.skey)
        let key = try #require(SigningKey(secretText: secret))
        let text = try #require(vector.text)
        #expect(
            SignedNote(text: text, signatures: [key.signature(of: text)]).bytes
                == Array(vector.note.utf8)
        )
    }

    @Test func `verifier keys are read, written and refused as they say`() throws {
        let cases = try decoded([KeyCase].self, "note/vkeys.json")
        var tally = VectorTally(.verifierKeys)
        for vector in cases {
            tally.expect((VerifierKey(vector.vkey) != nil) == vector.ok, "\(vector.vkey)")
            guard vector.ok else { continue }
            #expect(VerifierKey(vector.vkey)?.description == vector.vkey)
            if let secret = vector.skey {
                let key = try #require(SigningKey(secretText: secret))
                #expect(key.secretText == secret)
                #expect(key.verifier(.text).description == vector.vkey)
            }
        }
        try tally.finish()
    }

    @Test func `no part of a verifier key is one, nor is one with a byte changed`() throws {
        let cases = try decoded([KeyCase].self, "note/vkeys.json")
        let mangled = cases.first { $0.note?.hasPrefix("every proper") == true }
        let vector = try #require(mangled)
        let bytes = Array(vector.vkey.utf8)
        for start in bytes.indices {
            for end in start...bytes.count where end - start < bytes.count {
                #expect(VerifierKey(String(decoding: bytes[start..<end], as: UTF8.self)) == nil)
            }
            var changed = bytes
            changed[start] += 1
            #expect(VerifierKey(String(decoding: changed, as: UTF8.self)) == nil)
        }
    }

    @Test func `heads are read and refused as they say`() throws {
        let cases = try decoded([BodyCase].self, "note/checkpoint-body.json")
        var tally = VectorTally(.heads)
        for vector in cases {
            let head = try? HeadNote(vector.body)
            // A log over SHA-256 has roots of 32 bytes, which the other parser does not demand.
            let isOurs = vector.okInFormats && vector.note?.contains("not 32 bytes") != true
            tally.expect((head != nil) == isOurs, "\(vector.body)")
            guard let head else { continue }
            #expect(head.text == vector.body)
            #expect(head.head.size == vector.size)
            let leaf = Array(try #require(vector.leafOfRoot).utf8)
            #expect(head.head.root == SHA256.leaf(leaf.span))
        }
        try tally.finish()
    }

    @Test func `proof files are read and refused as they say`() throws {
        let cases = try decoded([ProofCase].self, "note/tlog-proof.json")
        var tally = VectorTally(.proofFiles)
        let key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: .numbered(1)
        )
        let head = HeadNote(
            origin: key.name,
            head: TreeHead(size: 20, root: SHA256.digest([UInt8]().span))
        )
        let note = String(decoding: head.signed(by: key).note.bytes, as: UTF8.self)
        for vector in cases {
            // The vectors have words where the head stands.
            let gap = try #require(vector.text.range(of: "\n\n", options: .backwards))
            let text = vector.text[..<gap.upperBound] + note
            let proof = try? InclusionProof(Array(text.utf8))
            tally.expect((proof != nil) == vector.ok, "\(vector.case)")
            guard let proof else { continue }
            #expect(proof.position == vector.index)
            #expect(proof.path.count == vector.hashes)
            #expect(proof.bytes == Array(text.utf8))
        }
        try tally.finish()
    }

    @Test func `every proof of the tessera log holds for its entry and for no other`() throws {
        let proofs = try decoded(TesseraProofs.self, "note/tessera-tlog-proofs.json")
        let key = try #require(VerifierKey(proofs.vkey))
        var tally = VectorTally(.tesseraInclusions)
        for vector in proofs.inclusion {
            let proof = try InclusionProof(Array(vector.tlogProof.utf8))
            #expect(try proof.head.isSigned(by: key))
            #expect(proof.position == vector.index)
            #expect(proof.bytes == Array(vector.tlogProof.utf8))
            tally.expect(
                proofs.inclusion.allSatisfy { other in
                    let entry = Array(other.entry.utf8)
                    let isOwn = other.entry == vector.entry
                    return proof.isValid(for: SHA256.leaf(entry.span)) == isOwn
                }
            )
        }
        try tally.finish()
    }

    @Test func `every head of the tessera log is signed and consistent with those before`() throws {
        let proofs = try decoded(TesseraProofs.self, "note/tessera-tlog-proofs.json")
        let key = try #require(VerifierKey(proofs.vkey))
        let heads = try (0...15)
            .map { size in
                try SignedHead(Array(SharedData.data("tlog/tessera-log/log/checkpoint.\(size)")))
            }
        #expect(try heads.allSatisfy { try $0.isSigned(by: key) })
        let leaves = proofs.inclusion.map { vector in
            let entry = Array(vector.entry.utf8)
            return SHA256.leaf(entry.span)
        }
        let tree = MerkleTree.overLeaves(leaves)
        #expect(heads.map(\.head.root) == (0...15).map { tree.root(0..<$0) })
        var tally = VectorTally(.tesseraConsistencies)
        for vector in proofs.consistency {
            let path = try vector.proof.map { text in
                try #require(Data(base64Encoded: text).flatMap { Digest(Array($0)) })
            }
            let newer = heads[Int(vector.new)]
            #expect(
                MerkleTree.overLeaves(Array(leaves.prefix(Int(vector.new))))
                    .consistencyProof(from: vector.old) == path
            )
            let proof = ConsistencyProof(olderSize: vector.old, path: path, head: newer)
            #expect(try ConsistencyProof(proof.bytes) == proof)
            tally.expect(
                heads.allSatisfy { older in
                    proof.isValid(since: older.head) == (older.head.size == vector.old)
                }
            )
        }
        try tally.finish()
    }

    @Test func `cosignatures of witnesses hold, and not with another time`() throws {
        let folder = "tlog/sunlight-mirror/cmd/skylight/testdata/"
        let files = [
            ("witness/000de184301123b9278c086a7d9f68c9577e83872224c197058fd90784ea9706", 0),
            ("witness2/88ad7a28caeb0b2aa890fdf0304c2fcaf59fca2ee140134ff8c1300bac493482", 1),
            ("witness/mirror/000de184301123b9278c086a7d9f68c9577e83872224c197058fd90784ea9706", 2),
        ]
        let keys = try decoded([KeyCase].self, "note/vkeys.json")
            .filter { $0.vkey.contains(".example.org+") }
            .compactMap { VerifierKey($0.vkey) }
        #expect(keys.map(\.kind) == [.cosignature, .cosignature, .cosignature])
        for (file, index) in files {
            let bytes = Array(try SharedData.data("\(folder)\(file)/checkpoint"))
            let head = try SignedHead(bytes)
            let found = try head.note.signatures(by: keys)
            #expect(found.map(\.key) == [keys[index]])
            #expect(found.first?.signature.cosignedAt == 1_767_139_200)
            #expect(head.note.bytes == bytes)
            // The time is signed too.
            var changed = bytes
            let key = String(decoding: bytes, as: UTF8.self)
            let line = try #require(key.range(of: "BpVGeA"))
            let offset = key.utf8.distance(from: key.startIndex, to: line.lowerBound) + 5
            changed[offset] = UInt8(ascii: "B")
            let later = try SignedHead(changed)
            #expect(throws: ProofDamage.self) { try later.note.signatures(by: keys) }
        }
    }

    @Test func `signatures of odd points are judged as most implementations judge them`()
        throws
    {
        let cases = try decoded([SignatureCase].self, "ed25519/ed25519vectors.json")
        var tally = VectorTally(.signatures)
        for vector in cases {
            let refused = Set(vector.flags ?? [])
                .intersection(["non_canonical_R", "low_order_residue"])
            let isValid = Ed25519.isValid(
                try #require(bytes(vector.sig)),
                of: Array(vector.msg.utf8),
                by: try #require(bytes(vector.key))
            )
            tally.expect(isValid == refused.isEmpty, "\(vector.number)")
        }
        try tally.finish()
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: SharedData.data("tlog/\(path)"))
    }

    private func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = Array(hexadecimal.utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2)
            .compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
