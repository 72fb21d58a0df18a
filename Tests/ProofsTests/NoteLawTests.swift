import DriveSimulation
import Proofs
import TestSupport
import Testing

/// Laws that hold for any log, head and proof.
@Suite struct NoteLawTests {
    @Test(arguments: Seeds.fresh(20))
    func `what is written reads back, and no changed byte passes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let leaves = Self.leaves(Int(random.next() % 40) + 1, &random)
        let owner = try Self.key("example.com/book", &random)
        let witness = try Self.key("witness.example.com", &random)
        let head = Self.signedHead(leaves, by: owner, and: witness, at: random.next() >> 1)
        let keys = [owner.verifier(.text), witness.verifier(.cosignature)]
        #expect(try head.note.signatures(by: keys).count == 2)
        let bytes = head.note.bytes
        #expect(try SignedHead(bytes) == head)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= UInt8(1 << (random.next() % 8))
            let signatures = (try? SignedHead(changed))
                .flatMap { try? $0.note.signatures(by: keys) }
            // A signature under a changed name is by an unknown key; the other one still holds.
            #expect(signatures?.count ?? 0 < 2, "seed \(seed), byte \(index)")
        }
    }

    @Test(arguments: ["\u{301}x", "x\u{308}", "caf\u{E9}", "\u{1F1F3}\u{1F1F1}"])
    func `a key of any name reads back, with what it signs`(text: String) throws {
        var random = SplitMix64(seed: 1)
        let key = try Self.key(text, &random)
        #expect(SigningKey(secretText: key.secretText)?.secretText == key.secretText)
        for kind in [SignatureKind.text, .cosignature] {
            let verifier = key.verifier(kind)
            #expect(VerifierKey(verifier.description) == verifier)
        }
        let head = Self.signedHead(Self.leaves(3, &random), by: key, and: key, at: 7)
        #expect(try SignedHead(head.note.bytes) == head)
        #expect(try head.isSigned(by: key.verifier(.text)))
    }

    @Test func `signatures of unknown keys are passed over, whatever their names`() throws {
        var random = SplitMix64(seed: 1)
        let owner = try Self.key("example.com/book", &random)
        let head = Self.signedHead(Self.leaves(3, &random), by: owner, and: owner, at: 7)
        for name in [String(repeating: "x", count: 300), "a\u{200B}b", "a\u{9B}b", "\u{301}"] {
            let line = "\u{2014} \(name) AAAAAAAA\n"
            let more = try SignedHead(head.note.bytes + Array(line.utf8))
            #expect(more.note.signatures.count == head.note.signatures.count + 1)
            #expect(try more.isSigned(by: owner.verifier(.text)))
        }
        for name in ["", "a b", "a+b", "a\u{A0}b"] {
            let line = "\u{2014} \(name) AAAAAAAA\n"
            #expect(throws: ProofDamage.self) {
                try SignedHead(head.note.bytes + Array(line.utf8))
            }
        }
    }

    @Test func `heads of origins that only look alike are different`() throws {
        let lines = "1\n\(Base64.text(SHA256.leaf([UInt8(1)].span).array))\n"
        let heads = try ["caf\u{E9}", "cafe\u{301}"].map { try HeadNote("\($0)\n\(lines)") }
        #expect(heads[0] != heads[1])
        #expect(Set(heads).count == 2)
    }

    @Test(arguments: Seeds.fresh(20))
    func `a proof holds for its entry and position only`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let leaves = Self.leaves(Int(random.next() % 300) + 2, &random)
        let owner = try Self.key("example.com/book", &random)
        let head = Self.signedHead(leaves, by: owner, and: owner, at: 7)
        let index = Int(random.next() % UInt64(leaves.count))
        let path = MerkleTree.overLeaves(leaves).inclusionProof(of: UInt64(index))
        let proof = InclusionProof(position: UInt64(index), path: path, head: head)
        #expect(try InclusionProof(proof.bytes) == proof)
        for (other, leaf) in leaves.enumerated() {
            #expect(proof.isValid(for: leaf) == (other == index), "seed \(seed)")
            let moved = InclusionProof(position: UInt64(other), path: path, head: head)
            #expect(moved.isValid(for: leaves[index]) == (other == index), "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(20))
    func `a log that only grew is consistent, and one whose past was changed is not`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let leaves = Self.leaves(Int(random.next() % 300) + 2, &random)
        let owner = try Self.key("example.com/book", &random)
        let olderSize = Int(random.next() % UInt64(leaves.count - 1)) + 1
        let older = Self.signedHead(Array(leaves.prefix(olderSize)), by: owner, and: owner, at: 7)
        var forked = leaves
        forked[Int(random.next() % UInt64(olderSize))] = SHA256.leaf([UInt8(1)].span)
        for (history, isConsistent) in [(leaves, true), (forked, false)] {
            let proof = ConsistencyProof(
                olderSize: UInt64(olderSize),
                path: MerkleTree.overLeaves(history).consistencyProof(from: UInt64(olderSize)),
                head: Self.signedHead(history, by: owner, and: owner, at: 8)
            )
            #expect(try ConsistencyProof(proof.bytes) == proof)
            #expect(proof.isValid(since: older.head) == isConsistent, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(50))
    func `keys read back from their texts`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let key = try Self.key("example.com/book-\(seed)", &random)
        let copy = try #require(SigningKey(secretText: key.secretText))
        #expect(copy.secretText == key.secretText)
        for kind in [SignatureKind.text, .cosignature] {
            let verifier = key.verifier(kind)
            #expect(VerifierKey(verifier.description) == verifier)
            #expect(copy.verifier(kind) == verifier)
            #expect(verifier.fingerprint.split(separator: " ").count == 8)
        }
    }

    @Test func `an owner's key does not pass for a witness's, nor the other way round`()
        throws
    {
        var random = SplitMix64(seed: 1)
        let key = try Self.key("example.com/book", &random)
        let head = HeadNote(origin: key.name, head: Self.head(of: Self.leaves(3, &random)))
        let signed = head.signed(by: key)
        #expect(try signed.isSigned(by: key.verifier(.text)))
        #expect(try !signed.isSigned(by: key.verifier(.cosignature)))
        var cosigned = SignedHead(head, signatures: [])
        cosigned.add(key.cosignature(of: head.text, at: 5))
        #expect(try !cosigned.isSigned(by: key.verifier(.text)))
        #expect(try !cosigned.isSigned(by: key.verifier(.cosignature)))
    }

    @Test func `a head by another name than its origin is not signed by the owner`() throws {
        var random = SplitMix64(seed: 2)
        let key = try Self.key("example.com/book", &random)
        let other = try #require(KeyName("example.com/other"))
        let head = HeadNote(origin: other, head: Self.head(of: Self.leaves(3, &random)))
        let signed = SignedHead(head, signatures: [key.signature(of: head.text)])
        #expect(try signed.note.signatures(by: [key.verifier(.text)]).count == 1)
        #expect(try !signed.isSigned(by: key.verifier(.text)))
    }

    @Test(arguments: [
        "", "a b", "a+b", "a\tb", "a\u{A0}b", "a\u{2028}b", "a\u{202E}b", "a\u{200B}b", "a\u{7F}b",
        "a\u{85}b", String(repeating: "a", count: 201),
    ])
    func `what can deceive the eye is no name`(text: String) {
        #expect(KeyName(text) == nil)
    }

    @Test func `names that look alike are not the same`() {
        #expect(KeyName("caf\u{E9}") != KeyName("cafe\u{301}"))
        #expect(KeyName("caf\u{E9}") == KeyName("caf\u{E9}"))
    }

    @Test func `a seed does not show itself`() {
        let seed = SigningSeed.numbered(77)
        var shown = "\(seed) \(String(reflecting: seed))"
        dump(seed, to: &shown)
        #expect(!shown.contains("77"))
    }

    @Test(arguments: [
        "\n\n", "a\n\n", "a\n\nb\n", "a\n\n\u{2014} b \n", "a\n\n\u{2014} b AAAA\n",
        "a\n\n\u{2014} b AAAAAAA=", "a\n\n\u{2014} b AAAAAAB=\n", "a\n\n\u{2014} b  AAAAAAA=\n",
        "a\n\n- b AAAAAAA=\n", "a\n\n\u{2014} b AAAAAAA=\n\n", "a\r\n\n\u{2014} b AAAAAAA=\n",
        "a\n\u{2014} b AAAAAAA=\n",
    ])
    func `what is nearly a note is refused`(text: String) {
        #expect(throws: ProofDamage.self) { try SignedNote(Array(text.utf8)) }
    }

    @Test func `a note's text may have empty lines`() throws {
        let bytes = Array("a\n\n\n\n\u{2014} b AAAAAAA=\n".utf8)
        let note = try SignedNote(bytes)
        #expect(note.text == "a\n\n\n")
        #expect(note.bytes == bytes)
    }

    private static func signedHead(
        _ leaves: [Digest],
        by owner: SigningKey,
        and witness: SigningKey,
        at seconds: UInt64
    ) -> SignedHead {
        let head = HeadNote(origin: owner.name, head: head(of: leaves))
        var signed = head.signed(by: owner)
        signed.add(witness.cosignature(of: head.text, at: seconds))
        return signed
    }

    private static func head(of leaves: [Digest]) -> TreeHead {
        var frontier = MerkleFrontier()
        for leaf in leaves { _ = frontier.append(leaf) }
        return TreeHead(size: frontier.size, root: frontier.root)
    }

    private static func leaves(_ count: Int, _ random: inout SplitMix64) -> [Digest] {
        (0..<count)
            .map { index in
                let entry = Array("entry \(index) \(random.next())".utf8)
                return SHA256.leaf(entry.span)
            }
    }

    private static func key(_ name: String, _ random: inout SplitMix64) throws -> SigningKey {
        let bytes = (0..<SigningSeed.byteCount)
            .map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return SigningKey(
            name: try #require(KeyName(name)),
            seed: try #require(SigningSeed(bytes))
        )
    }
}

extension SigningSeed {
    /// Returns a seed that anyone can guess.
    static func numbered(_ number: UInt8) -> SigningSeed {
        guard let seed = SigningSeed([UInt8](repeating: number, count: byteCount)) else {
            preconditionFailure("32 bytes make a seed")
        }
        return seed
    }
}
