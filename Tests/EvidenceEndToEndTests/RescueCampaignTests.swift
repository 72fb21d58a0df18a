import DriveSimulation
import Foundation
import TestSupport
import Testing

/// A rescue gives only entries that were in a data file, whatever happened to it.
@Suite struct RescueCampaignTests {
    private static let statesOfEachKind = 3

    @Test(arguments: Seeds.fresh(1))
    func `nothing that is rescued is invented, and all of it verifies`(seed: UInt64) throws {
        let book = try LedgerProcess()
        try book.begin()
        let lines = DriveLines.mixed(seed: seed)
        try book.append(DriveLines.data(lines.prefix(lines.count / 2)))
        #expect(try book.run("key", "new").exitCode == 0)
        #expect(try book.run("head", "--sign").exitCode == 0)
        let erase = try book.run("erase", "5-9", "--why", "x", "--yes")
        #expect(erase.exitCode == 0, "\(erase.errors)")
        // In pieces, so that the open block stands in the file in many versions.
        for start in stride(from: lines.count / 2, to: lines.count, by: 40) {
            try book.append(DriveLines.data(lines[start..<min(start + 40, lines.count)]))
        }
        let original = Original(
            log: try book.run("log", "--format", "json").lines,
            data: try Data(contentsOf: Self.dataFile(of: book))
        )
        var random = SplitMix64(seed: seed)
        for damage in DamagedFile.allCases {
            for number in 0..<Self.statesOfEachKind {
                let data = damage.damaged(original.data, using: &random)
                try data.write(to: Self.dataFile(of: book))
                try expectRescue(of: book, original, "seed \(seed), \(damage) \(number)")
            }
        }
    }

    @Test func `what was erased stays erased, even before the file was written anew`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            mkfifo pipe
            ledger append --receipts pipe > receipts 2> /dev/null &
            exec 3> pipe
            ledger simulate tunnel --source other | head -n 1 >&3
            until [ -s receipts ]; do sleep 0.02; done
            ledger erase 4-6 --why x --yes > /dev/null 2>&1; echo "exit $?"
            cp book/log/data.mdb unswept
            exec 3>&-
            wait
            ledger rescue unswept -o saved > /dev/null; echo "exit $?"
            ledger verify saved > /dev/null; echo "exit $?"
            """
        #expect(try book.shell(session).lines == ["exit 74", "exit 0", "exit 0"])
        let log = try book.run("log", "--format", "json").lines
        #expect(log.filter { $0.contains(#""type":"erased""#) }.count == 3)
        #expect(try book.run("log", "--ledger", "saved", "--format", "json").lines == log)
    }

    @Test func `a signed head proves what is saved, and says what is missing`() throws {
        let book = try LedgerProcess()
        try book.begin()
        #expect(try book.run("key", "new").exitCode == 0)
        for lines in [DriveLines.mixed(seed: 1), DriveLines.mixed(seed: 2)] {
            try book.append(DriveLines.data(lines))
            #expect(try book.run("head", "--sign").exitCode == 0)
        }
        let sound = try book.run("log", "--format", "json").lines.count
        let whole = try Self.rescue(book)
        #expect(whole.complete)
        #expect(whole.provenBySignedHead == sound)
        #expect(whole.missing == [])
        #expect(whole.unreachedHeads == nil)
        let other = "1:" + String(repeating: "0", count: 64)
        let arguments = ["rescue", "book", "-o", "contrary", "--format", "json"]
        let contrary = try book.run(arguments + ["--known-head", other])
        #expect(contrary.exitCode == 1)
        #expect(
            contrary.text.contains(#""contradicted_heads":["1"],"stranded""#),
            "\(contrary.text)"
        )

        let data = try Data(contentsOf: Self.dataFile(of: book))
        try data.prefix(data.count / 2).write(to: Self.dataFile(of: book))
        let half = try Self.rescue(book)
        #expect(!half.complete)
        #expect(half.size < sound)
        let last = try #require(half.missing.last)
        #expect(last.hasSuffix("-\(sound - 1)"))
        #expect(half.contradictedHeads == [])
        #expect(half.unreachedHeads?.contains("\(sound)") == true)
        #expect(half.provenBySignedHead <= half.size)
    }

    /// A head that is kept outside the ledger's directory is of entries that nothing has any more.
    @Test func `a ledger that lost signed entries is sound and signed again, if that is accepted`()
        throws
    {
        let book = try LedgerProcess()
        try book.begin()
        #expect(try book.run("key", "new").exitCode == 0)
        #expect(try book.run("token", "new", "phone").exitCode == 0)
        let first = try book.append(DriveLines.data(DriveLines.mixed(seed: 1))).size
        #expect(try book.run("head", "--sign").exitCode == 0)
        let older = try Data(contentsOf: Self.dataFile(of: book))
        let second = try book.append(DriveLines.data(DriveLines.mixed(seed: 2))).size
        #expect(try book.run("head", "--sign").exitCode == 0)
        try older.write(to: Self.dataFile(of: book))

        let refused = try book.run("rescue", "book", "-o", "saved")
        #expect(refused.exitCode == 1)
        #expect(refused.text.contains("the known head of \(second) entries"), "\(refused.text)")
        #expect(refused.errors.contains("--accept-loss"), "\(refused.errors)")
        #expect(try book.run("verify", "saved").exitCode == 1)
        let unsigned = try book.run("head", "--sign", "--ledger", "saved")
        #expect(unsigned.exitCode == 1)
        #expect(unsigned.errors.contains("restore-backup FILE --accept-loss"))

        let arguments = ["rescue", "book", "-o", "again", "--accept-loss", "--format", "json"]
        let rescue = try book.run(arguments)
        #expect(rescue.exitCode == 1, "\(rescue.errors)")
        #expect(rescue.errors.isEmpty, "\(rescue.errors)")
        #expect(rescue.text.contains(#""size":\#(first),"#), "\(rescue.text)")
        #expect(rescue.text.contains(#""heads_set_aside":["#), "\(rescue.text)")
        #expect(rescue.text.contains(#""tokens":"restored""#), "\(rescue.text)")
        #expect(!rescue.text.contains("foreign_heads"), "\(rescue.text)")
        let session = """
            ledger verify again > /dev/null; echo "exit $?"
            ledger head --sign --ledger again > /dev/null; echo "exit $?"
            ledger token list --ledger again --format json | grep -c phone
            grep -c '"did":"rescued".*"heads_set_aside"' again/history.jsonl
            ledger verify again > /dev/null; echo "exit $?"
            """
        let lines = try book.shell(session).lines
        #expect(lines == ["exit 0", "exit 0", "1", "1", "exit 0"])
    }

    @Test func `tokens that are damaged, too, keep nothing else from being rescued`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger token new phone > /dev/null
            truncate -s 5000 book/server/data.mdb
            ledger rescue book -o saved --format json | grep -o '"tokens":"[a-z]*"'
            ledger verify saved > /dev/null; echo "exit $?"
            ls saved | grep -c -e server -e restore
            """
        #expect(try book.shell(session).lines == [#""tokens":"unsound""#, "exit 0", "0"])
    }

    @Test func `with one meta page left, the log says what it had before its last change`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let first = try book.append(DriveLines.data(DriveLines.mixed(seed: 1))).size
        let second = try book.append(DriveLines.data(DriveLines.mixed(seed: 2).prefix(9))).size
        let data = try Data(contentsOf: Self.dataFile(of: book))
        var earlier: Set<Int> = []
        for page in 0...1 {
            var damaged = data
            let start = page * 4_096
            damaged.replaceSubrange(start..<start + 4_096, with: Data(count: 4_096))
            try damaged.write(to: Self.dataFile(of: book))
            let report = try Self.rescue(book)
            #expect(report.size == Int(second))
            #expect(report.statedSize == nil)
            earlier.insert(try #require(report.earlierSize))
        }
        #expect(earlier == [Int(first), Int(second)])
    }

    private struct Original {
        var log: [String]
        var data: Data
    }

    private struct Report: Decodable {
        var size: Int
        var complete: Bool
        var provenBySignedHead: Int
        var statedSize: Int?
        var earlierSize: Int?
        var contradictedHeads: [String]
        var unreachedHeads: [String]?
        var findings: [String]?
        var stranded: [String]
        var missing: [String]
    }

    private struct Stranded: Decodable {
        var position: Int
        var entry: String
    }

    private func expectRescue(
        of book: LedgerProcess,
        _ original: Original,
        _ state: Comment
    ) throws {
        let report = try Self.rescue(book, state)
        let saved = book.directory.url.appendingPathComponent("saved")
        #expect(report.size <= original.log.count, state)
        if report.size > 0 {
            let log = try book.run("log", "--ledger", "saved", "--format", "json").lines
            #expect(log == Array(original.log.prefix(report.size)), state)
            let verification = try book.run("verify", "saved")
            // The signed head is longer than what could be saved: that is not for a rescue to hide.
            let isShort = verification.text.contains("a head of")
            // Tombstones may be all that is left of an erasure: the report says that, too; and the
            // root that the damaged log states may itself be what was damaged.
            let findings = (report.findings ?? [])
                .filter { !$0.hasPrefix("an entry was changed, or the log's own root") }
            for finding in findings {
                #expect(finding.hasSuffix("no event says that it was erased"), state)
            }
            let isTorn = !findings.isEmpty
            let expected: Int32 = isShort || isTorn ? 1 : 0
            #expect(verification.exitCode == expected, "\(state): \(verification.text)")
        }
        let stranded = saved.appendingPathComponent("stranded.jsonl")
        guard FileManager.default.fileExists(atPath: stranded.path) else { return }
        for line in try String(contentsOf: stranded, encoding: .utf8).split(separator: "\n") {
            let entry = try JSONDecoder().decode(Stranded.self, from: Data(line.utf8))
            #expect(entry.position >= report.size && entry.position < original.log.count, state)
            #expect(original.data.range(of: try Self.bytes(entry.entry)) != nil, state)
        }
    }

    private static func dataFile(of book: LedgerProcess) -> URL {
        URL(fileURLWithPath: book.directory.path("book/log/data.mdb"))
    }

    private static func rescue(_ book: LedgerProcess, _ state: Comment = "") throws -> Report {
        let saved = book.directory.url.appendingPathComponent("saved")
        try? FileManager.default.removeItem(at: saved)
        let rescue = try book.run("rescue", "book", "-o", "saved", "--format", "json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let report = try decoder.decode(Report.self, from: rescue.output)
        let isNothing = report.size == 0 && report.stranded.isEmpty
        let expected: Int32 = report.complete ? 0 : isNothing ? 2 : 1
        #expect(rescue.exitCode == expected, "\(state): \(rescue.errors)")
        return report
    }

    private static func bytes(_ hexadecimal: String) throws -> Data {
        let digits = Array(hexadecimal.utf8)
        return try Data(
            stride(from: 0, to: digits.count, by: 2)
                .map { place in
                    let text = String(decoding: digits[place..<place + 2], as: UTF8.self)
                    return try #require(UInt8(text, radix: 16))
                }
        )
    }
}
