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

/// The store of signed heads: nothing that was signed or cosigned is lost or replaced.
@Suite struct HeadStoreTests {
    private let temporary: TemporaryLedger
    private let key: SigningKey
    private let witness: SigningKey

    init() throws {
        temporary = try TemporaryLedger()
        key = try Self.key(1)
        witness = try Self.key(2)
    }

    @Test func `what comes back under the owner's name replaces nothing`() throws {
        let signed = try sign()
        let line =
            String(decoding: signed.note.bytes, as: UTF8.self)
            .split(separator: "\n")
            .last ?? ""
        var letters = Array(String(line))
        letters[letters.count - 10] = letters[letters.count - 10] == "A" ? "B" : "A"
        let spoiled = signed.note.bytes + Array((String(letters) + "\n").utf8)
        try keep(SignedHead(spoiled))
        #expect(try temporary.heads.last() == signed)
        #expect(try sign() == signed)
        #expect(try verdict() == .sound)
    }

    @Test func `witnesses can cosign side by side, and again`() throws {
        let signed = try sign()
        let other = try Self.key(3)
        var first = signed
        first.add(witness.cosignature(of: signed.content.text, at: 1))
        var second = signed
        second.add(other.cosignature(of: signed.content.text, at: 2))
        try keep(first)
        try keep(second)
        var again = signed
        again.add(witness.cosignature(of: signed.content.text, at: 3))
        try keep(again)
        let last = try temporary.heads.requireLast()
        #expect(last.note.cosignedAt(by: witness.verifier(.cosignature)) == 3)
        #expect(last.note.cosignedAt(by: other.verifier(.cosignature)) == 2)
        #expect(try last.isSigned(by: key.verifier(.text)))
    }

    @Test func `more signatures than can be read again are refused, and nothing is lost`() throws {
        let signed = try sign()
        let junk = (0..<99).map { "— name\($0) AAAAAAAA\n" }.joined()
        try keep(SignedHead(signed.note.bytes + Array(junk.utf8)))
        let kept = try temporary.heads.last()
        #expect(kept?.note.signatures.count == 100)
        var more = signed
        more.add(witness.cosignature(of: signed.content.text, at: 1))
        #expect(code { try keep(more) } == .unreadableInput)
        #expect(try temporary.heads.last() == kept)
        #expect(try verdict() == .sound)
    }

    @Test func `a key of another name does not replace a cosigned head`() throws {
        var signed = try sign()
        signed.add(witness.cosignature(of: signed.content.text, at: 1))
        try keep(signed)
        let other = try Self.key(4)
        #expect(code { try sign(with: other) } == .alreadyThere)
        #expect(try temporary.heads.all().map(\.head) == [signed, signed])
        try append()
        _ = try sign(with: other)
        // The first key still vouches for what it has signed, and for nothing else.
        #expect(try verdict() == .couldNotTell)
        #expect(try verdict(TrustedKeys(owner: other.verifier(.text))) == .sound)
    }

    @Test func `a lost folder of heads does not cost cosignatures`() throws {
        var signed = try sign()
        signed.add(witness.cosignature(of: signed.content.text, at: 1))
        try keep(signed)
        try FileManager.default.removeItem(atPath: temporary.directory.path("book/heads"))
        #expect(try sign() == signed)
        #expect(try temporary.heads.all().map(\.head) == [signed, signed])
    }

    @Test func `a new key of the same name is enough for all entries`() throws {
        _ = try sign()
        try append()
        let new = SigningKey(name: key.name, seed: try Self.seed(9))
        _ = try sign(with: new)
        #expect(try verdict(TrustedKeys(owner: new.verifier(.text))) == .sound)
        #expect(try verdict() == .damaged)
    }

    @Test func `two copies of a ledger that went apart are not both signed`() throws {
        try append()
        let book = temporary.directory.path("book")
        let copyPath = temporary.directory.path("copy")
        try temporary.whileClosed {
            try FileManager.default.copyItem(atPath: book, toPath: copyPath)
        }
        let copy = try Ledger(at: FilePath(copyPath))
        defer { copy.close() }
        let now = temporary.now.advanced(byMilliseconds: 5_000)
        _ = try copy.append([Self.event(1_000)], now: now)
        try append()
        let heads = HeadStore(of: copy, outsideIn: FilePath(temporary.directory.path("outside")))
        // While one of them signs, the other cannot even begin.
        try temporary.heads.locked {
            let lock = temporary.directory.path("outside/\(copy.fileName).lock")
            let isFree = try FileLock.reading(FilePath(lock), within: .milliseconds(0)) { true }
            #expect(isFree == nil)
        }
        _ = try sign()
        #expect(code { try copy.signHead(with: key, in: heads) } == .forked)
    }

    @Test func `two ledgers are not signed under one name`() throws {
        _ = try sign()
        let other = try TemporaryLedger()
        let outside = FilePath(temporary.directory.path("outside"))
        let heads = HeadStore(of: other.ledger, outsideIn: outside)
        #expect(code { try other.ledger.signHead(with: key, in: heads) } == .alreadyThere)
        _ = try other.ledger.signHead(with: Self.key(5), in: heads)
        try append()
        _ = try sign()
    }

    @Test func `a head that is none is a finding, and the others are checked all the same`() throws
    {
        _ = try sign()
        try append()
        _ = try sign()
        let heads = temporary.directory.path("book/heads")
        let first = try #require(FileManager.default.contentsOfDirectory(atPath: heads).min())
        let path = "\(heads)/\(first)"
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        let obstacles: [() throws -> Void] = [
            { try Data(repeating: 32, count: 1_100_000).write(to: URL(fileURLWithPath: path)) },
            { try Self.createDirectory(path) },
            { try Self.createLink(path) },
            { try #require(mkfifo(path, 0o600) == 0) },
        ]
        for (number, obstacle) in obstacles.enumerated() {
            try FileManager.default.removeItem(atPath: path)
            try obstacle()
            let outcome = try temporary.ledger.checkHeads(trusted, in: temporary.heads)
            #expect(outcome.verdict == .damaged, "\(number)")
            #expect(outcome.findingCount == 1, "\(number)")
            #expect(outcome.facts.contains { $0.what.contains("has signed") }, "\(number)")
        }
        try FileManager.default.removeItem(atPath: path)
        try sound.write(to: URL(fileURLWithPath: path))
        #expect(try verdict() == .sound)
    }

    @Test func `without a place outside, the heads inside are checked`() throws {
        _ = try sign()
        let heads = HeadStore(of: temporary.ledger, outsideIn: nil)
        #expect(try temporary.ledger.checkHeads(trusted, in: heads).verdict == .sound)
    }

    private var trusted: TrustedKeys { TrustedKeys(owner: key.verifier(.text)) }

    private func sign(with other: SigningKey? = nil) throws -> SignedHead {
        try temporary.ledger.signHead(with: other ?? key, in: temporary.heads)
    }

    private func keep(_ head: SignedHead) throws {
        try temporary.ledger.keepCosigned(head, from: "test", in: temporary.heads)
    }

    private func verdict(_ keys: TrustedKeys? = nil) throws -> VerifyOutcome.Verdict {
        try temporary.ledger.checkHeads(keys ?? trusted, in: temporary.heads).verdict
    }

    private func append() throws {
        try temporary.append([Self.event(temporary.ledger.head().size)])
    }

    private func code<Value>(_ body: () throws -> Value) -> LedgerError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? LedgerError)?.code
        }
    }

    private static func event(_ number: UInt64) -> TripEvent {
        let time = Timestamp(milliseconds: 1_700_000_000_000 + 60_000 * Int64(number))
        return TripEvent(source: "phone", occurredAt: time, body: .goPressed(GoPressed()))
    }

    private static func key(_ number: UInt8) throws -> SigningKey {
        SigningKey(
            name: try #require(KeyName("example.com/\(number)")),
            seed: try seed(number)
        )
    }

    private static func seed(_ number: UInt8) throws -> SigningSeed {
        try #require(SigningSeed([UInt8](repeating: number, count: 32)))
    }

    private static func createDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    private static func createLink(_ path: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: "/dev/null"
        )
    }
}
