import DriveSimulation
import EventStore
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

/// Exporting, importing and checking an export with real files, and with files that stand in the
/// way.
@Suite struct ExchangeFileTests {
    private let book: TemporaryLedger
    private let files = FileManager.default

    init() throws {
        book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 1, count: 2, fixesPerDrive: 3...3)))
    }

    private func path(_ name: String) -> FilePath { FilePath(book.directory.path(name)) }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: book.directory.path(name)))
    }

    private func verdict(_ name: String) throws -> VerifyOutcome.Verdict {
        try ExportVerification.outcome(ofExportAt: path(name)).verdict
    }

    @Test func `what stands beside an export stays`() throws {
        let mine = book.directory.path("out.new/sub")
        try files.createDirectory(atPath: mine, withIntermediateDirectories: true)
        try write([1], "out.new/sub/thesis")
        _ = try book.ledger.export(as: .tiles, into: path("out"))
        #expect(files.fileExists(atPath: mine + "/thesis"))
        #expect(throws: LedgerError.self) {
            try book.ledger.export(as: .jsonl, into: path("out"))
        }
        #expect(try files.contentsOfDirectory(atPath: book.directory.path("")).count == 3)
    }

    @Test func `an import that fails leaves what others put there`() throws {
        try write(Array("{}\n".utf8), "none")
        #expect(throws: LedgerError.self) { try Ledger.importing(path("none"), into: path("new")) }
        #expect(!files.fileExists(atPath: book.directory.path("new")))
        let theirs = book.directory.path("copy/log.import")
        try files.createDirectory(atPath: theirs, withIntermediateDirectories: true)
        _ = try book.ledger.export(as: .jsonl, into: path("out"))
        _ = try Ledger.importing(path("out"), into: path("copy"))
        #expect(files.fileExists(atPath: theirs))
    }

    @Test func `a later part is sound although an older head was signed`() throws {
        let key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 1, count: 32)))
        )
        let owner = TrustedKeys(owner: key.verifier(.text))
        let signed = try book.ledger.signHead(with: key, in: book.heads)
        try book.append(Array(DriveSimulator.drives(seed: 2, count: 2, fixesPerDrive: 3...3)))
        let end = try book.ledger.head().size
        for from in [signed.head.size - 1, signed.head.size, signed.head.size + 1, end] {
            _ = try book.ledger.export(as: .jsonl, from: from, into: path("from\(from)"))
            #expect(try verdict("from\(from)") == .consistent)
        }
        let later = path("from\(signed.head.size + 1)")
        let unproven = try ExportVerification.outcome(ofExportAt: later, trusting: owner)
        #expect(unproven.verdict == .couldNotTell)

        var lines = try book.lines(.jsonl, from: signed.head.size + 1)
        let firstLine = lines[0]
        var header = try ExportHeader(firstLine.span)
        header.signedHead = signed
        lines[0] = header.line
        try write(Array(lines.joined(separator: [UInt8(ascii: "\n")])), "with-older-head")
        #expect(try verdict("with-older-head") == .couldNotTell)

        _ = try book.ledger.signHead(with: key, in: book.heads)
        _ = try book.ledger.export(as: .jsonl, from: signed.head.size + 1, into: path("proven"))
        let proven = try ExportVerification.outcome(ofExportAt: path("proven"), trusting: owner)
        #expect(proven.verdict == .verified)
    }

    @Test func `an older head vouches for its own entries alone, and a key for those after it`()
        throws
    {
        let key = SigningKey(
            name: try #require(KeyName("example.com/book")),
            seed: try #require(SigningSeed([UInt8](repeating: 1, count: 32)))
        )
        let owner = TrustedKeys(owner: key.verifier(.text))
        let whole = try book.ledger.signHead(with: key, in: book.heads).head.size
        _ = try book.ledger.export(as: .jsonl, into: path("out"))
        for size in 0...whole {
            let older = try #require(try book.ledger.head(atSize: size))
            let bare = try ExportVerification.outcome(
                ofExportAt: path("out"),
                beginningWith: older
            )
            #expect(bare.verdict == (size == whole ? .verified : .couldNotTell), "\(bare)")
            #expect(bare.vouchedBy == (size == whole ? .head : nil), "\(bare)")
            let signed = try ExportVerification.outcome(
                ofExportAt: path("out"),
                beginningWith: older,
                trusting: owner
            )
            #expect(signed.verdict == .verified, "\(signed)")
            let later = "the entries from position \(size) on"
            let isDoubted = bare.doubts.contains { $0.contains(later) }
            #expect(isDoubted == (size < whole), "\(bare)")
            let isTold = signed.facts.contains { $0.what.hasPrefix(later) }
            #expect(isTold == (size < whole), "\(signed)")
        }
    }

    @Test func `only what was checked is added`() throws {
        _ = try book.ledger.export(as: .jsonl, into: path("first"))
        _ = try Ledger.importing(path("first"), into: path("copy"))
        let known = try book.ledger.head()
        try book.append(Array(DriveSimulator.drives(seed: 5, count: 2, fixesPerDrive: 3...3)))
        let lines = try book.lines(.jsonl)
        try write(Array(lines.joined(separator: [UInt8(ascii: "\n")])), "good")
        let pipe = book.directory.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        do {
            _ = try Ledger.importing(FilePath(pipe), into: path("copy"))
            Issue.record("a pipe was read twice")
        } catch {
            #expect(error.code == .unreadableInput && error.cause.contains("twice"))
        }
        let unchanged = try TemporaryLedger.with(path("copy")) { try $0.head() }
        #expect(unchanged == known)
        let summary = try Ledger.importing(path("good"), into: path("copy"))
        #expect(summary.known == known.size && summary.added > 0)
    }

    @Test func `what is no export that can be read is not called changed`() throws {
        _ = try book.ledger.export(as: .cloudevents, into: path("events"))
        #expect(try verdict("events") == .couldNotTell)
        #expect(try verdict("events/cloudevents.jsonl") == .couldNotTell)
        let lines = try book.lines(.jsonl)
        let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        let newer = text.replacingOccurrences(of: "ledger-export/v1", with: "ledger-export/v2")
        try write(Array(newer.utf8), "newer")
        #expect(try verdict("newer") == .couldNotTell)
        #expect(throws: LedgerError.self) {
            try Ledger.importing(path("newer"), into: path("copy"))
        }
    }

    @Test func `a file in the place of tiles is damage`() throws {
        _ = try book.ledger.export(as: .tiles, into: path("out"))
        try files.removeItem(atPath: book.directory.path("out/tile/0"))
        try write([], "out/tile/0")
        #expect(try verdict("out") == .damaged)
    }

    @Test(arguments: [ExportFormat.jsonl, .tiles])
    func `what lies in an export and is none of it is named`(format: ExportFormat) throws {
        _ = try book.ledger.export(as: format, into: path("out"))
        #expect(try verdict("out") == .consistent)
        for name in ["checkpoint", "tile/0/999"] {
            let file = book.directory.path("out/\(name)")
            let folder = (file as NSString).deletingLastPathComponent
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write([1], "out/\(name)")
            let outcome = try ExportVerification.outcome(ofExportAt: path("out"))
            #expect([.damaged, .couldNotTell].contains(outcome.verdict), "\(name)")
            #expect(
                (outcome.doubts + outcome.findings.map(\.what))
                    .contains { $0.contains(name) || $0.contains("tile") },
                "\(name)"
            )
            try files.removeItem(atPath: file)
            if format == .jsonl { try? files.removeItem(atPath: book.directory.path("out/tile")) }
        }
    }

    @Test func `a first line that names millions of sources is refused before it is read`() throws {
        // Each source may have a group beside its name.
        let names = String(repeating: #""a","#, count: 2 * ExportHeader.maximumSources + 200)
        let line = #"{"format":"ledger-export/v1","sources":["# + names.dropLast() + "]}"
        do throws(ExportDamage) {
            _ = try ExportHeader(Array(line.utf8).span)
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains("sources"))
        }
    }

    @Test func `the event that begins a ledger can be neither withheld nor erased`() throws {
        var lines = try book.lines(.jsonl)
        let header = String(decoding: lines[0], as: UTF8.self)
        let first = lines[1]
        guard case .entry(let bytes) = try ExportLine.content(of: first.span) else {
            Issue.record("the first line is no entry")
            return
        }
        let withheld = header.replacingOccurrences(of: #""withheld":0"#, with: #""withheld":1"#)
        lines[0] = Array(withheld.utf8)
        lines[1] = ExportLine.line(withheld: SHA256.leaf(bytes.span), at: 0)
        try write(Array(lines.joined(separator: [UInt8(ascii: "\n")])), "headless")
        #expect(try verdict("headless") == .damaged)
        #expect(throws: LedgerError.self) {
            try Ledger.importing(path("headless"), into: path("copy"))
        }
    }

    @Test func `an export that names thousands of sources can be read again`() throws {
        let letters = String(repeating: "n", count: 100)
        let press = EventBody.goPressed(GoPressed())
        let time = Timestamp(milliseconds: 1_700_000_000_000)
        try book.append(
            (0..<11_000)
                .map {
                    TripEvent(source: "\(letters)\($0)", occurredAt: time, body: press)
                }
        )
        let size = try book.ledger.head().size
        _ = try book.ledger.export(as: .jsonl, from: size - 1, into: path("end"))
        #expect(try verdict("end") == .consistent)
    }

    @Test func `a line that was cut off takes no later one with it`() throws {
        let file = path("history.jsonl")
        try write(Array("{}\n{\"did\":\"ba".utf8), "history.jsonl")
        try DurableFile.append(line: Array("{\"whole\":1}".utf8), to: file)
        try DurableFile.append(line: Array("{\"next\":1}".utf8), to: file)
        let text = try String(contentsOfFile: file.string, encoding: .utf8)
        #expect(text == "{}\n{\"did\":\"ba\n{\"whole\":1}\n{\"next\":1}\n")
    }

    @Test func `moving does not replace what is there`() throws {
        try write([1], "one")
        try write([2], "two")
        #expect(throws: Errno.fileExists) {
            try DurableFile.move(path("one"), to: path("two"), isReplacing: false)
        }
        try DurableFile.move(path("one"), to: path("three"), isReplacing: false)
        #expect(files.contents(atPath: book.directory.path("three")) == Data([1]))
        #expect(!files.fileExists(atPath: book.directory.path("one")))
    }
}
