import DriveSimulation
import LedgerTestSupport
import SystemPackage
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// What a scan of the log claims is what it has compared.
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
