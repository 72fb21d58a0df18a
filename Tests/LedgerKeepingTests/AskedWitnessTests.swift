import DriveSimulation
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// A ledger that asks witnesses, which answer as C2SP tlog-witness says.
@Suite struct AskedWitnessTests {
    private static let now = Timestamp(milliseconds: 9_000)

    private let book: TemporaryLedger
    private let witness: WitnessBook
    private let asked: AskedWitness
    private let key: SigningKey

    init() throws {
        book = try TemporaryLedger()
        witness = try WitnessBook.create(
            at: FilePath(book.directory.path("witness")),
            name: #require(KeyName("accountant.example"))
        )
        key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 7, count: 32)))
        )
        let policy = "# asked\nquorum none\nwitness a \(witness.verifier) https://a.example/\n"
        asked = try #require(
            try AskedWitness.all(in: Array(policy.utf8), from: "policy").first
        )
    }

    /// Answers as a server of the witness does.
    private func answer(_ request: [UInt8], _: String) throws -> AskedWitness.Answer {
        switch try witness.answer(to: request, now: Self.now) {
        case .cosigned(let lines): (200, Array(lines.joined().utf8))
        case .malformed: (400, [])
        case .notSigned: (403, [])
        case .unknownOrigin: (404, [])
        case .otherSize(let size): (409, Array("\(size)\n".utf8))
        case .wrongProof: (422, [])
        }
    }

    private func signedHead(afterDrive seed: UInt64) throws -> SignedHead {
        try book.append(Array(DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 3...3)))
        return try book.ledger.signHead(with: key, in: book.heads)
    }

    @Test func `a witness cosigns each head of a ledger that grows, and its lines are kept`() throws
    {
        #expect(asked.address == "https://a.example/add-checkpoint")
        let unknown = try signedHead(afterDrive: 1)
        let problem = #expect(throws: LedgerError.self) {
            try asked.cosigned(unknown, of: book.ledger, now: Self.now, post: answer)
        }
        #expect(problem?.cause.contains("404") == true)
        #expect(try witness.add(key.verifier(.text)))
        for seed in UInt64(2)...5 {
            let head = try signedHead(afterDrive: seed)
            for _ in 0..<2 {
                let cosigned = try asked.cosigned(
                    head,
                    of: book.ledger,
                    now: Self.now,
                    post: answer
                )
                try book.ledger.keepCosigned(cosigned, from: "test", in: book.heads)
                let kept = try book.heads.requireLast()
                let keys = [key.verifier(.text), witness.verifier]
                #expect(try kept.note.signatures(by: keys).count == 2)
            }
        }
    }

    @Test(arguments: [-601, 601, 32_000_000_000])
    func `a cosignature of another time is refused`(seconds: Int64) throws {
        #expect(try witness.add(key.verifier(.text)))
        let head = try signedHead(afterDrive: 1)
        let problem = #expect(throws: LedgerError.self) {
            try asked.cosigned(
                head,
                of: book.ledger,
                now: Self.now.advanced(byMilliseconds: seconds * 1_000),
                post: answer
            )
        }
        #expect(problem?.cause.contains("another time") == true)
    }

    @Test func `an answer that is not the witness's own is refused`() throws {
        let head = try signedHead(afterDrive: 1)
        let size = head.head.size
        let stranger = key.cosignature(of: head.content.text, at: 9).line
        for (status, body) in [
            (200, ""), (200, "x\n"), (200, stranger), (409, "x\n"), (409, "\(size + 1)\n"),
            (409, "\(size)\n"), (500, ""),
        ] {
            #expect(throws: LedgerError.self) {
                try asked.cosigned(head, of: book.ledger, now: Self.now) { _, _ in
                    (status, Array(body.utf8))
                }
            }
        }
    }

    @Test(arguments: [
        "", "# nothing\n", "witness a b http://a\n", "witness a KEY ftp://a\n", "vitness a KEY\n",
        "witness a KEY\n", "witness a OWNER http://a\n",
    ])
    func `a policy that names no witness that can be asked is refused`(text: String) throws {
        let policy = text.replacing("KEY", with: "\(witness.verifier)")
            .replacing("OWNER", with: "\(key.verifier(.text))")
        #expect(throws: LedgerError.self) {
            try AskedWitness.all(in: Array(policy.utf8), from: "policy")
        }
    }
}
