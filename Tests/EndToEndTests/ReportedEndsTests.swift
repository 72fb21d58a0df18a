import Foundation
import LedgerTestSupport
import Testing

/// Reported trips whose ends have positions, and what tables say was paid on them.
@Suite struct ReportedEndsTests {
    private func process(_ lines: String...) throws -> LedgerProcess {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let input = lines.map { $0 + "\n" }.joined()
        #expect(try process.append(Data(input.utf8)).appended == lines.count)
        return process
    }

    private static func trip(_ day: Int, _ rest: String) -> String {
        #"{"type":"trip_reported","source":"paper","occurred_at":"2025-03-0\#(day)T09:00:00Z","#
            + #""started_at":"2025-03-0\#(day)T08:00:00Z","ended_at":"2025-03-0\#(day)T09:00:00Z","#
            + #""distance_m":9000\#(rest)}"#
    }

    @Test func `saved places know a reported trip by the positions of its ends`() throws {
        let process = try process(
            Self.trip(3, #","lat":51.92,"lon":4.48,"to_lat":51.95,"to_lon":4.62"#),
            Self.trip(4, #","to_lat":51.95,"to_lon":4.62"#),
            Self.trip(5, #","to":"Office""#),
            Self.trip(6, "")
        )
        let saved = try process.run(
            "place",
            "save",
            "Office",
            "--lat",
            "51.95",
            "--lon",
            "4.62",
            "--radius",
            "100"
        )
        try #require(saved.exitCode == 0, "\(saved.errors)")
        let trips = try process.run("trips", "--format", "json").lines
        #expect(trips.count == 4, "\(trips)")
        #expect(trips.count { $0.contains(#""end_place":"Office""#) } == 3, "\(trips)")
        #expect(trips.count { $0.contains(#""start":{"lat":51.92,"lon":4.48}"#) } == 1)
        #expect(try process.run("project", "--check").exitCode == 0)
    }

    @Test(arguments: [
        (#","lat":51.92"#, "missing_field"), (#","to_lon":4.6"#, "missing_field"),
        (#","lat":91,"lon":4"#, "coordinate_out_of_range"),
    ])
    func `half a position is refused`(rest: String, code: String) throws {
        let process = try LedgerProcess()
        try process.begin()
        let answer = try process.run("append", input: Data((Self.trip(3, rest) + "\n").utf8))
        #expect(answer.text.contains(#""rejected":1"#) && answer.errors.contains(code))
    }

    private static let miles = """
        START_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*,MILES_VALUE,PARKING,TOLLS,TOTAL,VEHICLE
        03/11/2025 08:03,03/11/2025 08:17,Business,Home,Client,7.5,5.25,$4.50,1.25,11,van
        03/12/2025 08:03,03/12/2025 08:17,Business,Home,Client,7.5,5.25,0,,5.25,van

        """

    @Test func `parking and tolls become expenses of their trip, once`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "America/Chicago")
        let table = Data(Self.miles.utf8)
        for _ in 0..<2 {
            _ = try process.run("append", input: table)
            let expenses = try process.run("expense", "list", "--format", "json").lines
            #expect(expenses.count == 2, "\(expenses)")
            for (kind, amount) in [("parking", "4.5"), ("toll", "1.25")] {
                let paid = expenses.first { $0.contains(#""kind":"\#(kind)""#) } ?? ""
                #expect(paid.contains(#""amount":\#(amount)"#), "\(paid)")
                #expect(paid.contains(#""currency":"USD""#) && paid.contains(#""trip":""#))
            }
        }
        #expect(try process.run("verify").exitCode == 0)
    }
}
