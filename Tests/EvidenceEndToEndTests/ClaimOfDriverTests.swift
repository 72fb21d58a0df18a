import TestSupport
import Testing

/// `ledger report claim` where two persons drive: each has a limit and a way of a day, and the
/// claim of both says so.
@Suite struct ClaimOfDriverTests {
    private static func trip(_ driver: String, _ hour: String, _ options: String) -> String {
        "ledger report-trip --from \(hour):00:00Z --to \(hour):30:00Z --vehicle \(driver)s-car "
            + "--driver \(driver) \(options)"
    }

    private static let miles = [
        trip("Ann", "2026-05-04T08", "--miles 9000 --class business"),
        trip("Bob", "2026-06-04T08", "--miles 9000 --class business"),
    ]

    private static let ways = [
        trip("Ann", "2026-03-04T06", "--km 20 --class commute"),
        trip("Bob", "2026-03-04T07", "--km 30 --class commute"),
        trip("Ann", "2026-03-04T16", "--km 20 --class commute"),
        trip("Bob", "2026-03-04T17", "--km 30 --class commute"),
    ]

    private static func ledger(_ trips: [String]) throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let set = try ledger.shell(trips.joined(separator: " && "))
        try #require(set.exitCode == 0, "\(set.errors)")
        return ledger
    }

    @Test(arguments: [
        ("gb", miles, ["7500.00", "4950.00", "4950.00"]),
        ("de", ways, ["11.40", "7.60", "11.40"]),
    ])
    func `each driver has a claim, and that of both names them`(
        country: String,
        trips: [String],
        amounts: [String]
    ) throws {
        let ledger = try Self.ledger(trips)
        let claim = "ledger report claim --jurisdiction \(country) --year 2026"
        for (driver, amount) in zip([nil, "Ann", "Bob"], amounts) {
            let option = driver.map { " --driver \($0)" } ?? ""
            let total = try #require(try ledger.shell("\(claim)\(option) --format json").lines.last)
            #expect(total.contains("\"amount\":\(amount)}]"), "\(total)")
            let member = driver.map { "\"driver\":\"\($0)\"" } ?? "\"driver\":"
            #expect(total.contains(member) == (driver != nil), "\(total)")
        }
        let sentences = [
            "en": "Several persons drove: Ann, Bob.", "nl": "Meerdere personen reden: Ann, Bob.",
            "de": "Mehrere Personen fuhren: Ann, Bob.",
            "fr": "Plusieurs personnes ont conduit\u{A0}: Ann, Bob.",
        ]
        for (language, sentence) in sentences {
            let both = try ledger.shell("\(claim) --language \(language)")
            #expect(both.text.contains(sentence), "\(both)")
            #expect(both.text.contains("`--driver N"), "\(both)")
            let own = try ledger.shell("\(claim) --driver Ann --language \(language)")
            #expect(!own.text.contains("Bob") && own.text.contains("Ann"), "\(own)")
        }
    }

    @Test func `the claim of a driver that was issued is made again, and an unknown one is noted`()
        throws
    {
        let ledger = try Self.ledger(Self.miles)
        let claim = "ledger report claim --jurisdiction gb --year 2026 --driver"
        let session = """
            \(claim) Ann --issue > first 2> /dev/null
            \(Self.trip("Ann", "2026-05-03T08", "--miles 5000 --class business")) > /dev/null
            ledger report reissue R1 2> /dev/null | cmp - first; echo $?
            \(claim) Ann | cmp -s - first; echo $?
            """
        #expect(try ledger.shell(session).lines == ["0", "1"])
        let unknown = try ledger.shell("\(claim) Max")
        #expect(unknown.exitCode == 0)
        #expect(unknown.errors.contains("no trip has the driver Max"), "\(unknown)")
    }
}
