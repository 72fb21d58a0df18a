import Foundation
import TestSupport
import Testing

/// What programs read in CSV: every heading is a name for `--columns`, and no setting of the ledger
/// changes a column.
@Suite struct ChosenColumnTests {
    private static let book = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger place save Home --lat 51.92 --lon 4.36 > /dev/null
            ledger simulate --start 2025-03-03 --days 2 --places --seed 3 | ledger append
            ledger vehicle register van --plate V-1
            ledger odometer van 1000 --at 2025-03-03T05:00:00Z
            ledger edit last --class business --vehicle van --purpose Visit
            ledger field define parking --type number
            ledger expense add parking 12.5 EUR --trip last
            ledger rates set company --rate 0.35 --per km --currency EUR --from 2024-01-01
            ledger token new phone
            ledger report log --year 2025 --issue > /dev/null
            """
    )

    /// Commands that have `--columns`.
    private static let commands = [
        "place list", "routine list", "vehicle list", "field list", "expense list", "rates list",
        "odometer van --list", "settings", "token list", "trips", "totals",
        "totals --by vehicle --then-by class", "changes --since 5", "changes --orphans",
        "history --all", "inbox --list", "refused", "inferences", "explain last", "track last",
        "report issued", "report log --year 2025",
        "report claim --from 2025-01-01 --to 2025-12-31 --jurisdiction company",
    ]

    /// Law: each heading that CSV prints, fed back as `--columns`, prints that column.
    @Test(arguments: commands)
    func `each heading of CSV is a name for --columns`(command: String) throws {
        let ledger = try Self.book.copy()
        let hasUnits = ["trips", "totals", "report log --year 2025"].contains(command)
        let forms =
            ["--format csv", "--excel point"]
            + (hasUnits ? ["--excel point --units mi"] : [])
            + (hasUnits && command != "trips" ? ["--format csv --units mi"] : [])
        for form in forms {
            func headings(_ more: [String]) throws -> [String] {
                let words = "\(command) \(form)".split(separator: " ").map(String.init)
                let outcome = try ledger.run(words + more)
                #expect(outcome.exitCode == 0, "\(words + more): \(outcome.errors)")
                // Lines for spreadsheet programs end as in Windows.
                let line = outcome.text.split(whereSeparator: \.isNewline).first ?? ""
                return line.filter { $0 != "\u{FEFF}" }.split(separator: ",").map(String.init)
            }
            let all = try headings([])
            #expect(!all.isEmpty, "\(command) \(form)")
            // The other way round, so that it is seen that they were chosen.
            let chosen = Array(all.reversed())
            #expect(
                try headings(["--columns", chosen.joined(separator: ",")]) == chosen,
                "\(command) \(form)"
            )
        }
    }

    @Test(arguments: [
        "totals", "report log --year 2025", "report log --year 2025 --sums",
        "report summary --year 2025", "report reconcile --year 2025", "trips",
    ])
    func `no setting of the ledger changes CSV for programs`(command: String) throws {
        let ledger = try Self.book.copy()
        let session = """
            ledger \(command) --format csv > before
            ledger settings --units mi > /dev/null
            ledger \(command) --format csv | cmp - before; echo $?
            ledger \(command) --excel point | head -1 | grep -c '_km'
            """
        #expect(try ledger.shell(session).lines == ["0", "0"])
    }

    @Test func `sums for people are not in a table for a spreadsheet program`() throws {
        let outcome = try Self.book.copy().run("expense", "list", "--excel", "point")
        #expect(outcome.text.split(whereSeparator: \.isNewline).count == 2, "\(outcome.text)")
        #expect(!outcome.text.contains("total"))
    }

    @Test func `a report in CSV is made again as it was issued, whatever the unit is`() throws {
        let ledger = try Self.book.copy()
        let session = """
            ledger settings --units mi > /dev/null
            ledger report log --year 2025 --format csv --issue > first 2> /dev/null
            head -1 first | grep -c distance_km
            ledger report log --year 2025 --format csv --units mi --issue > second 2> /dev/null
            head -1 second | grep -c distance_mi
            ledger settings --units km > /dev/null
            ledger report reissue R2 2> /dev/null | cmp - first; echo $?
            ledger report reissue R3 2> /dev/null | cmp - second; echo $?
            """
        #expect(try ledger.shell(session).lines == ["1", "1", "0", "0"])
    }
}
