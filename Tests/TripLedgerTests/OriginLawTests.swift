import DriveSimulation
import Foundation
import LedgerTestSupport
import Platform
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// Every event that was made of a record of a file says so, and nothing else does.
@Suite struct OriginLawTests {
    /// A file of others: its events with the records that they were made of.
    private struct Source {
        var file: ImportedFile?
        var records: [(record: Int, line: String)]
    }

    /// The origin of each line, by its content: where it was read first.
    private typealias Origins = [String: (file: String, record: UInt64)?]

    @Test(arguments: Seeds.fresh(40))
    func `each event gives the record it was made of`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        let sources = Self.sources(seed, &random)
        var options = IntakeOptions(answersEveryLine: true)
        options.isAllOrNothing = Bool.random(using: &random)
        let expected = try Self.take(sources, into: book, options, &random)
        try Self.expect(expected, in: book, "seed \(seed)")
        try expectSound(book.ledger)

        let head = try book.ledger.head()
        _ = try Self.take(sources, into: book, options, &random)
        #expect(try book.ledger.head() == head, "seed \(seed): again, nothing is appended")
    }

    @Test(arguments: Seeds.fresh(8))
    func `a reader that stays open learns of files that are read later`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        var reader = book.ledger.origins()
        var expected: Origins = [:]
        var next: UInt64 = 0
        for source in Self.sources(seed, &random) {
            let options = IntakeOptions(answersEveryLine: true)
            let taken = try Self.take([source], into: book, options, &random)
            expected.merge(taken) { first, _ in first }
            try book.ledger.scanLog(from: next) { stored in
                next = stored.position + 1
                let origin = try reader.origin(
                    of: stored.position,
                    recordedAt: stored.recordedAt
                )
                let wanted = expected[stored.event.json] ?? nil
                switch origin {
                case .record(let record, of: let imported):
                    #expect(wanted?.record == record && wanted?.file == imported.file)
                case nil: #expect(wanted == nil, "seed \(seed), \(stored.position)")
                case .entry, .withheld: Issue.record("seed \(seed): nothing was received")
                }
                return true
            }
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `nothing is remembered of a file when all or nothing is refused`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        let head = try book.ledger.head()
        var options = IntakeOptions()
        options.isAllOrNothing = true
        var intake = try Intake(
            into: book.ledger,
            options: options,
            now: { book.now },
            onReceipt: { _ in }
        )
        intake.begin("a", of: ImportedFile("a.gpx", format: "gpx", digest: nil))
        for event in DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 5...9) {
            let line = Array(event.json.utf8)
            try intake.take(line.span, of: 1, recordedAt: book.now)
        }
        try intake.refuse(Rejection(.invalidTime, sentence: "It is late."), excerpt: "", of: 9)
        try intake.finish()
        #expect(try book.ledger.head() == head, "seed \(seed)")
    }

    /// Makes up files of others and lines of the ledger's own, some with what others have too.
    private static func sources(_ seed: UInt64, _ random: inout SplitMix64) -> [Source] {
        let drives = DriveSimulator.drives(seed: seed, count: 6, fixesPerDrive: 20...2_500)
        var pool = Array(drives).map(\.json)
        if Bool.random(using: &random) { pool.shuffle(using: &random) }
        return (0..<Int.random(in: 1...5, using: &random))
            .map { number in
                let start = Int.random(in: 0..<pool.count, using: &random)
                let end = min(pool.count, start + Int.random(in: 1...9_000, using: &random))
                var record = 0
                let records = pool[start..<end]
                    .map { line in
                        record += Int.random(in: 0...20, using: &random) == 0 ? 3 : 1
                        return (record, line)
                    }
                let isOther = Int.random(in: 0..<4, using: &random) > 0
                let file = ImportedFile("\(number).gpx", format: "gpx", digest: nil)
                return Source(file: isOther ? file : nil, records: records)
            }
    }

    /// Takes them in, and returns where each event must come from.
    private static func take(
        _ sources: [Source],
        into book: TemporaryLedger,
        _ options: IntakeOptions,
        _ random: inout SplitMix64
    ) throws -> Origins {
        let directory = try TemporaryDirectory()
        var expected: Origins = [:]
        var intake = try Intake(
            into: book.ledger,
            options: options,
            now: {
                book.now = book.now.advanced(byMilliseconds: 1)
                return book.now
            },
            onReceipt: { _ in }
        )
        for source in sources {
            guard let file = source.file else {
                let path = directory.path("lines")
                let text = source.records.map { $0.line + "\n" }.joined()
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                try intake.take(InputStream(at: FilePath(path)), named: "lines")
                for (_, line) in source.records where expected[line] == nil {
                    expected[line] = .some(nil)
                }
                continue
            }
            intake.begin(file.name, of: file)
            for (record, line) in source.records {
                let bytes = Array(line.utf8)
                try intake.take(bytes.span, of: record, recordedAt: book.now)
                if expected[line] == nil { expected[line] = (file.name, UInt64(record)) }
                if Int.random(in: 0..<500, using: &random) == 0 { try intake.flush(bytesRead: 0) }
            }
        }
        try intake.finish()
        return expected
    }

    /// Expects the log to have these events with these origins, in whatever order it is read.
    private static func expect(
        _ expected: Origins,
        in book: TemporaryLedger,
        _ comment: Comment
    ) throws {
        var entries: [StoredEvent] = []
        try book.ledger.scanLog(from: 0) { stored in
            entries.append(stored)
            return true
        }
        var missing = expected
        let orders = [entries, entries.reversed(), entries.shuffled().suffix(50)]
        for order in orders {
            var reader = book.ledger.origins()
            for stored in order {
                let origin = try reader.origin(
                    of: stored.position,
                    recordedAt: stored.recordedAt
                )
                guard !stored.event.source.isEmpty else {
                    #expect(origin == nil, comment)
                    continue
                }
                let wanted = try #require(expected[stored.event.json], comment)
                missing[stored.event.json] = nil
                switch origin {
                case .record(let record, of: let imported):
                    #expect(wanted?.record == record && wanted?.file == imported.file, comment)
                case nil: #expect(wanted == nil, comment)
                case .entry: Issue.record("nothing was received: \(comment)")
                case .withheld: Issue.record("nothing was withheld: \(comment)")
                }
            }
        }
        #expect(missing.isEmpty, comment)
    }
}
