import DriveSimulation
import Importers
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// The law of what an input holds: whatever was done to its bytes, each record of it is appended, a
/// duplicate, rejected or ignored, and nothing of it takes long or much room.
@Suite struct BalanceLawTests {
    private static let formats = ImportFormat.allCases.filter { $0 != .jsonl }

    /// The number of inputs of each format that are tried.
    private static let inputCount = Seeds.isThorough ? 10_000 : 24

    /// The most memory that reading one input may take, in bytes.
    private static let mostBytes = 64 << 20

    /// The most processor time that reading one input may take.
    private static let longest = Duration.seconds(1)

    @Test(arguments: formats)
    func `what an input had and what became of it add up`(format: ImportFormat) throws {
        let book = try TemporaryLedger()
        var intake = try Intake(
            into: book.ledger,
            options: IntakeOptions(answersEveryLine: false),
            now: { book.now },
            onReceipt: { _ in }
        )
        var counted = (events: 0, rejected: 0, ignored: 0)
        for seed in Seeds.all(Self.inputCount) {
            let bytes = Self.spoiled(format, seed)
            var items: [(ImportBatch.Outcome, [UInt8], Int)] = []
            var duration = Duration.zero
            let growth = try PeakMemory.growth(until: Self.mostBytes) {
                duration = try ThreadTime.spent { items = try Self.items(of: bytes, format) }
            }
            #expect(duration < Self.longest, "seed \(seed)")
            #expect((growth ?? 0) <= Self.mostBytes, "seed \(seed)")
            for (outcome, line, record) in items {
                #expect(record >= 1, "seed \(seed)")
                switch outcome {
                case .event:
                    counted.events += 1
                    try intake.take(line.span, of: record, recordedAt: book.now)
                case .rejected(let rejection):
                    counted.rejected += 1
                    #expect(!rejection.sentence.isEmpty, "seed \(seed)")
                    try intake.refuse(rejection, excerpt: "", of: record)
                case .ignored(let kind):
                    counted.ignored += 1
                    #expect(!kind.isEmpty, "seed \(seed)")
                    intake.ignore(kind)
                }
            }
        }
        try intake.finish()
        let summary = intake.summary
        let ignored = summary.ignored.values.reduce(0, +)
        let (taken, refused) = (summary.appended + summary.duplicate, summary.conflict)
        #expect(summary.read == taken + refused + summary.rejected + ignored)
        #expect(summary.read == counted.events + counted.rejected + counted.ignored)
        #expect(ignored == counted.ignored && summary.rejected >= counted.rejected)
        // Most inputs keep most of their fixes.
        #expect(summary.appended > 0)
    }

    /// One fix that was told with several texts in the place of a number, by files of their own.
    @Test(arguments: ["00Z", "00.0005Z"])
    func `what could not be read makes no other event, and the first text stays`(
        seconds: String
    ) throws {
        let book = try TemporaryLedger()
        var intake = try Intake(
            into: book.ledger,
            options: IntakeOptions(answersEveryLine: false),
            now: { book.now },
            onReceipt: { _ in }
        )
        let texts = ["n/a", "-", "unknown", "n/a", ""]
        for (index, text) in texts.enumerated() {
            let table = "time,lat,lon,speed\n2024-03-01T07:00:\(seconds),52.1,4.3,\(text)\n"
            for (outcome, line, record) in try Self.items(of: Array(table.utf8), .csv) {
                #expect(outcome == .event)
                try intake.take(line.span, of: record, recordedAt: book.now)
            }
            // Some in one group, some in one of their own.
            if index.isMultiple(of: 2) { try intake.flush(bytesRead: 0) }
        }
        try intake.finish()
        #expect(intake.summary.appended == 1 && intake.summary.duplicate == texts.count - 1)
        var lines: [String] = []
        try book.ledger.scanLog(from: 1) { stored in
            lines.append(stored.event.json)
            return true
        }
        let fixes = lines.filter { $0.contains("fix_recorded") }
        #expect(fixes.count == 1 && fixes[0].contains(#""extra":{"unread":{"speed":"n/a"}}"#))
        try expectSound(book.ledger)
    }

    /// Returns what an importer makes of an input, which comes in pieces.
    private static func items(
        of bytes: [UInt8],
        _ format: ImportFormat
    ) throws -> [(ImportBatch.Outcome, [UInt8], Int)] {
        var importer = try #require(FileImporter(format, options: ImportOptions(zone: .utc)))
        var batch = ImportBatch()
        var items: [(ImportBatch.Outcome, [UInt8], Int)] = []
        func note() {
            items += batch.items.map { ($0.outcome, Array(batch.bytes[$0.range]), $0.record) }
            batch.removeAll()
        }
        for start in stride(from: 0, to: bytes.count, by: 4_096) {
            let piece = Array(bytes[start..<min(bytes.count, start + 4_096)])
            importer.take(piece.span, into: &batch)
            note()
        }
        importer.finish(into: &batch)
        note()
        return items
    }

    /// Returns a drive in a format, to which several things were done.
    private static func spoiled(_ format: ImportFormat, _ seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let drive = Array(DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 5...20))
        var bytes = DrivesInFormats(drive).bytes(format)
        for _ in 0..<Int.random(in: 0...4, using: &random) where bytes.count > 1 {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0...7, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: end)
            case 3: bytes.removeSubrange(end...)
            case 4: bytes.insert(contentsOf: [UInt8](repeating: 0, count: end - start), at: start)
            case 5:
                let word = Self.words.randomElement(using: &random) ?? []
                bytes.replaceSubrange(start..<end, with: word)
            case 6 where bytes.count < 20_000: bytes += bytes
            default: bytes = Self.inOtherEncoding(bytes, format, using: &random)
            }
        }
        return bytes
    }

    private static let words = [
        "NaN", "null", "\"", "<", "</", ">", "}", "]", "{", "[", ",", ";", "\r\n", "\n\n", "-",
        "1e999", "\u{FEFF}", "<?xml version='1.0'?>", "<!--", "]]>", "&nope;", "é",
    ]
    .map { Array($0.utf8) }

    /// Returns the same in UTF-16, or with a mark; FIT is no text.
    private static func inOtherEncoding(
        _ bytes: [UInt8],
        _ format: ImportFormat,
        using random: inout SplitMix64
    ) -> [UInt8] {
        guard format != .fit else { return bytes + [0] }
        guard Bool.random(using: &random) else { return [0xEF, 0xBB, 0xBF] + bytes }
        return [0xFF, 0xFE] + bytes.flatMap { [$0, 0] }
    }
}
