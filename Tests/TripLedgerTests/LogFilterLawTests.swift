import DriveSimulation
import EventStore
import Foundation
import LedgerKeeping
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// A filter of the log lets exactly the matching lines through, in either order.
@Suite struct LogFilterLawTests {
    /// A line of the log with what filters look at, read from its JSON.
    private struct Line {
        var bytes: [UInt8]
        var position: UInt64
        var type: String
        var source: String
        var occurredAt: EventTime

        init(_ bytes: [UInt8]) throws {
            let json = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            self.bytes = bytes
            position = try #require(json?["position"] as? UInt64)
            type = try #require(json?["type"] as? String)
            source = try #require(json?["source"] as? String)
            let time = try #require(json?["occurred_at"] as? String)
            occurredAt = try RFC3339.preciseTime(Array(time.utf8)).time
        }
    }

    private static func lines(
        _ ledger: Ledger,
        from position: UInt64 = 0,
        _ filter: LogFilter = LogFilter(),
        isReversed: Bool = false
    ) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var json = EntryJSON()
        _ = try ledger.scanLog(from: position, where: filter, isReversed: isReversed) { entry in
            var line: [UInt8] = []
            json.append(entry, to: &line)
            lines.append(line)
            return true
        }
        return lines
    }

    private static func book(_ seed: UInt64) throws -> TemporaryLedger {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.append(try LogWriterLawTests.readings(200, &random))
        try book.appendRandomBook(seed: seed)
        try book.eraseSome(using: &random)
        _ = try book.appendOfTheFuture(
            kind: 0x6F,
            payload: [1, 2, 3],
            source: "phone",
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000)
        )
        return book
    }

    @Test(arguments: Seeds.fresh(8))
    func `a filter is what it says about the lines of the log`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try Self.book(seed)
        let all = try Self.lines(book.ledger).map { try Line($0) }
        let names = Array(Set(all.map(\.type))).sorted()
        #expect(Set(names).isSuperset(of: ["erased", "unknown", "fix_recorded"]), "seed \(seed)")
        let sources = Array(Set(all.map(\.source))).sorted()
        for _ in 0..<40 {
            let types = names.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let wanted = sources.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            let days = (0..<2)
                .map { _ in
                    CivilDate(daysSince1970: Int.random(in: 4_000...20_000, using: &random))
                }
                .sorted()
            let zone = LocalDay(zone: .utc, usesOwnOffsets: Bool.random(using: &random))
            let period =
                Bool.random(using: &random)
                ? nil : LocalPeriod(from: days[0], to: days[1], localDay: zone)
            let positions =
                Bool.random(using: &random)
                ? nil : all.map(\.position).filter { _ in Bool.random(using: &random) }
            let start = UInt64.random(in: 0...UInt64(all.count + 1), using: &random)
            let filter = try LogFilter(
                for: book.ledger,
                types: Set(types.map { try #require(EntryType(name: $0)) }),
                sources: wanted,
                period: period,
                positions: positions
            )
            let expected =
                all
                .filter { $0.position >= start }
                .filter { types.isEmpty || types.contains($0.type) }
                .filter { wanted.isEmpty || wanted.contains($0.source) }
                .filter { period?.contains($0.occurredAt) ?? true }
                .filter { positions?.contains($0.position) ?? true }
                .map(\.bytes)
            let found = try Self.lines(book.ledger, from: start, filter)
            #expect(found == expected, "seed \(seed)")
            let reversed = try Self.lines(book.ledger, from: start, filter, isReversed: true)
            #expect(reversed == expected.reversed(), "seed \(seed)")
        }
    }

    @Test func `a walk stops where it is told to, in either order`() throws {
        let book = try Self.book(1)
        let size = try book.ledger.head().size
        for (isReversed, last) in [(false, 12), (true, size - 3)] {
            var seen: [UInt64] = []
            let next = try book.ledger.scanLog(
                from: 10,
                where: LogFilter(),
                isReversed: isReversed
            ) { entry in
                seen.append(entry.position)
                return seen.count < 3
            }
            #expect(seen.last == last && seen.count == 3)
            if !isReversed { #expect(next == 13) }
        }
    }

    @Test func `a compact log is read in either order`() throws {
        let book = try Self.book(2)
        let before = try Self.lines(book.ledger)
        let compacted = try #require(try book.ledger.compact { _, _ in })
        defer { compacted.ledger.close() }
        #expect(compacted.report.compactBlocks > 0)
        #expect(try Self.lines(compacted.ledger) == before)
        #expect(try Self.lines(compacted.ledger, isReversed: true) == before.reversed())
    }
}
