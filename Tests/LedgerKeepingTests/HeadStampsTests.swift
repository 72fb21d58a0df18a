import DriveSimulation
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
    private let key: SigningKey
    private let head: SignedHead

    init() throws {
        book = try TemporaryLedger()
        authority = try StampAuthority()
        key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 7, count: 32)))
        )
        head = try book.ledger.signHead(with: key, in: book.heads)
    }

    /// Asks an authority for a stamp over the head, and keeps it.
    private func keep(
        by authority: StampAuthority,
        shiftingClock milliseconds: Int64 = 0
    ) throws -> HeadStamps.Statement {
        let request = TimeStampRequest(of: HeadStamps.stamped(head), number: 3)
        return try HeadStamps(of: book.ledger)
            .keep(
                authority.answer(to: request.bytes),
                to: request,
                over: head,
                from: "test",
                trusting: self.authority.root,
                now: WallClock.now.advanced(byMilliseconds: milliseconds),
                hint: "Ask another one"
            )
            .statement
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
        #expect(latest.at == stamp.time && stamp.authority == "Authority")
        // An altered file is no longer what was stamped.
        let kept = try #require(try HeadStamps(of: book.ledger).all().first?.file)
        let file = kept.replacingOccurrences(of: ".tsr", with: ".stamped")
        try Data([UInt8(ascii: "x")]).write(to: URL(fileURLWithPath: file))
        #expect(try book.ledger.checkStamps(trusting: authority.root).verdict == .damaged)
    }

    @Test func `a stamp over another head is wrong, whoever made it, and goes with no bundle`()
        throws
    {
        _ = try keep(by: authority)
        let stamps = HeadStamps(of: book.ledger)
        let kept = try #require(try stamps.all().first)
        let own = LedgerHead(head.head)
        let heads = [
            own, LedgerHead(size: own.size, root: String(repeating: "0", count: 64)),
            LedgerHead(size: own.size + 1, root: own.root),
        ]
        for (index, other) in heads.enumerated() {
            var outcome = VerifyOutcome(.origin)
            kept.tell(beside: other, into: &outcome)
            #expect(outcome.findingCount == (other == own ? 0 : 1), "\(other)")
            #expect(try stamps.statements(over: other).count == (other == own ? 1 : 0), "\(other)")
            let place = FilePath(book.directory.path("stamps\(index)"))
            try stamps.copy(over: other, to: place)
            #expect(try Directory.holds(place) == (other == own), "\(other)")
        }
    }

    @Test func `of a stamp by a stranger it cannot be told who made it, and damage stays damage`()
        throws
    {
        _ = try keep(by: authority)
        let other = try StampAuthority()
        let outcome = try book.ledger.checkStamps(trusting: other.root)
        #expect(outcome.verdict == .couldNotTell)
        #expect(outcome.doubts.first?.contains(".tsr") == true, "\(outcome.doubts)")
        let both = other.root + authority.root
        #expect(try book.ledger.checkStamps(trusting: both).verdict == .sound)
        let file = URL(
            fileURLWithPath: try #require(try HeadStamps(of: book.ledger).all().first?.file)
        )
        let sound = try Data(contentsOf: file)
        for index in stride(from: 0, to: sound.count, by: 7) {
            var bytes = sound
            bytes[index] ^= 1
            try bytes.write(to: file)
            #expect(try book.ledger.checkStamps(trusting: other.root).verdict == .damaged)
        }
    }

    @Test func `stamps and cosignatures of entries that a copy has go with it, and come back`()
        throws
    {
        _ = try keep(by: authority)
        let copy = FilePath(book.directory.path("copy"))
        try Directory.make(copy.appending("log"))
        try book.whileClosed {
            try FileManager.default.copyItem(
                atPath: book.logPath + "/data.mdb",
                toPath: copy.appending("log/data.mdb").string
            )
        }
        // A head that was signed since is about entries that the copy does not have.
        try book.append(Array(DriveSimulator.drives(seed: 1, count: 1, fixesPerDrive: 3...3)))
        _ = try book.ledger.signHead(with: key, in: book.heads)
        let backup = FilePath(book.directory.path("book.backup"))
        for isReplacing in [false, true] {
            let made = try HeadsBackup.make(
                of: book.path,
                beside: backup,
                in: copy,
                isReplacing: isReplacing
            )
            HeadsBackup.remove(in: copy)
            #expect(made.headCount == 1 && made.stampCount == 1 && made.left.isEmpty)
        }
        // Heads alone are what a backup left that did not end; beside a file they are its own.
        try Data().write(to: URL(fileURLWithPath: backup.string))
        #expect(throws: Errno.fileExists) {
            _ = try HeadsBackup.make(of: book.path, beside: backup, in: copy, isReplacing: false)
        }
        HeadsBackup.remove(in: copy)
        let back = try #require(try HeadsBackup.restore(from: backup, into: copy))
        #expect(back.headCount == 1 && back.stampCount == 1 && back.left.isEmpty)
        let restored = try Ledger(at: copy, isReadOnly: true)
        defer { restored.close() }
        #expect(try restored.checkStamps(trusting: authority.root).verdict == .sound)
        let last = try HeadStore(of: restored, outsideIn: nil).last()
        #expect(last == head)
        try HeadsBackup.remove(of: backup)
        #expect(try !Directory.holds(HeadsBackup.path(of: backup)))
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
