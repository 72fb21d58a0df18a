import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import LedgerKeeping
@testable import TripLedger

/// Signing heads of a real ledger, whose copies outside are in a directory of the test.
@Suite struct SigningTests {
    @Test(arguments: Seeds.fresh(3))
    func `every proof of a signed log holds, and heads are consistent`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        var heads: [SignedHead] = []
        for _ in 0..<4 {
            try temporary.append(Self.events(Int(random.next() % 400) + 1, &random))
            heads.append(try temporary.ledger.signHead(with: key, in: temporary.heads))
        }
        let last = try #require(heads.last)
        #expect(try heads.allSatisfy { try $0.isSigned(by: key.verifier(.text)) })
        #expect(try temporary.heads.last() == last)
        var leaves: [Digest] = []
        try temporary.ledger.log.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() { leaves.append(entry.leafHash) }
            return true
        }
        #expect(leaves.count == Int(last.head.size))
        let positions = (0..<30).map { _ in random.next() % last.head.size }
        try temporary.ledger.prove(Array(Set(positions)).sorted(), under: last) { proven in
            let leaf = SHA256.leaf(proven.entry.span)
            #expect(leaf == leaves[Int(proven.event.position)], "seed \(seed)")
            #expect(proven.proof.isValid(for: leaf), "seed \(seed)")
        }
        for (index, older) in heads.enumerated() {
            for newer in heads[index...] {
                let proof = try temporary.ledger.consistencyProof(from: older, to: newer)
                #expect(proof.isValid(since: older.head), "seed \(seed)")
            }
        }
        #expect(
            try temporary.ledger.checkHeads(TrustedKeys(owner: nil), in: temporary.heads).verdict
                == .sound
        )
    }

    @Test func `what stands in a proof and no hash covers is named`() throws {
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        let head = try temporary.ledger.signHead(with: key, in: temporary.heads)
        try temporary.ledger.prove([0], under: head) { proven in
            let check = ProofVerification(trusting: TrustedKeys(owner: key.verifier(.text)))
            let sound = check.outcome(ofProof: proven.proof.bytes, entry: proven.entry)
            #expect(sound.verdict == .verified)
            let text = String(decoding: proven.proof.bytes, as: UTF8.self)
                .replacingOccurrences(of: "\nindex ", with: "\nextra AAAA\nindex ")
            let padded = check.outcome(ofProof: Array(text.utf8), entry: proven.entry)
            #expect(padded.verdict == .couldNotTell)
        }
    }

    @Test func `signing the same log again gives the same head, with what cosigned it`() throws {
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        var head = try temporary.ledger.signHead(with: key, in: temporary.heads)
        #expect(try temporary.ledger.signHead(with: key, in: temporary.heads) == head)
        head.add(try Self.key(2).cosignature(of: head.content.text, at: 7))
        try temporary.ledger.keepCosigned(head, from: "test", in: temporary.heads)
        #expect(try temporary.ledger.signHead(with: key, in: temporary.heads) == head)
    }

    @Test func `an older copy in the ledger's place signs nothing`() throws {
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        let book = temporary.directory.path("book")
        let copy = temporary.directory.path("copy")
        var random = SplitMix64(seed: 5)
        try temporary.append(Self.events(300, &random))
        _ = try temporary.ledger.signHead(with: key, in: temporary.heads)
        try temporary.whileClosed { try FileManager.default.copyItem(atPath: book, toPath: copy) }
        try temporary.append(Self.events(300, &random))
        _ = try temporary.ledger.signHead(with: key, in: temporary.heads)
        try temporary.whileClosed {
            try FileManager.default.removeItem(atPath: book)
            try FileManager.default.moveItem(atPath: copy, toPath: book)
        }
        #expect(throws: LedgerError.self) {
            try temporary.ledger.signHead(with: key, in: temporary.heads)
        }
        #expect(code { try temporary.ledger.signHead(with: key, in: temporary.heads) } == .forked)
        // Grown beyond the signed size by other events, it is another history all the same.
        try temporary.append(Self.events(700, &random))
        #expect(code { try temporary.ledger.signHead(with: key, in: temporary.heads) } == .forked)
        let outcome = try temporary.ledger.checkHeads(
            TrustedKeys(owner: key.verifier(.text)),
            in: temporary.heads
        )
        #expect(outcome.verdict == .damaged)
    }

    @Test func `a head that was changed where it is kept is damage`() throws {
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        _ = try temporary.ledger.signHead(with: key, in: temporary.heads)
        let heads = temporary.directory.path("book/heads")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: heads).first)
        let file = URL(fileURLWithPath: "\(heads)/\(name)")
        let sound = try Data(contentsOf: file)
        for index in sound.indices {
            var changed = sound
            changed[index] ^= 1
            try changed.write(to: file)
            let trusted = TrustedKeys(owner: key.verifier(.text))
            let verdict = try temporary.ledger.checkHeads(trusted, in: temporary.heads).verdict
            #expect(verdict == .damaged, "byte \(index)")
        }
        // Another root for a size that was signed.
        var forged = sound
        forged[sound.count / 4] ^= 1
        try forged.write(to: file)
        #expect(throws: LedgerError.self) {
            try temporary.ledger.signHead(with: key, in: temporary.heads)
        }
        try sound.write(to: file)
        #expect(
            try temporary.ledger.signHead(with: key, in: temporary.heads).note.bytes == Array(sound)
        )
    }

    @Test func `entries that changed since they were hashed are not signed`() throws {
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        var random = SplitMix64(seed: 6)
        try temporary.append(Self.events(400, &random))
        let data = URL(fileURLWithPath: temporary.logPath + "/data.mdb")
        try temporary.whileClosed {
            var bytes = try Data(contentsOf: data)
            let last = try #require(bytes.range(of: Data("decaying".utf8), options: .backwards))
            bytes[last.lowerBound] ^= 1
            try bytes.write(to: data)
        }
        #expect(code { try temporary.ledger.signHead(with: key, in: temporary.heads) } == .damaged)
    }

    @Test func `a trip is proven with what was decided about it, and with nothing else`() throws {
        let temporary = try TemporaryLedger()
        let start: Int64 = 1_700_000_000_000
        func event(_ source: String, _ minutes: Int64, _ body: EventBody) -> TripEvent {
            let time = Timestamp(milliseconds: start + 60_000 * minutes)
            return TripEvent(source: source, occurredAt: time, body: body)
        }
        try temporary.append([
            event("phone", 0, .goPressed(GoPressed())),
            event("other", 1, .goPressed(GoPressed())),
            event("phone", 20, .stopPressed(StopPressed())),
            event("phone", 40, .goPressed(GoPressed())),
        ])
        let rows = try temporary.ledger.trips(TripFilter(includesUncounted: true))
        let row = try #require(rows.last { $0.trip.source == "phone" })
        try temporary.append([
            event("desk", 50, .tripVoided(TripVoided(trip: row.trip.id))),
            event("desk", 51, .tripVoided(TripVoided(trip: rows[0].trip.id))),
            event("desk", 52, .tripRestored(TripRestored(trip: row.trip.id))),
        ])
        let reference = try #require(TripReference(row.trip.id.description))
        // Positions 0, 1, 3 and 7 are the ledger's: it was made, and sources got their numbers.
        #expect(try temporary.ledger.positions(of: reference) == [2, 5, 8, 10])
    }

    @Test func `a key that others can read is refused`() throws {
        let directory = try TemporaryDirectory()
        let file = SigningKeyFile(at: FilePath(directory.path("a/b/key")))
        let name = try #require(KeyName("example.com/book"))
        let key = try file.create(name: name)
        #expect(try file.key().secretText == key.secretText)
        #expect(code { try file.create(name: name) } == .alreadyThere)
        let manager = FileManager.default
        for rights in [0o640, 0o604, 0o660, 0o610, 0o601] {
            try manager.setAttributes([.posixPermissions: rights], ofItemAtPath: file.path.string)
            #expect(code { try file.key() } == .unreadableInput, "\(rights)")
        }
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path.string)
        #expect(try file.key().secretText == key.secretText)
        let link = directory.path("link")
        try manager.createSymbolicLink(atPath: link, withDestinationPath: file.path.string)
        #expect(code { try SigningKeyFile(at: FilePath(link)).key() } == .unreadableInput)
    }

    private func code<Value>(_ body: () throws -> Value) -> LedgerError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? LedgerError)?.code
        }
    }

    @Test func `an export carries the last signed head, and its signature is checked`() throws {
        let temporary = try TemporaryLedger()
        let key = try Self.key(1)
        let owner = TrustedKeys(owner: key.verifier(.text))
        let unsigned = FilePath(temporary.directory.path("unsigned"))
        _ = try temporary.ledger.export(as: .jsonl, into: unsigned)
        let doubt = try ExportVerification.outcome(ofExportAt: unsigned, trusting: owner)
        #expect(doubt.verdict == .couldNotTell)
        var random = SplitMix64(seed: 7)
        try temporary.append(Self.events(20, &random))
        _ = try temporary.ledger.signHead(with: key, in: temporary.heads)
        for format in [ExportFormat.jsonl, .tiles] {
            let out = FilePath(temporary.directory.path(format.rawValue))
            _ = try temporary.ledger.export(as: format, into: out)
            #expect(ExportVerification.isExport(at: out))
            let outcome = try ExportVerification.outcome(ofExportAt: out, trusting: owner)
            #expect(outcome.verdict == .verified, "\(outcome)")
            let other = TrustedKeys(owner: try Self.key(2).verifier(.text))
            let refused = try ExportVerification.outcome(ofExportAt: out, trusting: other)
            #expect(refused.verdict == .damaged)
        }
    }

    @Test(arguments: Seeds.fresh(3))
    func `a key vouches for all entries or for none that came later`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let temporary = try TemporaryLedger()
        let (key, witness) = (try Self.key(1), try Self.key(2))
        let owner = key.verifier(.text)
        let demands = [
            TrustedKeys(owner: owner),
            TrustedKeys(owner: owner, witnesses: [witness.verifier(.cosignature)]),
        ]
        for turn in 0..<4 {
            try temporary.append(Self.events(Int(random.next() % 40) + 1, &random))
            let isSigned = turn.isMultiple(of: 2)
            if isSigned {
                var head = try temporary.ledger.signHead(with: key, in: temporary.heads)
                head.add(witness.cosignature(of: head.content.text, at: 7))
                try temporary.ledger.keepCosigned(head, from: "test", in: temporary.heads)
            }
            let signed = try temporary.heads.requireLast()
            let out = FilePath(temporary.directory.path("out\(turn)"))
            try Self.write(try Self.export(of: temporary.ledger, signed: signed), to: out)
            for keys in demands {
                let outcomes: [(VerifyOutcome, VerifyOutcome.Verdict)] = [
                    (try temporary.ledger.checkHeads(keys, in: temporary.heads), .sound),
                    (try ExportVerification.outcome(ofExportAt: out, trusting: keys), .verified),
                ]
                for (outcome, verdict) in outcomes {
                    #expect(outcome.verdict == (isSigned ? verdict : .couldNotTell))
                    #expect(outcome.vouchedBy == (isSigned ? .key : nil), "\(outcome)")
                    let names = outcome.doubts.filter {
                        $0.contains("from position \(signed.head.size) on")
                    }
                    #expect(names.count == (isSigned ? 0 : 1), "seed \(seed): \(outcome)")
                }
            }
        }
    }

    /// Returns an export with a signed head, which need not be that of all its entries.
    private static func export(of ledger: Ledger, signed: SignedHead) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try ledger.export(as: .jsonl) { bytes += $0 + [UInt8(ascii: "\n")] }
        let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        let line = Array(bytes[..<end])
        var header = try ExportHeader(line.span)
        header.signedHead = signed
        return header.line + bytes[end...]
    }

    private static func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    }

    @Test func `what was erased cannot be proven`() throws {
        let temporary = try TemporaryLedger()
        var random = SplitMix64(seed: 8)
        try temporary.append(Self.events(20, &random))
        let head = try temporary.ledger.signHead(with: try Self.key(1), in: temporary.heads)
        let positions = try temporary.erasablePositions()
        let position = try #require(positions.last)
        let everything = RangeSet(positions.map { $0..<$0 + 1 })
        try temporary.erase(temporary.ledger.planErasure(of: everything))
        do {
            try temporary.ledger.prove([position], under: head) { _ in
                Issue.record("a tombstone was proven")
            }
            Issue.record("it was not refused")
        } catch let error as LedgerError {
            #expect(error.code == .notFound && error.cause.contains("erased"))
        }
        #expect(
            try temporary.ledger.checkHeads(TrustedKeys(owner: nil), in: temporary.heads).verdict
                == .sound
        )
    }

    private static func key(_ number: UInt8) throws -> SigningKey {
        SigningKey(
            name: try #require(KeyName("example.com/\(number)")),
            seed: try #require(SigningSeed([UInt8](repeating: number, count: 32)))
        )
    }

    private static func events(_ count: Int, _ random: inout SplitMix64) -> [TripEvent] {
        (0..<count)
            .map { _ in
                TripEvent(
                    source: "phone",
                    occurredAt: Timestamp(
                        milliseconds: 1_700_000_000_000 + Int64(random.next() % 1_000_000_000)
                    ),
                    id: "decaying \(random.next())",
                    body: .goPressed(GoPressed())
                )
            }
    }
}
