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
