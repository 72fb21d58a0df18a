import TestSupport
import Testing

/// A rate that only the ledger has is a fact of the ledger, and never taken for an official one:
/// not when it is loaded, not in a claim, and not by who verifies a bundle.
@Suite struct OwnRatesTests {
    private static let official = "us.standard_mileage.business.2025-01-01"

    private static let fixture = LedgerProcess.Fixture(
        shell: #"""
            ledger init --time-zone America/New_York --units mi > /dev/null
            ledger simulate --start 2025-03-03 --days 2 --places --seed 3 > drives
            ledger append drives > /dev/null
            ledger edit --unclassified --class business --yes > /dev/null
            cat > table << 'END'
            # Prints a table of the name $1 with the row $2, which pays $3 in the jurisdiction $4.
            jq -cn --arg table "$1" --arg id "$2" --arg rate "$3" --arg jurisdiction "$4" \
                '{table: $table, rates: [{id: $id, jurisdiction: $jurisdiction, authority: "IRS",
                scheme: "standard_mileage", classes: ["business"], vehicles: ["car", "van"],
                from: "2025-01-01", to: "2025-12-31", known_from: "2024-12-19", rate: $rate,
                unit: "mi", currency: "USD", confidence: "high", note: "Notice 2025-5."}]}'
            END
            cat > hand-over << 'END'
            # Makes the bundle `year` for the jurisdiction $1, and its head.
            ledger bundle --year 2025 --jurisdiction $1 -o year > /dev/null
            ledger head --format json | jq -r '"\(.size):\(.root)"' > head
            END
            """#
    )

    @Test(
        arguments: [
            ("us", official), ("mine", official), ("us", "us.mine"), ("mine", "us.mine"),
            ("irs-2025", "us.standard_mileage.business.2025-07-01"),
        ]
    )
    func `a rate loaded over an official one leaves a claim open, and is named with both figures`(
        table: String,
        row: String
    ) throws {
        let place = try Self.fixture.copy()
        let made = try place.shell(
            "set -e; sh table \(table) \(row) 7.00 us > t.json; "
                + "ledger rates load t.json --as-official > /dev/null; sh hand-over us"
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let outcome = try place.shell("ledger verify year $(cat head)")
        let said = "\(table), \(row): \(outcome.text)\(outcome.errors)"
        #expect(outcome.exitCode == 2, "\(said)")
        #expect(outcome.lines.first == "COULD NOT TELL, by 1 rate of the owner's own", "\(said)")
        #expect(!outcome.text.contains("VERIFIED"), "\(said)")
        #expect(!outcome.text.contains("that this program has too"), "\(said)")
        let words = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("loaded the rate \(row) of the table \(table): it pays 7.00 USD/mi"))
        #expect(words.contains("names IRS as its authority"), "\(said)")
        #expect(words.contains("this program has 0.70 USD/mi in \(Self.official)"), "\(said)")
        let json = try place.shell("ledger verify year $(cat head) --format json")
        #expect(json.text.contains(#""own_rates":[{"id":"\#(row)","table":"\#(table)""#))
        let claim = try place.shell("tr -s ' \\n' ' ' < year/reports/claim.txt")
        #expect(claim.text.contains("this ledger's own"), "\(claim.text)")
        #expect(!claim.text.contains("high confidence"), "\(claim.text)")
        let note = #"In the owner's words: "Notice 2025-5.""#
        #expect(claim.text.contains(note), "\(claim.text)")
        #expect(try place.shell("cat year/reports/claim.json").text.contains(#""own_rate":true"#))
    }

    /// The French rates of 2025 were announced on 2026-04-09.
    @Test func `a rate is beside an official one, however early a day its owner reports as of`()
        throws
    {
        let place = try Self.fixture.copy()
        let made = try place.shell(
            #"""
            set -e; sh table mine fr.mine 2.00 fr | sed 's/standard_mileage/bareme_kilometrique/
                s/"mi"/"km"/; s/USD/EUR/; s/2024-12-19/2026-01-01/' > t.json
            ledger rates load t.json > /dev/null
            ledger bundle --year 2025 --jurisdiction fr --as-of 2026-01-02T00:00:00Z \
                -o early > /dev/null
            sh hand-over fr
            """#
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        for bundle in ["early", "year"] {
            let outcome = try place.shell("ledger verify \(bundle) $(cat head)")
            let said = "\(bundle): \(outcome.text)\(outcome.errors)"
            #expect(outcome.exitCode == 2, "\(said)")
            let words = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("it pays 2.00 EUR/km"), "\(said)")
            #expect(words.contains("; this program has 0.5"), "\(said)")
            #expect(!words.contains("this program has none"), "\(said)")
            // All entries are of today, and say so beside the early day alone.
            let isLate =
                words.contains("the reports are as of 2026-01-02T00:00:00.000Z, and ")
                && words.contains(" entries were recorded after it")
            #expect(isLate == (bundle == "early"), "\(said)")
        }
    }

    /// A row of the owner's own that pays for no distance.
    struct OtherRow: Sendable, CustomTestStringConvertible {
        let jurisdiction: String
        let year: Int

        /// What it has beside what all such rows have.
        let members: String

        /// What it does, and what the program's does, which it stands beside.
        let own: String
        let official: String

        var testDescription: String { own }
    }

    private static let otherRows = [
        OtherRow(
            jurisdiction: "nl",
            year: 2026,
            members: #"scheme: "private_use", classes: ["personal"], shape: "limit", limit: 5000, "#
                + #"per: "person""#,
            own: "at most 5000 km",
            official: "at most 500 km in nl.private_use.limit.2006-01-01"
        ),
        OtherRow(
            jurisdiction: "fr",
            year: 2025,
            members: #"scheme: "bareme_kilometrique", classes: ["business"], to: "2025-12-31", "#
                + #"shape: "multiplier", rate: "3.00""#,
            own: "x 3.00",
            official: "x 1.20 in fr.bareme_kilometrique.electric.2020-01-01"
        ),
        OtherRow(
            jurisdiction: "de",
            year: 2026,
            members: #"scheme: "charging", shape: "per_kilowatt_hour", rate: "1.00""#,
            own: "1.00 EUR/kWh",
            official: "0.34 EUR/kWh in de.home_charging.electric.2026-01-01"
        ),
    ]

    @Test(arguments: otherRows)
    func `a rate for something else than distances is beside the official one for the same`(
        row: OtherRow
    ) throws {
        let place = try LedgerProcess()
        try place.begin()
        let made = try place.shell(
            """
            set -e
            jq -cn '{table: "mine", rates: [{id: "mine.row", authority: "Office", unit: "km",
                jurisdiction: "\(row.jurisdiction)", currency: "EUR", confidence: "high",
                from: "2025-01-01", known_from: "2025-01-01", \(row.members)}]}' > t.json
            ledger rates load t.json > /dev/null
            ledger vehicle register zoe --kind car --fiscal-power 5 --electric
            report() {
                ledger report-trip --from \(row.year)-$1T08:00Z --to \(row.year)-$1T08:30Z \
                    --km 600 --vehicle zoe --class $2
            }
            report 03-02 personal; report 03-03 business
            ledger place save home --lat 52 --lon 13
            ledger expense add charging 30 EUR --quantity 100 --place home \
                --at \(row.year)-02-10T20:00
            ledger bundle --year \(row.year) --jurisdiction \(row.jurisdiction) -o year
            ledger head --format json | jq -r '"\\(.size):\\(.root)"' > head
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let outcome = try place.shell("ledger verify year $(cat head)")
        let said = "\(outcome.text)\(outcome.errors)"
        #expect(outcome.exitCode == 2, "\(said)")
        let words = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("it pays \(row.own), and names Office"), "\(said)")
        #expect(words.contains("this program has \(row.official)"), "\(said)")
    }

    /// Rates that come as a line of the log are stored, as all that comes so; so they are named.
    @Test(arguments: [("us", "us.mine"), ("mine", official)])
    func `rates under an official name that came as a line are named by all who look at the log`(
        table: String,
        row: String
    ) throws {
        let place = try Self.fixture.copy()
        let made = try place.shell(
            #"""
            set -e
            sh table \#(table) \#(row) 7.00 us > t.json
            jq -c '{type: "rates_loaded", source: "manual", occurred_at: "2025-01-01T00:00:00Z",
                table: .table, rates: [.rates[0] | tojson], content_hash: ("0" * 64)}' t.json > e
            ledger append < e > /dev/null; ledger status > /dev/null
            ledger export exported > /dev/null
            ledger head --format json | jq -r '"\(.size):\(.root)"' > head
            """#
        )
        try #require(made.exitCode == 0, "\(made.text)\(made.errors)")
        let cause = row == Self.official ? "has a rate \(row)" : "has a table \(table)"
        let name = "the program \(cause)"
        let doctor = try place.shell("ledger doctor").text
        #expect(doctor.contains("The rates \(table) are this ledger's own: \(name)"), "\(doctor)")
        for command in ["ledger verify", "ledger verify exported $(cat head)"] {
            let outcome = try place.shell(command)
            let words = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(outcome.exitCode == 0, "\(command): \(outcome.text)\(outcome.errors)")
            #expect(words.contains("claimed the rates \(table) at position"), "\(words)")
            #expect(words.contains("are the owner's own: \(name)"), "\(command): \(words)")
        }
        // The control: rates with a name of their own are nothing to be told.
        let clean = try Self.fixture.copy()
        let outcome = try clean.shell(
            """
            sh table mine us.mine 7.00 us > t.json; ledger rates load t.json > /dev/null
            ledger doctor; ledger verify
            """
        )
        #expect(!outcome.text.contains("own: the program"), "\(outcome.text)")
    }

    @Test func `rates that are loaded twice under the program's name leave its own in place`()
        throws
    {
        let place = try Self.fixture.copy()
        let outcome = try place.shell(
            """
            for rate in 7.00 8.00; do
                sh table us us.mine $rate us > t.json
                ledger rates load t.json --as-official > /dev/null
                ledger rates list --format json | jq -r .id | sort -u > after-$rate
            done
            wc -l < after-7.00 | xargs test 100 -lt
            cmp after-7.00 after-8.00
            """
        )
        #expect(outcome.text.isEmpty && outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a rate of which the program knows none is verified, in so many words`() throws {
        let place = try Self.fixture.copy()
        let made = try place.shell(
            """
            set -e
            ledger rates set company --rate 0.50 --per mi --currency USD --from 2025-01-01
            sh hand-over company
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let outcome = try place.shell("ledger verify year $(cat head)")
        #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
        let answer = try #require(outcome.lines.first)
        #expect(answer.hasPrefix("VERIFIED, by 1 rate of the owner's own, but for 7 files in "))
        #expect(outcome.text.contains("0.50 USD/mi"), "\(outcome.text)")
    }

    @Test func `a row that is loaded as the program has it is the program's`() throws {
        let place = try Self.fixture.copy()
        let made = try place.shell(
            #"""
            set -e
            sh hand-over us; grep -F '\#(Self.official)' year/rates/us.jsonl > row; rm -r year
            jq -Rc '{type: "rates_loaded", source: "manual", occurred_at: "2025-01-01T00:00:00Z",
                table: "copy", rates: [.], content_hash: ("0" * 64)}' row > e
            ledger append < e > /dev/null
            test "$(ledger log --type rates_loaded --format json | wc -l)" = 1
            sh hand-over us
            """#
        )
        try #require(made.exitCode == 0, "\(made.text)\(made.errors)")
        let outcome = try place.shell("ledger verify year $(cat head)")
        #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
        let answer = try #require(outcome.lines.first)
        #expect(answer.hasPrefix("VERIFIED, but for 7 files in prints/"), "\(outcome.text)")
        #expect(outcome.text.contains("the claim goes by 1 row that this program has too"))
        #expect(try place.shell("cat year/reports/claim.json").text.contains(#""own_rate":false"#))
    }

    @Test(arguments: [("us", "us.mine"), ("mine", official), ("us", official)])
    func `the name of an official rate or table is not taken by mistake`(
        table: String,
        row: String
    ) throws {
        let place = try Self.fixture.copy()
        let refused = try place.shell(
            "sh table \(table) \(row) 7.00 us > t.json; ledger rates load t.json"
        )
        #expect(refused.exitCode == 65, "\(refused.text)\(refused.errors)")
        #expect(refused.errors.contains("the program has a "), "\(refused.errors)")
        #expect(refused.errors.contains("--as-official"), "\(refused.errors)")
        let count = try place.shell("ledger log --type rates_loaded --format json | wc -l")
        #expect(count.lines == ["0"], "\(count.text)")
        let free = try place.shell(
            "sh table mine us.mine 7.00 us > t.json; ledger rates load t.json"
        )
        #expect(free.exitCode == 0, "\(free.errors)")
        let set = try place.shell(
            "ledger rates set us --rate 7 --per mi --currency USD --from 2025-01-01"
        )
        #expect(set.exitCode == 65, "\(set.text)\(set.errors)")
    }
}
