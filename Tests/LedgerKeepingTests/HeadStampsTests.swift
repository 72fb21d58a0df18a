import Foundation
import LedgerTestSupport
import Platform
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Stamps over the signed heads of a ledger: only right ones are kept, and they are checked again.
@Suite(.enabled(if: StampAuthority.isPresent, StampAuthority.missing)) struct HeadStampsTests {
    private let book: TemporaryLedger
    private let authority: StampAuthority
    private let head: SignedHead

    init() throws {
        book = try TemporaryLedger()
        authority = try StampAuthority()
        let key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 7, count: 32)))
        )
        head = try book.ledger.signHead(with: key, in: book.heads)
    }

    /// Asks an authority for a stamp over the head, and keeps it.
    private func keep(
        by authority: StampAuthority,
        shiftingClock milliseconds: Int64 = 0
    ) throws -> TimeStamp {
        let request = TimeStampRequest(of: HeadStamps.stamped(head), number: 3)
        return try HeadStamps(of: book.ledger)
            .keep(
                authority.answer(to: request.bytes),
                to: request,
                over: head,
                from: "test",
                trusting: self.authority.root,
                now: WallClock.now.advanced(byMilliseconds: milliseconds)
            )
            .stamp
    }

    @Test func `a stamp is kept, and holds while the log has the head, whoever cosigns it`() throws
    {
        let stamp = try keep(by: authority)
        let witness = SigningKey(
            name: try #require(KeyName("witness.example")),
            seed: try #require(SigningSeed([UInt8](repeating: 8, count: 32)))
        )
        var cosigned = head
        cosigned.add(witness.cosignature(of: head.content.text, at: 7))
        try book.ledger.keepCosigned(cosigned, from: "test", in: book.heads)
        #expect(HeadStamps.stamped(cosigned) == HeadStamps.stamped(head))
        #expect(try book.ledger.checkStamps(trusting: authority.root).verdict == .sound)
        let latest = try #require(try HeadStamps(of: book.ledger).latest())
        #expect(latest.size == head.head.size)
        #expect(latest.at.milliseconds == stamp.seconds * 1_000)
        let other = try StampAuthority()
        #expect(try book.ledger.checkStamps(trusting: other.root).verdict == .damaged)
        // An altered file is no longer what was stamped.
        let kept = try #require(try HeadStamps(of: book.ledger).all().first?.file)
        let file = kept.replacingOccurrences(of: ".tsr", with: ".stamped")
        try Data([UInt8(ascii: "x")]).write(to: URL(fileURLWithPath: file))
        #expect(try book.ledger.checkStamps(trusting: authority.root).verdict == .damaged)
    }

    @Test func `without a stamp nobody can tell when others saw the log`() throws {
        #expect(try book.ledger.checkStamps(trusting: authority.root).verdict == .couldNotTell)
        #expect(try HeadStamps(of: book.ledger).latest() == nil)
    }

    @Test func `a stamp of another authority or of another year is not kept`() throws {
        let year: Int64 = 365 * 86_400_000
        let (other, expired) = (try StampAuthority(), try StampAuthority(validForDays: -1))
        #expect(throws: LedgerError.self) { try keep(by: other) }
        #expect(throws: (any Error).self) { try keep(by: expired) }
        let shifts: [Int64] = [year, -year, 11 * 60_000, -11 * 60_000]
        for shift in shifts {
            let problem = #expect(throws: LedgerError.self) {
                try keep(by: authority, shiftingClock: shift)
            }
            #expect(problem?.cause.contains("the clock here says") == true)
        }
        #expect(try HeadStamps(of: book.ledger).all().isEmpty)
    }
}
