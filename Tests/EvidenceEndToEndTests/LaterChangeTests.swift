import TestSupport
import Testing

/// What changes a report of some days is listed among the changes of these days, and counted after
/// the reports that were issued before it.
@Suite struct LaterChangeTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            exec > /dev/null 2>&1
            ledger init --time-zone America/New_York --units mi
            ledger settings --country us
            ledger vehicle register Car --kind car --plate OLD-1
            ledger place save Office --lat 40 --lon -75 --address "Old Street 1, Trenton"
            ledger report-trip --vehicle Car --from "2025-06-30 08:00" --to "2025-06-30 09:00" \\
                --miles 10 --class business --purpose Visit --origin Office --destination Shop
            ledger expense add toll 10 USD --trip last --at "2025-06-30 08:30"
            ledger odometer Car 1000 --at "2025-06-29 08:00"
            ledger odometer Car 1020 --at "2025-07-01 08:00"
            ledger rates set firm --rate 0.30 --per mi --currency USD --from 2025-01-01
            ledger expense list --format ids > toll
            ledger report claim --year 2025 --issue
            ledger report log --year 2025 --issue
            ledger report log --month 2025-02 --issue
            """
    )

    /// Prints what the changes of the days `$1` list after reports, and then how many changes and
    /// entries came after each report.
    private static let listing = """
        list() {
            ledger report changes $1 --all --format json | jq -r '
                (.changes[] | select(.after_reports | index("R1")) | .about | split(" ")[0]),
                (.issued[] | "\\(.id) \\(.changes_since + .entries_since > 0)")' | LC_ALL=C sort -u
        }

        """

    @Test(
        arguments: [
            ("ledger expense add toll 99 USD --corrects $(cat toll)", "expense", false),
            ("ledger expense void $(cat toll) --why 'Not mine'", "expense", false),
            (
                "ledger expense add parking 5 USD --at '2025-06-30 08:40' --vehicle Car",
                "expense", false
            ),
            ("ledger odometer Car 1011 --corrects '2025-07-01 08:00'", "odometer", false),
            (
                "ledger rates set firm --rate 3 --per mi --currency USD --from 2025-01-01",
                "rates", true
            ),
            ("ledger vehicle register Car --plate NEW-2", "vehicle", true),
            (
                "ledger place save Office --lat 40 --lon -75 --address 'New Avenue 7'",
                "place", true
            ),
        ]
    )
    func `what is decided in a later year is listed under the days that it changes`(
        command: String,
        about: String,
        concernsOthers: Bool
    ) throws {
        let ledger = try Self.fixture.copy()
        let before = try ledger.shell(Self.listing + "list '--year 2025'")
        #expect(before.lines == ["R1 false", "R2 false", "R3 false"], "\(before.errors)")
        let made = try ledger.shell(command + " > /dev/null")
        try #require(made.exitCode == 0, "\(made.errors)")
        let after = try ledger.shell(Self.listing + "list '--year 2025'")
        let expected = ["R1 true", "R2 true", "R3 \(concernsOthers)", about]
        #expect(after.lines == expected, "\(command): \(after.errors)")
    }

    @Test func `a correction counts its days from what it corrects, and is none of its own year`()
        throws
    {
        let ledger = try Self.fixture.copy()
        let made = try ledger.shell(
            """
            set -e
            ledger expense void $(cat toll) --why 'Not mine' > /dev/null
            ledger odometer Car 1011 --corrects '2025-07-01 08:00' > /dev/null
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let page = try ledger.shell("ledger report changes --year 2025")
        #expect(!page.text.contains("Nothing was changed afterwards."), "\(page.text)")
        let rows = page.lines.filter { $0.hasPrefix("expense ") || $0.hasPrefix("odometer of ") }
        #expect(rows.count > 1, "\(page.text)")
        for row in rows { #expect(row.contains(#/ [0-9]{3,}  R1, R2/#), "\(row)") }
        let own = try ledger.shell(
            "ledger report changes --year $(date +%Y) --all --format csv | grep -c ^,expense"
        )
        #expect(own.text == "0\n", "\(own.text)")
    }

    @Test func `a rate that begins after the days does not concern them`() throws {
        let ledger = try Self.fixture.copy()
        let made = try ledger.shell(
            """
            ledger rates set firm --rate 3 --per mi --currency USD --from 2026-01-01 > /dev/null
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let page = try ledger.shell("ledger report changes --year 2025")
        #expect(page.text.contains("Nothing was changed afterwards."), "\(page.text)")
        let after = try ledger.shell(Self.listing + "list '--year 2025'")
        #expect(after.lines == ["R1 false", "R2 false", "R3 false"], "\(after.errors)")
    }
}
