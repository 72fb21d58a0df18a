import Foundation
import TestSupport
import Testing

/// `ledger report claim` on real trips: the figures that tax offices and their readers publish as
/// examples.
@Suite struct ClaimReportTests {
    /// A claim, and the money of its lines.
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var trips: [String]
        var claim: String
        var amounts: [String]
        var total: String

        var testDescription: String { name }
    }

    private static func trip(
        _ day: String,
        miles: String? = nil,
        km: String? = nil,
        _ tripClass: String = "business",
        vehicle: String = "car",
        at time: String = "08:00"
    ) -> String {
        let distance = miles.map { "--miles \($0)" } ?? "--km \(km ?? "0")"
        let (hour, minute) = (time.prefix(2), (Int(time.suffix(2)) ?? 0) + 30)
        return "ledger report-trip --from \(day)T\(time):00Z --to \(day)T\(hour):\(minute):00Z "
            + "\(distance) --class \(tripClass) --vehicle \(vehicle)"
    }

    private static let examples = [
        Example(
            name: "United States, 2022, a change in the middle of the year",
            trips: [trip("2022-06-30", miles: "1000.0"), trip("2022-07-01", miles: "1000.0")],
            claim: "--jurisdiction us --year 2022",
            amounts: ["585.00", "625.00"],
            total: "1210.00"
        ),
        Example(
            name: "United States, 2026, three classes",
            trips: [
                trip("2026-03-01", miles: "100.0"),
                trip("2026-03-01", miles: "10", "medical", at: "10:00"),
                trip("2026-03-01", miles: "10", "charity", at: "12:00"),
            ],
            claim: "--jurisdiction us --year 2026",
            amounts: ["72.50", "2.05", "1.40"],
            total: "75.95"
        ),
        Example(
            name: "United Kingdom, 2025, over the threshold",
            trips: [trip("2025-05-01", miles: "6000"), trip("2026-03-31", miles: "5000")],
            claim: "--jurisdiction gb --year 2025",
            amounts: ["4500.00", "250.00"],
            total: "4750.00"
        ),
        Example(
            name: "United Kingdom, 2026, over the threshold",
            trips: [trip("2026-05-01", miles: "11500")],
            claim: "--jurisdiction gb --year 2026",
            amounts: ["5500.00", "375.00"],
            total: "5875.00"
        ),
        Example(
            name: "United Kingdom, April 2026, as known on 1 May",
            trips: [trip("2026-04-20", miles: "100")],
            claim: "--jurisdiction gb --from 2026-04 --to 2026-04 --rates-as-known-on 2026-05-01",
            amounts: ["45.00"],
            total: "45.00"
        ),
        Example(
            name: "United Kingdom, April 2026, as known on 1 June",
            trips: [trip("2026-04-20", miles: "100")],
            claim: "--jurisdiction gb --from 2026-04 --to 2026-04 --rates-as-known-on 2026-06-01",
            amounts: ["55.00"],
            total: "55.00"
        ),
        Example(
            name: "United Kingdom, 2026, two cars and one threshold",
            trips: [
                trip("2026-05-01", miles: "4000", vehicle: "a"),
                trip("2026-06-01", miles: "9000", vehicle: "b"),
            ],
            claim: "--jurisdiction gb --year 2026",
            amounts: ["2200.00", "3300.00", "750.00"],
            total: "6250.00"
        ),
        Example(
            name: "Canada, 2025, provinces",
            trips: [trip("2025-05-01", km: "6000")],
            claim: "--jurisdiction ca --year 2025",
            amounts: ["3600.00", "660.00"],
            total: "4260.00"
        ),
        Example(
            name: "Australia, 2024-25, above the cap",
            trips: [trip("2024-08-01", km: "5085")],
            claim: "--jurisdiction au --year 2024",
            amounts: ["4400.00"],
            total: "4400.00"
        ),
        Example(
            name: "France, 2025, 5 CV",
            trips: [trip("2025-05-01", km: "12000")],
            claim: "--jurisdiction fr --year 2025",
            amounts: ["5679.00"],
            total: "5679.00"
        ),
        Example(
            name: "France, 2025, 5 CV, electric",
            trips: [trip("2025-05-01", km: "12000", vehicle: "zoe")],
            claim: "--jurisdiction fr --year 2025",
            amounts: ["6814.80"],
            total: "6814.80"
        ),
        Example(
            name: "France, 2025, exactly at the bracket",
            trips: [trip("2025-05-01", km: "20000")],
            claim: "--jurisdiction fr --year 2025",
            amounts: ["8535.00"],
            total: "8535.00"
        ),
        Example(
            name: "France, 2025, a kilometre above the bracket",
            trips: [trip("2025-05-01", km: "20001")],
            claim: "--jurisdiction fr --year 2025",
            amounts: ["8540.43"],
            total: "8540.43"
        ),
        Example(
            name: "Netherlands, over a change of year",
            trips: [trip("2023-12-31", km: "100"), trip("2024-01-01", km: "100")],
            claim: "--jurisdiction nl --from 2023-12-31 --to 2024-01-01",
            amounts: ["21.00", "23.00"],
            total: "44.00"
        ),
    ]

    @Test(arguments: examples)
    func `published examples come out to the cent`(example: Example) throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let vehicles =
            "ledger vehicle register car --kind car --fiscal-power 5 && "
            + "ledger vehicle register zoe --kind car --fiscal-power 5 --electric"
        let set = try ledger.shell(([vehicles] + example.trips).joined(separator: " && "))
        try #require(set.exitCode == 0, "\(set.errors)")
        for draft in ["", " --draft"] {
            let answer = try ledger.shell(
                "ledger report claim \(example.claim)\(draft) --format json"
            )
            #expect(answer.exitCode == 0, "\(answer.errors)")
            #expect(try answer.figures("amount", of: "line") == example.amounts)
            let total = try #require(answer.lines.last)
            #expect(total.contains("\"amount\":\(example.total)}]"), "\(total)")
        }
    }

    @Test(arguments: [("2025", 2025, "1960.00"), ("2026", 2026, "2280.00")])
    func `200 days of 30 km to work in Germany`(
        name: String,
        year: Int,
        total: String
    ) throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let first = Date(timeIntervalSince1970: year == 2025 ? 1_735_714_800 : 1_767_250_800)
        let lines = (0..<400)
            .map { number in
                // There in the morning and back in the evening.
                let start = first.addingTimeInterval(Double(number) * 43_200)
                return """
                    {"type":"trip_reported","source":"paper","occurred_at":"2026-11-20T00:00:00Z",\
                    "id":"\(number)","started_at":"\(start.formatted(.iso8601))",\
                    "ended_at":"\(start.addingTimeInterval(1_800).formatted(.iso8601))",\
                    "distance_m":30000.5,"class":"commute"}

                    """
            }
        #expect(try ledger.append(Data(lines.joined().utf8)).appended == 400)
        let answer = try ledger.run(
            "report",
            "claim",
            "--jurisdiction",
            "de",
            "--year",
            name,
            "--format",
            "json"
        )
        let last = try #require(answer.lines.last)
        #expect(last.contains("\"amount\":\(total)}]"), "\(last)")
        #expect(try answer.figures("trips", of: "line").allSatisfy { $0 == "200" })
    }

    @Test func `a drive that Traccar forwards counts on the day of the ledger's zone`() throws {
        let ledger = try LedgerProcess()
        let set = try ledger.run("init", "--time-zone", "Europe/Amsterdam")
        try #require(set.exitCode == 0, "\(set.errors)")
        // From 00:20 to 00:30 on 1 January in Amsterdam, which is 2023 in UTC: 0.23, and not 0.21.
        let fixes = (0...60)
            .map { number in
                let (minute, second) = (20 + number / 6, number % 6)
                return #"{"position":{"deviceId":1,"valid":true,"#
                    + #""fixTime":"2023-12-31T23:\#(minute):\#(second)0.000+00:00","#
                    + #""latitude":\#(52 + Double(number) / 1_000),"longitude":4.5,"#
                    + #""speed":20,"accuracy":5,"attributes":{"ignition":true}},"#
                    + #""device":{"uniqueId":"van"}}"# + "\n"
            }
        try Data(fixes.joined().utf8)
            .write(to: ledger.directory.url.appendingPathComponent("forwarded.json"))
        let answer = try ledger.shell(
            "ledger append --as traccar forwarded.json > /dev/null "
                + "&& ledger edit last --class business > /dev/null "
                + "&& ledger report claim --draft --jurisdiction nl --from 2023 --to 2024 "
                + "--format json"
        )
        #expect(answer.exitCode == 0, "\(answer.errors)")
        #expect(try answer.figures("rate", of: "line") == ["\"0.23\""], "\(answer)")
    }

    // MARK: Expenses

    /// A table of a toll during the only trip, of parking that names it, and of parking later.
    private static let expenses = """
        printf 'date,time,amount,kind,trip\\n2025-03-11,08:10,4.25,toll,\\n' > paid.csv
        printf "2025-03-11,09:20,7.00,parking,$(ledger trips --vehicle car --format ids)\\n" \
            >> paid.csv
        printf '2025-03-11,12:00,3.00,parking,\\n' >> paid.csv
        """

    @Test(arguments: [
        ("true", "", "18.25", "3.00"),
        ("ledger vehicle register bus", "", "14.00", "7.25"),
        ("ledger vehicle register bus", #","vehicle":{"value":"car"}"#, "18.25", "3.00"),
        (
            "ledger report-trip --from 2025-03-11T08:05 --to 2025-03-11T08:20 --miles 2 "
                + "--class personal --vehicle bus",
            "", "14.00", "7.25"
        ),
    ])
    func `a table of expenses comes to the claims of its trips`(
        first: String,
        vehicle: String,
        total: String,
        left: String
    ) throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        // 10 miles at 0.70, a toll of 4.25 and parking of 7.00.
        let answer = try ledger.shell(
            """
            (ledger report-trip --from 2025-03-11T08:00 --to 2025-03-11T08:30 --miles 10 \
                --class business --vehicle car; \(first)
            \(Self.expenses)
            echo '{"rows":"expenses","columns":{"time":["date","time"],"amount":"amount",\
            "kind":"kind","trip":"trip","currency":{"value":"USD"}\(vehicle)}}' > map.json
            ledger append paid.csv --map map.json) > /dev/null
            ledger report claim --draft --jurisdiction us --year 2025 --format json
            ledger report claim --draft --jurisdiction us --year 2025
            """
        )
        #expect(answer.text.contains("\"amount\":\(total)}]"), "\(answer)")
        let reasons = answer.lines.filter { $0.contains(#""reason":"no_trip""#) }
        let sum = reasons.compactMap { line in
            line.firstMatch(of: /"amount":([0-9]+)\.([0-9]{2})/).flatMap { Int("\($0.1)\($0.2)") }
        }
        #expect(sum.reduce(0, +) == Int(left.replacing(".", with: "")), "\(answer)")
        #expect(answer.text.contains("--corrects EXPENSE --trip TRIP"), "\(answer)")
        let methods = try ledger.shell(
            "ledger report methods --draft --jurisdiction us --year 2025 --format json"
        )
        #expect(methods.text.contains("\"amount\":\(total),"), "\(methods)")
        // The methods count the same, also where the expense names no vehicle.
        let loose = left == "3.00" ? 1 : 2
        #expect(methods.text.contains("\"expenses_in_no_method\":\(loose)}"), "\(methods)")
        let ofCar = try ledger.shell(
            "ledger report methods --draft --jurisdiction us --year 2025 --vehicle car "
                + "--format csv | grep car,expenses"
        )
        let direct = loose == 1 ? ",11.25," : ",7.00,"
        #expect(ofCar.text.contains(direct), "\(ofCar)")
    }

    @Test func `what a claim leaves out says why, and what helps`() throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let set = try ledger.shell(
            """
            ledger place save home --lat 52 --lon 13
            ledger expense add charging 30 EUR --quantity 100 --place home --at 2026-02-10T20:00
            ledger report-trip --from 2026-03-02T08:00 --to 2026-03-02T08:30 --km 10 \
                --class business --vehicle Car
            ledger expense add toll 5 EUR --trip last
            ledger report-trip --from 2026-03-02T08:00 --to 2026-03-02T08:30 --km 10 \
                --class business --vehicle car
            """
        )
        try #require(set.exitCode == 0, "\(set.errors)")
        let sentences = [
            "en": ("no source is known here", "differ only in case", "claim of its own"),
            "nl": ("geen bekende bron", "alleen in hoofdletters verschillen", "eigen declaratie"),
            "de": ("keine bekannte Quelle", "Groß- und Kleinschreibung", "eigenen Abrechnung"),
            "fr": ("aucune source connue", "que par la casse", "déclaration à part"),
        ]
        for (language, (source, alike, own)) in sentences {
            let page = try ledger.shell(
                "ledger report claim --draft --jurisdiction de --year 2026 --language \(language)"
            )
            #expect(page.text.contains(source) && page.text.contains(alike), "\(page)")
            #expect(page.text.contains("Car, car") && page.text.contains(own), "\(page)")
            let command = "`ledger report claim --jurisdiction de --scheme home_charging`"
            #expect(page.text.contains(command), "\(page)")
        }
    }

    @Test func `a day of which one way is not recorded names the field that says so`() throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let define = "ledger field define one_way --type boolean"
        let advice = "`ledger edit TRIP --field one_way=true`"
        let set = try ledger.shell(
            "ledger simulate home-to-office | ledger append && ledger edit last --class commute"
        )
        try #require(set.exitCode == 0, "\(set.errors)")
        let claim = "ledger report claim --draft --jurisdiction de --year 2025"
        let page = try ledger.shell(claim)
        // 8 full kilometres at 0.30 are 2.40, and half of it 1.20.
        let sentence = "One way of 1 day is not recorded; if it was not driven, half is due: 1.20"
        #expect(page.text.contains(sentence), "\(page)")
        #expect(page.text.contains("once `\(define)`, then \(advice)"), "\(page)")
        let defined = try ledger.shell("\(define) > /dev/null && \(claim)")
        #expect(defined.text.contains("(\(advice))"), "\(defined)")
        let said = try ledger.shell("ledger edit last --field one_way=true > /dev/null; \(claim)")
        #expect(said.text.contains("Total         1.20 EUR"), "\(said)")
        let cleared = try ledger.shell("ledger edit last --clear one_way")
        #expect(cleared.exitCode == 0, "\(cleared)")
        let others = [("nl", "Van 1 dag is"), ("de", "An 1 Tag ist"), ("fr", "Pour 1 jour, un")]
        for (language, words) in others {
            let page = try ledger.shell("\(claim) --language \(language)")
            #expect(page.text.contains(words), "\(page)")
        }
    }

    @Test func `half of a day is due in place of no more than the most of a year`() throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let set = try ledger.shell(
            """
            ledger vehicle register moto --kind motorcycle && \
            ledger simulate home-to-office | ledger append && \
            ledger edit last --class commute --vehicle moto && \
            ledger adjust last --km 12000 --why odometer
            """
        )
        try #require(set.exitCode == 0, "\(set.errors)")
        let page = try ledger.shell("ledger report claim --draft --jurisdiction de --year 2025")
        // 20 km at 0.30 and 11,980 at 0.38 are 4,558.40, and half of that 2,279.20.
        let sentence = "half is due: 2279.20 EUR in place of 4500.00 EUR"
        #expect(page.text.contains(sentence), "\(page)")
        #expect(page.text.contains("Total         4500.00 EUR"), "\(page)")
    }

    @Test func `a rate of another unit than the distances of a report names its own`() throws {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let set = try ledger.shell(
            """
            ledger rates set firm --rate 0.45 --per mi --currency GBP --from 2025-01-01 && \
            \(Self.trip("2025-05-01", km: "100")) && \
            \(Self.trip("2025-05-02", km: "100", "medical"))
            """
        )
        try #require(set.exitCode == 0, "\(set.errors)")
        let rates = [
            ("firm", "km", "0.45 / mi"), ("gb", "km", "0.45 / mi"), ("nl", "mi", "0.23 / km"),
            ("nl", "mi", "at most 500 km"), ("fr", "mi", "0.357 / km + 1395"),
        ]
        let power = try ledger.shell("ledger vehicle register car --kind car --fiscal-power 5")
        try #require(power.exitCode == 0, "\(power.errors)")
        let far = try ledger.shell(Self.trip("2025-06-01", km: "9900"))
        try #require(far.exitCode == 0, "\(far.errors)")
        for (jurisdiction, unit, rate) in rates {
            let claim = "ledger report claim --draft --jurisdiction \(jurisdiction) --year 2025"
            let page = try ledger.shell("\(claim) --units \(unit)")
            #expect(page.text.contains(rate), "\(page)")
            let same = try ledger.shell("\(claim) --units \(rate.contains("km") ? "km" : "mi")")
            #expect(same.exitCode == 0 && !same.text.contains(rate), "\(same)")
        }
        let paper = try ledger.shell(
            "ledger report claim --draft --jurisdiction firm --year 2025 --units km --format html"
        )
        #expect(paper.text.contains("0.45 / mi"), "\(paper)")
    }

    @Test func `a rate of a company is one line, and a table that was loaded needs no file`()
        throws
    {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let set = try ledger.shell(
            """
            ledger rates set company --rate 0.35 --per km --currency EUR --from 2026-01-01 && \
            echo '{"table":"more","rates":[{"id":"gb.mine","jurisdiction":"gb","scheme":"amap",\
            "classes":["business"],"vehicles":["car","van"],"from":"2026-04-06","currency":"GBP",\
            "unit":"mi","year_begins":"04-06","rate":"0.5"}]}' > more.json && \
            ledger rates load more.json && rm more.json && \
            \(Self.trip("2026-05-01", km: "100"))
            """
        )
        try #require(set.exitCode == 0, "\(set.errors)")
        for (jurisdiction, amount) in [("company", "35.00"), ("gb", "31.07")] {
            let answer = try ledger.run(
                "report",
                "claim",
                "--jurisdiction",
                jurisdiction,
                "--year",
                "2026",
                "--format",
                "json"
            )
            #expect(try answer.figures("amount", of: "line") == [amount])
        }
        let project = try ledger.run("project", "--check")
        #expect(project.exitCode == 0)
    }
}

extension Subprocess.Outcome {
    /// The members of a name in the rows of a kind, as they are written.
    fileprivate func figures(_ name: String, of kind: String) throws -> [String] {
        try lines.filter { $0.contains("\"kind\":\"\(kind)\"") }
            .map { line in
                let start = try #require(line.firstRange(of: "\"\(name)\":")).upperBound
                return String(line[start...].prefix { $0 != "," && $0 != "}" })
            }
    }
}
