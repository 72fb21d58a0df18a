import Foundation
import TestSupport
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
        // Four countries have dollars: nothing says which of them are meant.
        let first = try process.run("append", input: table)
        #expect(first.errors.contains("2 amounts for parking and tolls stay fields"))
        #expect(first.errors.contains("ledger settings --country us"))
        #expect(try process.run("expense", "list", "--format", "json").lines.isEmpty)
        #expect(try process.run("settings", "--country", "us").exitCode == 0)
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

    @Test(
        arguments: [
            ("$", "ca", "CAD"), ("$", "de", nil), ("", "gb", "GBP"), ("", "nl", "EUR"),
            ("£", "us", "GBP"), ("£", nil, "GBP"), ("€", "ch", "EUR"), ("", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `a currency is what the table says, or that of the country, and never guessed`(
        sign: String,
        country: String?,
        currency: String?
    ) throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/London")
        if let country { _ = try process.run("settings", "--country", country) }
        let table = Self.miles.replacing("$4.50", with: "\(sign)4.50")
            .replacing(",1.25,", with: ",,")
        _ = try process.run("append", input: Data(table.utf8))
        let expenses = try process.run("expense", "list", "--format", "json").lines
        #expect(expenses.count == (currency == nil ? 0 : 1), "\(expenses)")
        if let currency { #expect(expenses[0].contains(#""currency":"\#(currency)""#)) }
    }

    @Test func `the ends of trips that words choose are edited, cleared and undone`() throws {
        let process = try process(
            Self.trip(3, #","from":"Zuhause","to":"Kunde A""#),
            Self.trip(4, #","from":"Zuhause","to":"Kunde B""#),
            Self.trip(5, #","to":"Office""#)
        )
        let place = ["place", "save", "Office", "--lat", "51.95", "--lon", "4.62"]
        _ = try process.run(place)
        let edited = try process.run(
            ["edit", "--text", "kunde b", "--destination", "Office", "-y"]
        )
        try #require(edited.exitCode == 0, "\(edited.errors)")
        let there = try process.run("trips", "--to-place", "Office", "--format", "ids").lines
        #expect(there.count == 2, "\(there)")
        let named = try process.run("trips", "--text", "kunde b", "--format", "ids").lines
        #expect(named.isEmpty)
        _ = try process.run("edit", "last", "--clear", "destination", "--origin", "Café")
        let last = try process.run("trip", "last", "--format", "json").text
        #expect(last.contains(#""from":"Café""#) && !last.contains("Office"), "\(last)")
        #expect(try process.run("project", "--check").exitCode == 0)
        #expect(try process.run("edit", "last", "--origin", "").exitCode == 64)
        let both = try process.run("edit", "last", "--origin", "A", "--clear", "origin")
        #expect(both.exitCode == 64)
    }

    @Test(arguments: ["from-address", "from_address"])
    func `an address is shown, and cleared by the name of its option or its column`(
        name: String
    ) throws {
        let process = try process(Self.trip(3, #","to":"Office""#))
        _ = try process.run("edit", "last", "--from-address", "Dam 1, Delft")
        let shown = try process.run("trip", "last").lines
        #expect(shown.contains { $0.hasPrefix("From ") && $0.hasSuffix(" Dam 1, Delft") })
        let both = try process.run("edit", "last", "--from-address", "A", "--clear", name)
        #expect(both.exitCode == 64)
        let cleared = try process.run("edit", "last", "--clear", name)
        try #require(cleared.exitCode == 0, "\(cleared.errors)")
        let trip = try process.run("trip", "last", "--format", "json").text
        #expect(!trip.contains("Delft") && !trip.contains("fields"), "\(trip)")
    }

    @Test func `status and trips say what to do with ways that another app inferred`() throws {
        let way =
            #"{"type":"inference_reported","source":"google","occurred_at":"2025-03-03T09:00:00Z","#
            + #""inferred_by":"Google","inference":"activity","mode":"car","distance_m":9000,"#
            + #""started_at":"2025-03-03T08:00:00Z","ended_at":"2025-03-03T09:00:00Z"}"#
        let process = try process(way)
        let table = try process.run("inferences", "--format", "csv").text
        let proposal = try process.run("append", "--suggest-map", input: Data(table.utf8))
        #expect(proposal.errors.contains("it needs no map"), "\(proposal.errors)")
        let next = "ledger inferences --make-trips"
        #expect(try process.run("status").text.contains(next))
        #expect(try process.run("trips").errors.contains(next))
        _ = try process.run("inferences", "--make-trips", "--vehicle", "van")
        let made = try process.run("trips", "--format", "json").lines
        #expect(made.count == 1 && made[0].contains(#""vehicle":"van""#), "\(made)")
        #expect(try process.run("inferences", "--vehicle", "van").exitCode == 64)
        #expect(try !process.run("status").text.contains(next))
    }

    @Test func `trips that Traccar made keep their addresses when a person reports them`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let trip =
            #"[{"deviceId":3,"startPositionId":1,"endPositionId":2,"distance":12000.5,"#
            + #""startTime":"2024-03-01T07:00:00.000+00:00","#
            + #""endTime":"2024-03-01T07:30:00.000+00:00","startLat":52.1,"startLon":4.3,"#
            + #""endLat":52.2,"endLon":4.4,"startAddress":"Dorpsstraat 1, Delft","#
            + #""endAddress":"Dam 2, Amsterdam"}]"#
        #expect(try process.append(Data(trip.utf8)).appended == 1)
        #expect(try process.run("inferences", "--make-trips", "--mode", "bus").exitCode == 0)
        #expect(try process.run("trips", "--format", "json").lines.isEmpty)
        let made = try process.run("inferences", "--make-trips", "--vehicle", "van")
        try #require(made.exitCode == 0, "\(made.errors)")
        let log = try process.run("report", "log", "--draft", "--year", "2024", "--format", "csv")
        let line = log.lines.last ?? ""
        #expect(line.contains("Dorpsstraat 1, Delft") && line.contains("Dam 2, Amsterdam"))
    }
}
