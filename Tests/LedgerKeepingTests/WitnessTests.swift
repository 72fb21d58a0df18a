import Foundation
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

@Suite struct WitnessTests {
    private let directory: TemporaryDirectory
    private let book: WitnessBook
    private let owner: SigningKey
    private let leaves: [Digest]

    init() throws {
        directory = try TemporaryDirectory()
        book = try WitnessBook.create(
            at: FilePath(directory.path("witness")),
            name: #require(KeyName("accountant.example"))
        )
        owner = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 9, count: 32)))
        )
        leaves = (0..<40).map { SHA256.leaf([UInt8($0)].span) }
    }

    @Test func `a log that grows is cosigned each time, and the witness remembers`() throws {
        var older: UInt64 = 0
        for (turn, size) in [1, 2, 7, 7, 8, 33].enumerated() {
            let cosigned = try book.cosign(
                request(from: older, to: size).bytes,
                from: "test",
                owner: turn == 0 ? owner.verifier(.text) : nil,
                now: Timestamp(milliseconds: 1_000 * Int64(turn + 1))
            )
            #expect(try cosigned.isSigned(by: owner.verifier(.text)))
            #expect(cosigned.note.cosignedAt(by: book.verifier) == UInt64(turn + 1))
            let reopened = try WitnessBook(at: book.path)
            #expect(try reopened.logs().map(\.head) == [cosigned])
            older = UInt64(size)
        }
    }

    @Test func `a log is not cosigned without its owner's key`() throws {
        let head = head(of: leaves)
        #expect(code(head.note.bytes, owner: nil) == .notFound)
        let other = SigningKey(
            name: owner.name,
            seed: try #require(SigningSeed([UInt8](repeating: 8, count: 32)))
        )
        #expect(code(head.note.bytes, owner: other.verifier(.text)) == .unreadableInput)
        #expect(code(head.note.bytes, owner: owner.verifier(.text)) == nil)
        #expect(code(head.note.bytes, owner: other.verifier(.text)) == .forked)
    }

    @Test func `what is not the log that was seen is not cosigned`() throws {
        _ = try book.cosign(
            head(of: Array(leaves.prefix(20))).note.bytes,
            from: "test",
            owner: owner.verifier(.text),
            now: Timestamp(milliseconds: 0)
        )
        let seen = try book.logs().map(\.head)
        var forked = leaves
        forked[3] = SHA256.leaf([77].span)
        #expect(code(head(of: Array(leaves.prefix(19))).note.bytes) == .forked)
        #expect(code(head(of: Array(forked.prefix(20))).note.bytes) == .forked)
        #expect(code(head(of: leaves).note.bytes) == .notFound)
        #expect(code(request(from: 19, to: 40).bytes) == .notFound)
        let fork = ConsistencyProof(
            olderSize: 20,
            path: MerkleTree.overLeaves(forked).consistencyProof(from: 20),
            head: head(of: forked)
        )
        #expect(code(fork.bytes) == .forked)
        #expect(try book.logs().map(\.head) == seen)
        #expect(code(request(from: 20, to: 40).bytes) == nil)
    }

    @Test func `whatever stands below a head, what is kept can be read again`() throws {
        let sound = head(of: leaves)
        let junk = (0..<99).map { "— name\($0) AAAAAAAA\n" }.joined()
        let own = try #require(
            String(decoding: cosignature(of: sound), as: UTF8.self).split(separator: "\n").last
        )
        var letters = Array(own)
        letters[letters.count - 10] = letters[letters.count - 10] == "A" ? "B" : "A"
        let forged = "\(String(letters))\n"
        for lines in ["", junk, forged + forged, forged] {
            let request = sound.note.bytes + Array(lines.utf8)
            let cosigned = try book.cosign(
                request,
                from: "test",
                owner: owner.verifier(.text),
                now: Timestamp(milliseconds: 5_000)
            )
            #expect(cosigned.note.signatures.count == 2)
            #expect(cosigned.note.cosignedAt(by: book.verifier) == 5)
            #expect(try WitnessBook(at: book.path).logs().map(\.head) == [cosigned])
        }
        let filling = String(repeating: "x", count: 999_700)
        let long = HeadNote(origin: owner.name, head: sound.head).text + filling + "\n"
        let note = SignedNote(text: long, signatures: [owner.signature(of: long)])
        #expect(code(note.bytes, owner: owner.verifier(.text)) == .unreadableInput)
        #expect(try book.logs().count == 1)
    }

    @Test func `a witness that has lost what it saw cosigns nothing`() throws {
        _ = try cosignature(of: head(of: Array(leaves.prefix(20))))
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: directory.path("witness"))
        for suffix in ["note", "vkey"] {
            let name = try #require(names.first { $0.hasSuffix(suffix) })
            let path = directory.path("witness/\(name)")
            try manager.moveItem(atPath: path, toPath: directory.path("away"))
            #expect(code(head(of: leaves).note.bytes) == .damaged)
            #expect(throws: LedgerError.self) { try book.logs() }
            let stranger = SigningKey(
                name: owner.name,
                seed: try #require(SigningSeed([UInt8](repeating: 8, count: 32)))
            )
            #expect(code(head(of: leaves).note.bytes, owner: stranger.verifier(.text)) == .damaged)
            try manager.moveItem(atPath: directory.path("away"), toPath: path)
        }
        // The owner's key can be given again, for the head is signed with it.
        let name = try #require(names.first { $0.hasSuffix("vkey") })
        try manager.removeItem(atPath: directory.path("witness/\(name)"))
        #expect(code(head(of: leaves).note.bytes, owner: owner.verifier(.text)) == .notFound)
        #expect(code(request(from: 20, to: 40).bytes, owner: owner.verifier(.text)) == nil)
        #expect(try book.logs().map(\.owner) == [owner.verifier(.text)])
    }

    /// Returns a head as the witness cosigns it.
    private func cosignature(of head: SignedHead) throws -> [UInt8] {
        try book.cosign(
            head.note.bytes,
            from: "test",
            owner: owner.verifier(.text),
            now: Timestamp(milliseconds: 1_000)
        )
        .note.bytes
    }

    private func code(_ request: [UInt8], owner: VerifierKey? = nil) -> LedgerError.Code? {
        do {
            _ = try book.cosign(
                request,
                from: "test",
                owner: owner,
                now: Timestamp(milliseconds: 0)
            )
            return nil
        } catch {
            return error.code
        }
    }

    private func request(from older: UInt64, to size: Int) -> ConsistencyProof {
        let leaves = Array(leaves.prefix(size))
        return ConsistencyProof(
            olderSize: older,
            path: older == 0 ? [] : MerkleTree.overLeaves(leaves).consistencyProof(from: older),
            head: head(of: leaves)
        )
    }

    private func head(of leaves: [Digest]) -> SignedHead {
        var frontier = MerkleFrontier()
        for leaf in leaves { _ = frontier.append(leaf) }
        let head = TreeHead(size: frontier.size, root: frontier.root)
        return HeadNote(origin: owner.name, head: head).signed(by: owner)
    }
}
