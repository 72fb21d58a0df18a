import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Proofs
import Reports
import SystemPackage
import Tables
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Who withheld entries from a copy: the owner, who signs which they are, or anyone else.
@Suite struct WithheldTests {
    private let book: TemporaryLedger
    private let key: SigningKey
    private var keys: TrustedKeys { TrustedKeys(owner: key.verifier(.text)) }

    init() throws {
        book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 1, count: 2, fixesPerDrive: 9...9)))
        key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 1, count: 32)))
        )
        _ = try book.ledger.signHead(with: key, in: book.heads)
    }

    private func path(_ name: String) -> FilePath { FilePath(book.directory.path(name)) }

    /// Exports; with `isSigned`, what is withheld is signed.
    private func export(_ classes: Set<TripClass>, isSigned: Bool) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        let signer = isSigned ? LedgerSigner(key, in: book.heads) : nil
        _ = try book.ledger.export(as: .jsonl, withholding: classes, signedBy: signer) {
            lines.append($0)
        }
        return lines
    }

    private static func content(_ line: [UInt8]) throws -> ExportedContent {
        try ExportLine.content(of: line.span)
    }

    private static func header(_ line: [UInt8]) throws -> ExportHeader {
        try ExportHeader(line.span)
    }

    private func outcome(_ lines: [[UInt8]], _ keys: TrustedKeys) throws -> VerifyOutcome {
        let bytes = lines.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]
        let file = path("lines.jsonl")
        try Data(bytes).write(to: URL(fileURLWithPath: file.string))
        return try ExportVerification.outcome(ofExportAt: file, trusting: keys)
    }

    /// Withholds one more entry, as anyone can who has the export.
    private func withhold(_ index: Int, in lines: inout [[UInt8]]) throws {
        guard case .entry(let bytes) = try Self.content(lines[index]) else {
            Issue.record("line \(index) shows no entry")
            return
        }
        lines[index] = ExportLine.line(
            withheld: SHA256.leaf(bytes.span),
            at: UInt64(index - 1)
        )
        var header = try Self.header(lines[0])
        header.withheld += 1
        lines[0] = header.line
    }

    @Test func `an entry that a third party withheld is not verified`() throws {
        var lines = try export([], isSigned: false)
        #expect(try outcome(lines, keys).verdict == .verified)
        try withhold(6, in: &lines)
        for keys in [keys, TrustedKeys(owner: nil)] {
            let outcome = try outcome(lines, keys)
            #expect(outcome.verdict == .couldNotTell)
            #expect(outcome.doubts.contains { $0.contains("withheld by unknown hands") })
        }
    }

    @Test func `what the owner withheld is verified with the owner's key only`() throws {
        let lines = try export([.unclassified], isSigned: true)
        let signed = try outcome(lines, keys)
        #expect(signed.verdict == .verified, "\(signed)")
        #expect(signed.facts.contains { $0.what.contains("has signed which entries") })
        #expect(try outcome(lines, TrustedKeys(owner: nil)).verdict == .couldNotTell)
        let stranger = SigningKey(
            name: key.name,
            seed: try #require(SigningSeed([UInt8](repeating: 2, count: 32)))
        )
        let other = try outcome(lines, TrustedKeys(owner: stranger.verifier(.text)))
        #expect(other.verdict != .verified)
    }

    @Test func `an entry withheld beside those of the owner is found`() throws {
        var lines = try export([.unclassified], isSigned: true)
        let shown = try #require(
            lines.indices.dropFirst(2)
                .first { index in
                    if case .entry? = try? Self.content(lines[index]) {
                        true
                    } else {
                        false
                    }
                }
        )
        try withhold(shown, in: &lines)
        #expect(try outcome(lines, keys).verdict == .damaged)
    }

    @Test func `without the owner's list nothing tells who withheld`() throws {
        var lines = try export([.unclassified], isSigned: true)
        var header = try Self.header(lines[0])
        header.signedWithheld = nil
        lines[0] = header.line
        #expect(try outcome(lines, keys).verdict == .couldNotTell)
        let unsigned = try export([.unclassified], isSigned: false)
        #expect(try outcome(unsigned, keys).verdict == .couldNotTell)
    }

    @Test func `a list of withheld entries is no head, and a head no list`() throws {
        let lines = try export([.unclassified], isSigned: true)
        let header = try Self.header(lines[0])
        let list = try #require(header.signedWithheld?.note.bytes)
        let head = try #require(header.signedHead?.note.bytes)
        #expect(throws: ProofDamage.self) { try SignedHead(list) }
        #expect(throws: ProofDamage.self) { try SignedWithheld(head) }
    }

    @Test func `a copy keeps the owner's list and hands it on, and its figures say so`() throws {
        let signer = LedgerSigner(key, in: book.heads)
        let out = path("out")
        let summary = try book.ledger.export(
            as: .tiles,
            withholding: [.unclassified],
            signedBy: signer,
            into: out
        )
        #expect(summary.withheldSigner == "example.com/book")
        _ = try Ledger.importing(out, into: path("copy"))
        try TemporaryLedger.with(path("copy")) { copy in
            #expect(try copy.checkWithheld(keys).verdict == .sound)
            #expect(try copy.checkWithheld(TrustedKeys(owner: nil)).verdict == .couldNotTell)
            try expectSound(copy)
            _ = try copy.export(as: .jsonl, into: path("again"))
            let again = try ExportVerification.outcome(ofExportAt: path("again"))
            #expect(!again.doubts.contains { $0.contains("unknown hands") })
            let missing = try copy.read { try $0.missingEntries() }
            #expect(missing.withheldCount == summary.withheld && missing.erasedCount == 0)
            #expect(!missing.withheldPositions.isEmpty)
            for format in [RowFormat.text, .json, .csv] {
                let text = try mileage(copy, format)
                #expect(text.lowercased().contains("withheld"), "\(format)")
                #expect(text.contains(missing.withheldPositions[0]), "\(format)")
            }
        }
        let complete = try book.ledger.read { try $0.missingEntries() }
        #expect(complete.isEmpty)
        #expect(try !mileage(book.ledger, .json).contains("missing"))
    }

    @Test func `figures of a ledger with erased entries say so`() throws {
        try book.erase(book.ledger.planErasure(of: RangeSet([4..<6, 8..<9])))
        try book.erase(book.ledger.planErasure(of: RangeSet([10..<11])))
        let missing = try book.ledger.read { try $0.missingEntries() }
        #expect(missing.erasedCount == 4)
        #expect(missing.erasedPositions == ["4-5", "8", "10"])
        #expect(missing.erasedTrips.count == 1)
        for format in [RowFormat.text, .json, .csv] {
            #expect(try mileage(book.ledger, format).contains("4-5"), "\(format)")
        }
        try expectSound(book.ledger)
    }

    private func mileage(_ ledger: Ledger, _ format: RowFormat) throws -> String {
        let sheet = MileageSheet(
            in: LocalPeriod(localDay: LocalDay(zone: .utc)),
            style: TextStyle(),
            format: format,
            showsTrips: format != .csv
        )
        var bytes: [UInt8] = []
        _ = try ledger.read { snapshot in try sheet.write(snapshot) { $0(&bytes) } }
        return String(decoding: bytes, as: UTF8.self)
    }
}
