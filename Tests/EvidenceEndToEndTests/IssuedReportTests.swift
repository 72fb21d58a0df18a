import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger

/// An issued report is made again byte for byte, whatever was appended later.
@Suite struct IssuedReportTests {
    private static let reports =
        Seeds.sample(of: ofCountries) + [
            "log --year 2025 --sums --units mi", "changes --year 2025 --all",
            "claim --year 2025 --jurisdiction nl --vehicle van",
            "claim --year 2025 --jurisdiction company",
        ]

    /// Five reports of the tax years of seven countries, with their languages, units and papers.
    private static let ofCountries = [
        ("us", "2025-01-01", "2025-12-31", "en --units mi --paper letter"),
        ("gb", "2024-04-06", "2025-04-05", "en --units mi --time-zone Europe/London"),
        ("ca", "2025-01-01", "2025-12-31", "fr --paper letter"),
        ("nl", "2025-01-01", "2025-12-31", "nl"), ("de", "2025-01-01", "2025-12-31", "de"),
        ("au", "2024-07-01", "2025-06-30", "en"), ("fr", "2025-01-01", "2025-12-31", "fr"),
    ]
    .flatMap { country, first, last, language in
        [
            "log", "summary --jurisdiction \(country)", "claim --jurisdiction \(country)",
            "reconcile", "completeness --jurisdiction \(country)",
        ]
        .map { "\($0) --from \(first) --to \(last) --language \(language)" }
    }

    private static let formats = ["text", "json", "csv", "html"]

    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger rates set company --rate 0.35 --per km --currency EUR --from 2024-01-01
            ledger place save Home --lat 51.92 --lon 4.36 > /dev/null
            ledger simulate --start 2025-03-03 --days 5 --places --seed 3 | ledger append
            ledger edit --unclassified --class business --vehicle van --yes
            """
    )

    /// Issues every report in every format; file N holds the bytes of report RN.
    private static func issueAll(_ ledger: LedgerProcess) throws -> Int {
        var count = 0
        for report in reports {
            for format in formats {
                count += 1
                let outcome = try ledger.shell(
                    "ledger report \(report) --format \(format) --issue > \(count)"
                )
                try #require(outcome.exitCode == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("Issued as R\(count)"), "\(outcome.errors)")
            }
        }
        return count
    }

    @Test(arguments: Seeds.fresh(1))
    func `what comes later changes no byte of what was issued`(seed: UInt64) throws {
        let ledger = try Self.fixture.copy()
        let count = try Self.issueAll(ledger)
        for number in 1...count {
            let again = try ledger.shell("ledger report reissue R\(number) | cmp - \(number)")
            #expect(again.exitCode == 0, "seed \(seed), R\(number): \(again.text)\(again.errors)")
        }
        let later = try ledger.shell(
            """
            set -e
            ledger simulate --start 2025-03-04 --days 2 --seed \(seed % 1_000) --source late \\
                | ledger append
            ledger simulate tunnel --source tunnel | ledger append
            ledger edit last --purpose "roof" --class business
            ledger adjust last --km 7 --why odometer
            ledger place save Home --lat 51.93 --lon 4.37
            ledger vehicle register van --kind motorcycle
            ledger rates set company --rate 0.99 --per km --currency EUR --from 2024-06-01
            ledger trips --year 2025 --limit 1 --format csv --columns id | tail -n 1 | cut -c1-32 \\
                > id
            ledger void $(cat id) --why "not mine"
            """
        )
        try #require(later.exitCode == 0, "seed \(seed): \(later.errors)")
        for number in 1...count {
            let again = try ledger.shell("ledger report reissue R\(number) | cmp - \(number)")
            #expect(again.exitCode == 0, "seed \(seed), R\(number): \(again.text)\(again.errors)")
        }
        let fresh = try ledger.shell("ledger report \(Self.reports[0]) | cmp -s - 1")
        #expect(fresh.exitCode == 1, "nothing was changed")
    }

    @Test func `what could not be written was not issued`() throws {
        let ledger = try Self.fixture.copy()
        let outcome = try ledger.shell("ledger report log --year 2025 --issue > /dev/full")
        #expect(outcome.exitCode == 74)
        #expect(try ledger.run("report", "issued", "--format", "json").text == "")
    }

    @Test func `a report whose entries were erased says so and prints nothing`() throws {
        let ledger = try Self.fixture.copy()
        _ = try ledger.shell("ledger report log --year 2025 --issue > 1")
        _ = try ledger.shell("ledger erase --trip last --why privacy --yes")
        let outcome = try ledger.run("report", "reissue", "R1")
        #expect(outcome.exitCode == 1)
        #expect(outcome.text == "")
        #expect(outcome.errors.contains("were erased since ("), "\(outcome.errors)")
    }

    @Test func `only the ledger itself says that a report was issued`() throws {
        let ledger = try Self.fixture.copy()
        let hash = String(repeating: "0", count: 64)
        let event = """
            {"type":"report_issued","source":"x","occurred_at":"2026-01-01T00:00:00Z","id":"R1",\
            "report":"log","period_start":"2025-01-01","period_end":"2025-12-31",\
            "parameters":{"version":1,"as_of":"2026-01-01T00:00:00Z"},\
            "output_hash":"\(hash)","tree_size":3,"tree_hash":"\(hash)"}
            """
        let refused = try ledger.run("append", input: Data((event + "\n").utf8))
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("Only the ledger itself writes report_issued"))
        // As a line of another ledger's log, it is a statement of that ledger about itself.
        let issued = try ledger.shell(
            "ledger report log --year 2025 --issue > 1; ledger log | tail -n 1"
        )
        #expect(issued.exitCode == 0, "\(issued.errors)")
        let line = try ledger.shell(
            "ledger log --format json | tail -n 1 > line; ledger append line"
        )
        #expect(line.exitCode == 0, "\(line.text)\(line.errors)")
        let next = try ledger.shell("ledger report log --year 2025 --issue > log.txt")
        #expect(next.errors.contains("Issued as R2"), "\(next.errors)")
        let when = try ledger.shell(
            """
            ledger report issued --format json | jq -r .issued_at \
                | xargs -n1 date +%s%3N -d > issued
            ledger log --format json | jq -r 'select(.type == "report_issued").recorded_at' \
                | xargs -n1 date +%s%3N -d | diff - issued
            """
        )
        #expect(when.exitCode == 0, "\(when.text)\(when.errors)")
    }

    @Test func `a request of a later version is said to be one, and is not guessed at`() throws {
        let book = try TemporaryLedger()
        let head = try book.ledger.head()
        let day = try #require(CivilDate(year: 2025, month: 1, day: 1))
        var content = ReportIssued(
            report: "log",
            periodStart: day,
            periodEnd: day,
            outputHash: head.root,
            treeSize: head.size,
            treeHash: head.root
        )
        let parameters: [(CustomFields, String)] = [
            (["version": .number(2), "format": .text("text")], "the request has version 2"),
            (["version": .number(1), "colour": .text("red")], "there is no member 'colour'"),
            (["version": .number(1), "format": .text("odt")], "format is \"odt\""),
            (["format": .text("text")], "the request has no version"),
        ]
        for (fields, _) in parameters {
            content.parameters = fields
            let now = EventTime(Timestamp(milliseconds: 1_790_000_000_000))
            _ = try book.ledger.issue(content, now: now)
        }
        let process = try LedgerProcess()
        try book.whileClosed {
            for (index, (_, words)) in parameters.enumerated() {
                let name = "R\(index + 1)"
                let outcome = try process.run("report", "reissue", name, "--ledger", "\(book.path)")
                #expect(outcome.exitCode == 65 && outcome.text == "", "\(outcome.text)")
                let said = outcome.errors.lowercased()
                #expect(said.contains("does not know what was asked for"), "\(outcome.errors)")
                #expect(said.contains(words.lowercased()), "\(outcome.errors)")
                let compared = try process.run(
                    "report",
                    "reissue",
                    name,
                    "--compare",
                    "--ledger",
                    "\(book.path)"
                )
                #expect(compared.exitCode == 65, "\(compared.text)")
            }
            let listed = try process.run("report", "issued", "--ledger", "\(book.path)")
            #expect(listed.exitCode == 0 && listed.text.contains("R4"), "\(listed.errors)")
        }
    }
}
