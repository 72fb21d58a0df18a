import Foundation
import TestSupport
import Testing

/// Reading a log again in pieces and slowly, and what a scrub says of damage.
@Suite struct ScrubTests {
    /// More than two of the pieces that a scrub reads at a time.
    private static let fixes = 80_000

    @Test func `a scrub that ran out of time goes on where it stopped, to the end`() throws {
        let (book, size, root) = try Self.longBook()
        let first = try book.run("scrub", "--minutes", "0")
        #expect(first.exitCode == 0, "\(first.errors)")
        let read = try #require(first.text.firstMatch(of: /the first (\d+) of (\d+) entries/))
        #expect(Int(read.2) == size)
        var position = try #require(Int(read.1))
        #expect(try !book.run("doctor", "--format", "json").text.contains("last_scrub_at"))
        // Without --resume it begins again.
        let again = try book.run("scrub", "--minutes", "0")
        #expect(again.text == first.text)
        var runs = 1
        while true {
            let next = try book.run("scrub", "--minutes", "0", "--resume")
            #expect(next.exitCode == 0, "\(next.errors)")
            runs += 1
            guard let read = next.text.firstMatch(of: /the first (\d+) of/) else {
                #expect(next.text.contains("\(size) entries were read"))
                #expect(next.text.contains("root is \(root)"))
                break
            }
            let reached = try #require(Int(read.1))
            #expect(reached > position)
            position = reached
        }
        #expect(runs > 2)
        #expect(try book.run("doctor", "--format", "json").text.contains("last_scrub_at"))
    }

    @Test func `a rate is not exceeded`() throws {
        let (book, _, _) = try Self.longBook()
        let megabytes = Double(try Self.dataFile(of: book).count) / 1_000_000
        let start = ContinuousClock.now
        #expect(try book.run("scrub", "--rate", "1").exitCode == 0)
        // The last piece is not waited for, and each has at most 2^20 bytes.
        #expect(ContinuousClock.now - start >= .seconds(megabytes / 2 - 1.05))
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test func `damage is named with its position, also by the part that is read later`() throws {
        let (book, size, _) = try Self.longBook()
        let first = try book.run("scrub", "--minutes", "0")
        let read = try #require(first.text.firstMatch(of: /the first (\d+) of/))
        let position = try #require(Int(read.1))
        var data = try Self.dataFile(of: book)
        // Far beyond the part that was read, where every page belongs to blocks.
        let offset = data.count * 4 / 5
        for place in stride(from: offset, to: offset + 16_384, by: 2_048) { data[place] ^= 0x10 }
        try data.write(to: Self.dataPath(of: book))
        for arguments in [["scrub", "--resume"], ["scrub"], ["scrub", "--rate", "100"]] {
            let scrub = try book.run(arguments + ["--format", "json"])
            #expect(scrub.exitCode == 1, "\(arguments): \(scrub.text)")
            let report = try JSONDecoder().decode(Report.self, from: scrub.output)
            let found = try #require(report.findings.compactMap(\.position).min())
            #expect(found > position && found < size, "\(arguments)")
            #expect(try book.run(arguments).text.contains("\(found)"))
        }
        #expect(try book.run("doctor").text.contains("The last scrub found damage: ledger verify"))
    }

    private struct Report: Decodable {
        struct Finding: Decodable {
            var position: Int?
        }

        var findings: [Finding]
    }

    /// A ledger whose log is too long to be read in one piece.
    private static let fixture = LedgerProcess.Fixture { book in
        try book.begin()
        let events = try book.run("simulate", "bulk", "--fixes", "\(fixes)").output
        try book.append(events)
    }

    private static func longBook() throws -> (book: LedgerProcess, size: Int, root: String) {
        let book = try fixture.copy()
        let head = try JSONDecoder()
            .decode(Head.self, from: book.run("head", "--format", "json").output)
        return (book, head.size, head.root)
    }

    private struct Head: Decodable {
        var size: Int
        var root: String
    }

    private static func dataPath(of book: LedgerProcess) -> URL {
        URL(fileURLWithPath: book.directory.path("book/log/data.mdb"))
    }

    private static func dataFile(of book: LedgerProcess) throws -> Data {
        try Data(contentsOf: dataPath(of: book))
    }
}
