import DriveSimulation
import LedgerTestSupport
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// A scan of the log claims only what it has compared.
@Suite struct LogScanTests {
    @Test func `a head whose root is none is a finding, and confirms nothing`() throws {
        let temporary = try TemporaryLedger()
        let head = try temporary.ledger.head()
        try temporary.whileClosed {
            let none = LedgerHead(size: 500, root: "ZZ")
            let messages = try scan(temporary.path, knownHeads: [head, none])
            #expect(messages.findings.map(\.subject) == [.head])
            #expect(!messages.facts.contains { $0.what.contains("500") })
            #expect(try scan(temporary.path, knownHeads: [head]).findings.isEmpty)
        }
    }

    @Test func `entries of which only the hash is left are counted`() throws {
        let temporary = try TemporaryLedger()
        try temporary.append(DriveSimulator.events(of: .homeToOffice, seed: 1, source: "phone"))
        let out = FilePath(temporary.directory.path("out"))
        let summary = try temporary.ledger.export(
            as: .jsonl,
            withholding: [.unclassified],
            into: out
        )
        let copy = FilePath(temporary.directory.path("copy"))
        _ = try Ledger.importing(out, into: copy)
        let withheld = try scan(copy).facts.map(\.what)
        #expect(
            withheld.contains { $0.contains(" 0 were erased and \(summary.withheld) withheld") }
        )
        let positions = try temporary.erasablePositions()
        try temporary.erase(
            temporary.ledger.planErasure(of: RangeSet(positions.map { $0..<$0 + 1 }))
        )
        try temporary.whileClosed {
            let erased = try scan(temporary.path).facts.map(\.what)
            let count = positions.count
            #expect(erased.contains { $0.contains(" \(count) were erased and 0 withheld") })
        }
    }

    @Test func `the heads that issued reports name are compared with the log`() throws {
        let temporary = try TemporaryLedger()
        try temporary.append(DriveSimulator.events(of: .homeToOffice, seed: 1, source: "phone"))
        let (ledger, now) = (temporary.ledger, EventTime(temporary.now))
        let head = try ledger.head()
        let day = try #require(CivilDate(year: 2025, month: 1, day: 1))
        func issue(_ head: LedgerHead) throws -> UInt64 {
            let content = ReportIssued(
                report: "log",
                periodStart: day,
                periodEnd: day,
                outputHash: head.root,
                treeSize: head.size,
                treeHash: head.root
            )
            _ = try ledger.issue(content, now: now)
            return try ledger.head().size - 1
        }
        _ = try issue(head)
        let sound = FilePath(temporary.directory.path("sound"))
        _ = try ledger.export(as: .jsonl, into: sound)
        #expect(try ExportVerification.outcome(ofExportAt: sound).verdict == .consistent)
        // One of more entries than there are, and one of fewer with another root.
        let positions = [
            try issue(LedgerHead(size: head.size + 500, root: head.root)),
            try issue(LedgerHead(size: head.size - 1, root: head.root)),
        ]
        for format in [ExportFormat.jsonl, .tiles] {
            let out = FilePath(temporary.directory.path(format.rawValue))
            _ = try ledger.export(as: format, into: out)
            let findings = try ExportVerification.outcome(ofExportAt: out).findings
            #expect(findings.map(\.subject) == [.report, .report], "\(findings)")
            #expect(findings.map(\.position) == positions, "\(findings)")
        }
        try temporary.whileClosed {
            let findings = try scan(temporary.path).findings
            #expect(findings.map(\.subject) == [.report, .report], "\(findings)")
            #expect(findings.map(\.position) == positions, "\(findings)")
            #expect(findings.first?.what.contains("only \(positions[0]) stand before it") == true)
        }
        let copy = FilePath(temporary.directory.path("copy"))
        _ = try Ledger.importing(sound, into: copy)
        #expect(try scan(copy).facts.contains { $0.what.contains("the report that was issued") })
    }

    private func scan(
        _ path: FilePath,
        knownHeads: [LedgerHead] = []
    ) throws -> (findings: [VerifyFinding], facts: [VerifyFact]) {
        var findings: [VerifyFinding] = []
        var facts: [VerifyFact] = []
        try LogScan(at: path, knownHeads: knownHeads, recordedFrom: nil)
            .run {
                if case .finding(let finding) = $0 { findings.append(finding) }
                if case .fact(let fact) = $0 { facts.append(fact) }
            }
        return (findings, facts)
    }
}
