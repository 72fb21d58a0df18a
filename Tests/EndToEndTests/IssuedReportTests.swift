import Foundation
import LedgerTestSupport
import Testing

/// An issued report is made again byte for byte, whatever came later.
@Suite struct IssuedReportTests {
    private static let reports = [
        "log", "log --sums --units mi", "summary --jurisdiction us", "reconcile",
        "completeness --jurisdiction de", "changes --all", "claim --jurisdiction us",
        "claim --jurisdiction nl --vehicle van", "claim --jurisdiction company",
    ]

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
                    "ledger report \(report) --year 2025 --format \(format) --issue > \(count)"
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
        let fresh = try ledger.shell("ledger report log --year 2025 --format csv | cmp -s - 3")
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
        _ = try Self.issueAll(ledger)
        _ = try ledger.shell("ledger erase --trip last --why privacy --yes")
        let outcome = try ledger.run("report", "reissue", "R1")
        #expect(outcome.exitCode == 1)
        #expect(outcome.text == "")
        #expect(outcome.errors.contains("were erased since ("), "\(outcome.errors)")
    }

    @Test func `an event that others made up is not taken for a report of this ledger`() throws {
        let ledger = try Self.fixture.copy()
        let hash = String(repeating: "0", count: 64)
        let event = """
            {"type":"report_issued","source":"x","occurred_at":"2026-01-01T00:00:00Z","id":"R1",\
            "report":"log","period_start":"2025-01-01","period_end":"2025-12-31",\
            "parameters":{"from":"2025-01-01","to":"2025-12-31","as-of":"2026-01-01T00:00:00Z"},\
            "output_hash":"\(hash)","tree_size":3,"tree_hash":"\(hash)"}
            """
        try ledger.append(Data((event + "\n").utf8))
        let outcome = try ledger.run("report", "reissue", "R1")
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("does not begin with the entries"), "\(outcome.errors)")
        let next = try ledger.shell("ledger report log --year 2025 --issue > log.txt")
        #expect(next.errors.contains("Issued as R2"), "\(next.errors)")
    }
}

/// Every option of a report on which a byte depends is kept when it is issued.
@Suite struct IssuedOptionTests {
    /// A value other than the default for each option; `nil` for a flag.
    private static let samples: [String: String?] = [
        "format": "json", "columns": "vehicle", "vehicle": "van", "class": "business",
        "units": "mi", "time-zone": "Europe/London", "as-of": "2025-12-31T12:00:00Z",
        "private-as": "km-only", "sums": nil, "jurisdiction": "ca",
        "scheme": "automobile_allowance", "region": "territories", "as-known-on": "2026-05-01",
        "late-after": "9", "all": nil, "base-year": "2024", "paper": "letter", "language": "nl",
        "excel": "comma",
    ]

    /// The options that only concern this machine, its screen and files, and the days, which are
    /// kept as a first and a last one.
    private static let others: Set<String> = [
        "ledger", "wide", "no-pager", "draft", "issue", "actor", "output", "replace", "help",
        "version",
        "year", "month", "day", "from", "to",
    ]

    /// An option as the argument parser describes it.
    private struct Option: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var isRepeating: Bool

        var name: String? { names?.first { $0.kind == "long" }?.name }
    }

    private struct Dump: Decodable {
        struct Command: Decodable {
            var arguments: [Option]
        }

        var command: Command
    }

    @Test(
        arguments: [
            "log", "summary", "reconcile", "completeness", "changes", "claim", "methods",
        ]
    )
    func `every option that a byte depends on is kept`(report: String) throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let dump = try ledger.run("report", report, "--experimental-dump-help")
        let options = try JSONDecoder().decode(Dump.self, from: Data(dump.text.utf8))
            .command.arguments
        let base = ["report", report, "--year", "2025"]
        let needsCountry = ["claim", "methods"].contains(report)
        let country = needsCountry ? ["--jurisdiction", "ca"] : []
        var number = 0
        for option in options {
            let name = try #require(option.name)
            guard !Self.others.contains(name) else { continue }
            #expect(!option.isRepeating, "what is repeated has no single value: --\(name)")
            let sample = try #require(
                Self.samples[name],
                "say whether --\(name) is kept: IssuedParameters, and a sample here"
            )
            let words = ["--\(name)"] + (sample.map { [$0] } ?? [])
            let others = name == "jurisdiction" ? [] : country
            let value = name == "jurisdiction" && !needsCountry ? "us" : sample
            let written = name == "jurisdiction" ? ["--jurisdiction", value ?? ""] : words
            let outcome = try ledger.run(base + others + written + ["--issue"])
            try #require(outcome.exitCode == 0, "--\(name): \(outcome.errors)")
            number += 1
            let issued = try ledger.run("report", "issued", "--format", "json").lines
            let last = try #require(issued.last)
            let kept = value.map { "\"\(name)\":\"\($0)" } ?? "\"\(name)\":true"
            let asOf = "\"as-of\":\"2025-12-31T12:00:00.000Z"
            #expect(last.contains(name == "as-of" ? asOf : kept), "--\(name): \(last)")
            let again = try ledger.run("report", "reissue", "R\(number)")
            #expect(again.output == outcome.output, "--\(name): \(again.errors)")
        }
    }
}
