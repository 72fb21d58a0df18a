import EventStore
import Foundation
import LMDB
import LedgerTestSupport
import Proofs
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Reading a log in several runs finds what reading it in one finds.
@Suite struct LogScrubTests {
    /// More than one run reads when it has no time at all.
    private static let eventCount = 60_000

    @Test func `what was found before a pause is found again after it`() throws {
        let temporary = try TemporaryLedger()
        try append(to: temporary)
        let root = try firstSubtreeRoot(of: temporary.ledger)
        let cursor = temporary.directory.path("book/scrub.cursor")
        try temporary.whileClosed {
            // A run that found nothing has left word of how far it was.
            #expect(try scrub(temporary, isResumed: false).isEmpty)
            #expect(FileManager.default.fileExists(atPath: cursor))
            let data = URL(fileURLWithPath: temporary.logPath + "/data.mdb")
            let sound = try Data(contentsOf: data)
            var damaged = sound
            var place = damaged.startIndex
            while let found = damaged.range(of: root, in: place..<damaged.endIndex) {
                damaged[found.lowerBound] ^= 1
                place = found.upperBound
            }
            try damaged.write(to: data)
            #expect(try scrub(temporary, isResumed: false).count == 1)
            #expect(!FileManager.default.fileExists(atPath: cursor))
            #expect(try scrub(temporary, isResumed: true).count == 1)
            try sound.write(to: data)
            #expect(try scrub(temporary, isResumed: true).isEmpty)
        }
    }

    @Test func `tables that no log has are named`() throws {
        let temporary = try TemporaryLedger()
        try temporary.whileClosed {
            #expect(try scrub(temporary, isResumed: false).isEmpty)
            let environment = try Environment(
                at: FilePath(temporary.logPath),
                options: Environment.Options(
                    maximumTables: 16,
                    initialMapBytes: 1 << 20,
                    isReadOnly: false,
                    maximumReaders: 126
                )
            )
            _ = try environment.write { try $0.createTable("notes") }
            environment.close()
            let findings = try scrub(temporary, isResumed: false)
            #expect(findings.contains { $0.what.contains("\"notes\"") }, "\(findings)")
        }
    }

    @Test func `a cursor that is none is passed over`() throws {
        let temporary = try TemporaryLedger()
        let cursor = temporary.directory.path("book/scrub.cursor")
        try temporary.whileClosed {
            try #require(mkfifo(cursor, 0o600) == 0)
            var facts: [String] = []
            try LogScrub(at: temporary.path, bytesPerSecond: nil, minutes: nil, isResumed: true)
                .run { if case .fact(let fact) = $0 { facts.append(fact.what) } }
            #expect(facts.contains { $0.hasPrefix("1 entries were read") }, "\(facts)")
        }
    }

    @Test func `a run that goes on says what it has read itself`() throws {
        let temporary = try TemporaryLedger()
        try append(to: temporary)
        let size = try temporary.ledger.head().size
        try temporary.whileClosed {
            #expect(try scrub(temporary, isResumed: false).isEmpty)
            var facts: [String] = []
            try LogScrub(at: temporary.path, bytesPerSecond: nil, minutes: nil, isResumed: true)
                .run { if case .fact(let fact) = $0 { facts.append(fact.what) } }
            let fact = try #require(facts.first)
            let match = try #require(fact.firstMatch(of: /last start, (\d+) of them in this run/))
            let count = try #require(UInt64(match.1))
            #expect(0 < count && count < size)
        }
    }

    /// Runs a scrub that has no time, and returns what was wrong.
    private func scrub(_ temporary: TemporaryLedger, isResumed: Bool) throws -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        try LogScrub(at: temporary.path, bytesPerSecond: nil, minutes: 0, isResumed: isResumed)
            .run { if case .finding(let finding) = $0 { findings.append(finding) } }
        return findings
    }

    private func append(to temporary: TemporaryLedger) throws {
        try temporary.append(
            (0..<Self.eventCount)
                .map { number in
                    let time = Timestamp(milliseconds: 1_700_000_000_000 + 1_000 * Int64(number))
                    return TripEvent(
                        source: "phone",
                        occurredAt: time,
                        body: .goPressed(GoPressed())
                    )
                }
        )
    }

    private func firstSubtreeRoot(of ledger: Ledger) throws -> Data {
        var frontier = MerkleFrontier()
        try ledger.log.scan(from: 0) { block in
            var entries = block.entries
            while frontier.size < 256, let entry = try entries.next() {
                _ = frontier.append(entry.leafHash)
            }
            return frontier.size < 256
        }
        return Data(frontier.root.array)
    }
}
