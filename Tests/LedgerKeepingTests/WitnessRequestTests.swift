import DriveSimulation
import Foundation
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// A witness answers every request as C2SP tlog-witness says.
@Suite struct WitnessRequestTests {
    private let directory: TemporaryDirectory
    private let book: WitnessBook
    private let owner: SigningKey
    private let leaves = (0..<60).map { SHA256.leaf([UInt8($0)].span) }

    init() throws {
        directory = try TemporaryDirectory()
        book = try WitnessBook.create(
            at: FilePath(directory.path("witness")),
            name: #require(KeyName("accountant.example"))
        )
        owner = try Self.key("example.com/book", 9)
        #expect(try book.add(owner.verifier(.text)))
    }

    private static func key(_ name: String, _ number: UInt8) throws -> SigningKey {
        SigningKey(
            name: try #require(KeyName(name)),
            seed: try #require(SigningSeed([UInt8](repeating: number, count: 32)))
        )
    }

    private static func head(_ leaves: some Sequence<Digest>) -> TreeHead {
        var frontier = MerkleFrontier()
        for leaf in leaves { _ = frontier.append(leaf) }
        return TreeHead(size: frontier.size, root: frontier.root)
    }

    /// Returns a request for the head of leaves, with the proof from an older size if there is one.
    private static func request(
        _ leaves: [Digest],
        from older: UInt64,
        by key: SigningKey,
        spoiling spoil: (inout [Digest]) -> Void = { _ in }
    ) -> [UInt8] {
        let isProvable = older > 0 && older <= UInt64(leaves.count)
        var path =
            isProvable ? MerkleTree.overLeaves(leaves).consistencyProof(from: older) : []
        spoil(&path)
        let head = HeadNote(origin: key.name, head: head(leaves)).signed(by: key)
        return ConsistencyProof(olderSize: older, path: path, head: head).bytes
    }

    private func answer(_ request: [UInt8], at seconds: Int64 = 1) throws -> CosigningAnswer {
        try book.answer(to: request, now: Timestamp(milliseconds: 1_000 * seconds))
    }

    /// The content of an answer without the cosignature, which others check.
    private enum Kind: Equatable {
        case cosigned, malformed, unknownOrigin, notSigned, wrongProof
        case otherSize(UInt64)

        init(_ answer: CosigningAnswer) {
            self =
                switch answer {
                case .cosigned: .cosigned
                case .malformed: .malformed
                case .unknownOrigin: .unknownOrigin
                case .notSigned: .notSigned
                case .wrongProof: .wrongProof
                case .otherSize(let size): .otherSize(size)
                }
        }
    }

    @Test(arguments: Seeds.fresh(12))
    func `only what continues the last head that was cosigned is cosigned`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var fork = leaves
        fork[Int(random.next() % 60)] = SHA256.leaf([77].span)
        let keys = try [
            owner, owner, owner, owner, Self.key("example.com/book", 8),
            Self.key("example.com/unknown", 9),
        ]
        var seen = TreeHead(size: 0, root: MerkleFrontier.emptyRoot)
        var count = 0
        for turn in 0..<120 {
            let chain = random.next() % 4 == 0 ? fork : leaves
            let size = random.next() % 3 == 0 ? seen.size : random.next() % 61
            let older = random.next() % 3 == 0 ? random.next() % 61 : seen.size
            let key = keys[Int(random.next() % UInt64(keys.count))]
            let spoiling = random.next() % 8
            let part = Array(chain.prefix(Int(size)))
            let request = Self.request(part, from: older, by: key) { path in
                switch spoiling {
                case 0: path.append(SHA256.leaf([1].span))
                case 1 where !path.isEmpty: path.removeLast()
                case 2 where !path.isEmpty: path[0] = SHA256.leaf([2].span)
                default: break
                }
            }
            let isProvable = older > 0 && older < size
            let isSpoiled = spoiling == 0 || isProvable && spoiling < 3
            let head = Self.head(part)
            let expected: Kind =
                if key.name != owner.name {
                    .unknownOrigin
                } else if key.verifier(.text) != owner.verifier(.text) {
                    .notSigned
                } else if older > size {
                    .malformed
                } else if older != seen.size || size == seen.size && head.root != seen.root {
                    .otherSize(seen.size)
                } else if isSpoiled || Self.head(part.prefix(Int(seen.size))).root != seen.root {
                    .wrongProof
                } else {
                    .cosigned
                }
            let answer = try answer(request, at: Int64(turn))
            #expect(Kind(answer) == expected, "turn \(turn), seed \(seed)")
            if case .cosigned(let lines) = answer {
                count += 1
                seen = head
                let note = try SignedHead(
                    HeadNote(origin: owner.name, head: head).signed(by: owner).note.bytes
                        + Array(lines.joined().utf8)
                )
                #expect(lines.count == 1)
                #expect(note.note.cosignedAt(by: book.verifier) == UInt64(turn), "seed \(seed)")
            }
            let kept = try #require(try WitnessBook(at: book.path).logs().first)
            #expect(kept.head?.head ?? Self.head([]) == seen, "turn \(turn), seed \(seed)")
        }
        #expect(count > 0, "seed \(seed)")
    }

    @Test func `of requests at the same time one is cosigned, and the others hear its size`()
        throws
    {
        let first = Self.request(Array(leaves.prefix(10)), from: 0, by: owner)
        guard case .cosigned = try answer(first) else {
            Issue.record("the first head was not cosigned")
            return
        }
        let requests = (11..<27)
            .map { Self.request(Array(leaves.prefix($0)), from: 10, by: owner) }
        let answers = Answers()
        let book = book
        DispatchQueue.concurrentPerform(iterations: requests.count) { index in
            answers.add(try? book.answer(to: requests[index], now: Timestamp(milliseconds: 5_000)))
        }
        let size = try #require(try book.logs().first?.head?.head.size)
        let all = answers.all.map { $0.map(Kind.init) }
        #expect(all.count { $0 == .cosigned } == 1)
        #expect(all.count { $0 == .otherSize(size) } == requests.count - 1)
    }

    /// Answers to requests that are made at the same time.
    private final class Answers: @unchecked Sendable {
        private let lock = NSLock()
        private var answers: [CosigningAnswer?] = []

        var all: [CosigningAnswer?] { lock.withLock { answers } }

        func add(_ answer: CosigningAnswer?) {
            lock.withLock { answers.append(answer) }
        }
    }

    @Test func `what is no request is malformed`() throws {
        let sound = String(
            decoding: Self.request(Array(leaves.prefix(9)), from: 0, by: owner),
            as: UTF8.self
        )
        let hash = Base64.text([UInt8](repeating: 1, count: 32)) + "\n"
        for text in [
            "", "\n", "old 0", "old 0\n", "old 0\n\n", String(sound.dropLast()),
            sound.replacingOccurrences(of: "old 0", with: "old 00"),
            sound.replacingOccurrences(of: "old 0", with: "old -1"),
            sound.replacingOccurrences(of: "old 0", with: "size 0"),
            sound.replacingOccurrences(of: "old 0\n", with: ""),
            sound.replacingOccurrences(of: "old 0\n", with: "old 0\nAAAA\n"),
            sound.replacingOccurrences(
                of: "old 0\n",
                with: "old 0\n" + String(repeating: hash, count: 64)
            ),
            sound.replacingOccurrences(of: "\n", with: "\r\n"),
            sound.replacingOccurrences(of: "old 0", with: "old 10"),
        ] {
            #expect(try Kind(answer(Array(text.utf8))) == .malformed, "\(text)")
        }
        #expect(try Kind(answer(Array(sound.utf8))) == .cosigned)
    }

    @Test func `a log that was added is known before its first head`() throws {
        let log = try #require(try book.logs().first)
        #expect(log.owner == owner.verifier(.text) && log.head == nil)
        #expect(try !book.add(owner.verifier(.text)))
        let other = try Self.key("example.com/book", 8)
        do {
            _ = try book.add(other.verifier(.text))
            Issue.record("another key was taken")
        } catch {
            #expect(error.code == .forked)
        }
        // A person who has a head needs no key then.
        let head = HeadNote(origin: owner.name, head: Self.head(leaves)).signed(by: owner)
        let cosigned = try book.cosign(
            head.note.bytes,
            from: "test",
            owner: nil,
            now: Timestamp(milliseconds: 0)
        )
        #expect(try book.logs().map(\.head) == [cosigned])
        #expect(try !book.add(owner.verifier(.text)))
        #expect(try book.logs().map(\.head) == [cosigned])
        let names = try FileManager.default
            .contentsOfDirectory(atPath: directory.path("witness"))
        #expect(!names.contains { $0.hasSuffix(".expected") })
    }

    @Test func `a witness that has lost what it saw of a log that was added cosigns nothing`()
        throws
    {
        #expect(
            try Kind(answer(Self.request(Array(leaves.prefix(9)), from: 0, by: owner)))
                == .cosigned
        )
        let folder = directory.path("witness")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .first { $0.hasSuffix(".note") }
        )
        try FileManager.default.removeItem(atPath: folder + "/" + name)
        do {
            _ = try answer(Self.request(Array(leaves.prefix(9)), from: 0, by: owner))
            Issue.record("it began anew")
        } catch let error as LedgerError {
            #expect(error.code == .damaged)
        }
    }
}
