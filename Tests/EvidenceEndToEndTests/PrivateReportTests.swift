import Foundation
import TestSupport
import Testing

/// Reports that leave out what private trips were say in no format where, when or for what.
@Suite struct PrivateReportTests {
    /// The words about private trips in each report that leaves out nothing, in some format.
    private static let secrets: [String: [String]] = [
        "log": ["Gouda", "  09:17  ", ">09:43<", "T09:17:23", "T09:43:41", "51.98"],
        "changes": [
            "Gouda", "Aunt", "51.76", "52.31", "2025-02-02 09:21", "T09:21:41", "T11:05:09",
            "T22:07:31",
        ],
        "reconcile": [
            "Gouda", "2025-02-01 09:21", "T09:21:41", "2025-02-01 09:33", "2025-02-02 09:47",
            "T09:47:00", "2025-02-02 09:43",
        ],
    ]

    /// The words that stay, about private trips and others.
    private static let shown: [String: [String]] = [
        "log": ["12.00", "Delft", "Roof"],
        "changes": ["Delft depot", "Roof, second visit", "personal", "Harbour", "Tango"],
        "reconcile": ["Tango", "2025-02-04 08:00", "left out"],
    ]

    private static let formats = ["text", "csv", "json", "html"]

    /// A ledger with private trips: one that was reported, one that was recorded, and what belongs
    /// to them; and with others of the same vehicle that clash with them.
    private static let fixture = LedgerProcess.Fixture { ledger in
        try ledger.begin()
        try ledger.append(Data((trips + settings).map { $0 + "\n" }.joined().utf8))
        try ledger.append(DriveLines.data(drives))
        try succeed(ledger, ["project"])
        let trips = try ledger.run("trips", "--format", "json").lines
        let found = try trips.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        try #require(found.count == 6)
        for trip in found {
            let id = try #require(trip["id"] as? String)
            let startedAt = try #require(trip["started_at"] as? String)
            let isPrivate = startedAt.contains(":17:23")
            let details =
                isPrivate
                ? ["--class", "personal", "--purpose", "Aunt in Gouda again", "--client", "Gouda"]
                : ["--class", "business", "--purpose", "Roof, second visit"]
            try succeed(ledger, ["edit", id, "--vehicle", "van", "--yes"] + details)
        }
    }

    private static func succeed(_ ledger: LedgerProcess, _ arguments: [String]) throws {
        let outcome = try ledger.run(arguments)
        try #require(outcome.exitCode == 0, "\(arguments): \(outcome.errors)")
    }

    private static let trips = [
        """
        {"type":"trip_reported","source":"paper","occurred_at":"2025-02-01T22:07:31+01:00",\
        "id":"a","started_at":"2025-02-01T09:17:23+01:00","ended_at":"2025-02-01T09:43:41+01:00",\
        "distance_m":12004,"from":"Gouda","to":"Aunt in Gouda","purpose":"Aunt in Gouda",\
        "client":"Gouda","notes":"Gouda","class":"personal","vehicle":"van"}
        """,
        """
        {"type":"trip_reported","source":"paper","occurred_at":"2025-02-01T18:00:00+01:00",\
        "id":"clash","started_at":"2025-02-01T09:33:00+01:00",\
        "ended_at":"2025-02-01T09:58:00+01:00","distance_m":9000,"vehicle":"van"}
        """,
        """
        {"type":"trip_reported","source":"paper","occurred_at":"2025-02-03T18:00:00+01:00",\
        "id":"b","started_at":"2025-02-03T09:00:00+01:00","ended_at":"2025-02-03T09:40:00+01:00",\
        "distance_m":30000,"from":"Delft","to":"Harbour","purpose":"Roof","class":"business",\
        "vehicle":"van"}
        """,
    ]

    private static let settings = [
        setting("vehicle_registered", at: "2025-01-01T08:00:00", "\"vehicle\":\"van\""),
        setting("odometer_read", at: "2025-01-31T08:00:00", reading(1_000)),
        setting("odometer_read", at: "2025-02-01T09:21:41", reading(1_010)),
        setting("odometer_read", at: "2025-02-04T08:00:00", reading(1_100)),
        setting(
            "place_saved",
            at: "2025-02-01T11:05:09",
            "\"place\":\"Aunt\",\"lat\":51.76,\"lon\":4.76,\"radius_m\":80,\"label\":\"Gouda\""
        ),
        setting(
            "place_saved",
            at: "2025-02-01T11:06:00",
            "\"place\":\"Delft depot\",\"lat\":53.5,\"lon\":4.3,\"radius_m\":200"
        ),
        setting(
            "routine_saved",
            at: "2025-02-01T11:05:09",
            "\"routine\":\"Aunt\",\"title\":\"Gouda\",\"class\":\"personal\""
        ),
        setting(
            "routine_saved",
            at: "2025-02-01T11:06:00",
            "\"routine\":\"Harbour\",\"class\":\"business\""
        ),
        // Fuel on a private trip, and fuel after another one, which ended elsewhere.
        setting("expense_recorded", at: "2025-02-02T09:21:41", expense("Gouda fuel", 52.31)),
        setting("expense_recorded", at: "2025-02-03T14:02:57", expense("Tango", 52.01)),
    ]

    private static func setting(_ type: String, at time: String, _ members: String) -> String {
        """
        {"type":"\(type)","source":"paper","occurred_at":"\(time)+01:00",\(members)}
        """
    }

    private static func reading(_ kilometers: Int) -> String {
        "\"vehicle\":\"van\",\"value\":\(kilometers),\"unit\":\"km\""
    }

    private static func expense(_ merchant: String, _ latitude: Double) -> String {
        """
        "vehicle":"van","kind":"fuel","amount":40,"currency":"EUR","merchant":"\(merchant)",\
        "lat":\(latitude),"lon":4.3
        """
    }

    /// Drives of the same phone: a private one in the morning, and right after it one that begins
    /// far away.
    private static let drives =
        drive(from: 51.98, at: "2025-02-02T09:17:23+01:00", seconds: 1_578)
        + drive(from: 53.5, at: "2025-02-02T09:47:00+01:00", seconds: 600)
        + drive(from: 52.4, at: "2025-02-03T13:50:00+01:00", seconds: 777)

    /// Presses and fixes of a drive to the north at 15 m/s.
    private static func drive(from latitude: Double, at start: String, seconds: Int) -> [String] {
        let begin = (try? Date(start, strategy: .iso8601)) ?? .distantPast
        func line(_ type: String, _ second: Int, _ members: String = "") -> String {
            let time = begin.addingTimeInterval(Double(second)).formatted(.iso8601)
            return """
                {"type":"\(type)","source":"phone","occurred_at":"\(time)"\(members)}
                """
        }
        let fixes = stride(from: 0, through: seconds, by: 3)
            .map { second in
                let position = latitude + Double(second) * 15 / 111_250
                return line(
                    "fix_recorded",
                    second,
                    ",\"lat\":\(position),\"lon\":4.3,\"accuracy\":5,\"speed\":15"
                )
            }
        return [line("go_pressed", 0, ",\"vehicle\":\"van\"")] + fixes
            + [line("stop_pressed", seconds)]
    }

    private func shown(
        _ ledger: LedgerProcess,
        _ report: String,
        _ format: String,
        _ more: String...
    ) throws -> String {
        let all = report == "changes" ? ["--all"] : []
        let days = ["--from", "2025-01-01", "--to", "2025-12-31"]
        let outcome = try ledger.run(
            ["report", report, "--format", format] + days + all + more
        )
        try #require(outcome.exitCode == 0, "\(report) \(format): \(outcome.errors)")
        return outcome.text
    }

    @Test(arguments: ["log", "changes", "reconcile"])
    func `nothing says where, when or for what a private trip was`(report: String) throws {
        let ledger = try Self.fixture.copy()
        var open = ""
        var masked = ""
        let secrets = try #require(Self.secrets[report])
        for format in Self.formats {
            open += try shown(ledger, report, format)
            let text = try shown(ledger, report, format, "--private-as", "km-only")
            for secret in secrets where text.contains(secret) {
                let place = text.ranges(of: secret)[0].lowerBound
                let before = text[..<place].suffix(300)
                Issue.record("\(format) tells \(secret): \(before)\(text[place...].prefix(100))")
            }
            masked += text
        }
        for secret in secrets {
            #expect(open.contains(secret), "not even the open report tells \(secret)")
        }
        for word in try #require(Self.shown[report]) {
            #expect(masked.contains(word), "\(word) is left out")
        }
    }

    @Test func `a masked report is issued, and comes again byte for byte`() throws {
        let ledger = try Self.fixture.copy()
        for (index, report) in ["log", "changes", "reconcile"].enumerated() {
            let outcome = try ledger.shell(
                """
                ledger report \(report) --year 2025 --private-as km-only --format csv --issue \
                > given.csv && ledger report reissue R\(index + 1) | cmp - given.csv
                """
            )
            #expect(outcome.exitCode == 0, "\(report): \(outcome.text)\(outcome.errors)")
        }
    }
}
