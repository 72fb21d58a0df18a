import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import Platform
import SystemPackage
import TestSupport
import Testing
import TripEvents
import TripLedger

@testable import LedgerKeeping

/// A line that is not where it belongs is one finding, and what follows it is still read.
@Suite struct DisplacedLineTests {
    private let book: TemporaryLedger

    init() throws {
        book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 2, fixesPerDrive: 9...9)))
    }

    private func findings(_ lines: [[UInt8]]) throws -> [VerifyFinding] {
        let file = FilePath(book.directory.path("lines.jsonl"))
        let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        try Data(bytes).write(to: URL(fileURLWithPath: file.string))
        let outcome = try ExportVerification.outcome(ofExportAt: file)
        #expect(outcome.firstBadPosition == outcome.findings.compactMap(\.position).min())
        return outcome.findings
    }

    private static func finding(_ position: UInt64, _ what: String) -> VerifyFinding {
        VerifyFinding(.export, at: position, what)
    }

    @Test func `every dropped line is named by its position alone`() throws {
        let lines = try book.lines(.jsonl)
        let count = lines.count - 1
        #expect(count > 15)
        for position in 0..<count - 1 {
            var dropped = lines
            dropped.remove(at: position + 1)
            let expected = Self.finding(UInt64(position), "position \(position) is missing")
            #expect(try findings(dropped) == [expected], "position \(position)")
        }
        let last = Self.finding(
            UInt64(count - 1),
            "it ends here, and says that it holds \(count) entries"
        )
        #expect(try findings(Array(lines.dropLast())) == [last])
    }

    @Test func `dropped, swapped and repeated lines are told apart`() throws {
        let lines = try book.lines(.jsonl)
        var gap = lines
        gap.removeSubrange(6...8)
        #expect(try findings(gap) == [Self.finding(5, "positions 5 to 7 are missing")])
        var swapped = lines
        swapped.swapAt(6, 7)
        #expect(
            try findings(swapped) == [
                Self.finding(5, "position 5 is missing"),
                Self.finding(5, "position 5 stands here again, or too late: after position 6"),
            ]
        )
        var twice = lines
        twice.insert(lines[6], at: 7)
        #expect(
            try findings(twice) == [
                Self.finding(5, "position 5 stands here again, or too late: after position 5")
            ]
        )
    }

    @Test func `a changed line after a gap is found as well`() throws {
        var lines = try book.lines(.jsonl)
        let text = String(decoding: lines[12], as: UTF8.self)
        let changed = text.replacing(#""recorded_at":"2"#, with: #""recorded_at":"3"#)
        #expect(changed != text)
        lines[12] = Array(changed.utf8)
        lines.remove(at: 5)
        let found = try findings(lines)
        #expect(found.map(\.position) == [4, 11], "\(found)")
    }

    @Test func `an export with a gap is not imported, and the reason names it`() throws {
        var lines = try book.lines(.jsonl)
        lines.remove(at: 5)
        _ = try findings(lines)
        let source = FilePath(book.directory.path("lines.jsonl"))
        do {
            _ = try Ledger.importing(source, into: FilePath(book.directory.path("copy")))
            Issue.record("it was imported")
        } catch {
            #expect(error.code == .unreadableInput && error.cause == "position 4 is missing")
        }
    }
}
