import DriveSimulation
import Foundation
import TestSupport
import Testing

/// A decision that cannot stand is refused in the same words at every door, and has no effect if it
/// comes as a fact.
@Suite struct DecisionObstacleTests {
    /// A decision that cannot stand, as each door takes it.
    private struct Case {
        /// The members of an event's line beside source and time; a request for a decision has the
        /// same.
        var members: String

        /// The arguments of the command.
        var arguments: [String]

        /// Why it cannot stand, in the words of the command.
        var words: String
    }

    /// Trips at 8, 10 and 12 of the golf, of the van and of none, the last one voided.
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init > /dev/null
            for hour in 08 10 12; do
              ledger simulate tunnel --source car | sed s/T08:/T$hour:/ | ledger append > /dev/null
            done
            ledger trips --format json | cut -c8-39 | tac > trips
            ledger edit $(sed -n 1p trips) --vehicle golf > /dev/null
            ledger edit $(sed -n 2p trips) --vehicle van > /dev/null
            ledger void $(sed -n 3p trips) --why Ferry > /dev/null
            """
    )

    private static func begin() throws -> (process: LedgerProcess, cases: [Case]) {
        let process = try fixture.copy()
        let ids = try process.shell("cat trips").lines
        try #require(ids.count == 3)
        let (golf, van, voided) = (ids[0], ids[1], ids[2])
        return (
            process,
            [
                Case(
                    members: #""type":"trips_merged","trips":["\#(van)","\#(voided)"]"#,
                    arguments: ["merge", van, voided],
                    words: "it was voided"
                ),
                Case(
                    members: #""type":"trips_merged","trips":["\#(golf)","\#(van)"]"#,
                    arguments: ["merge", golf, van],
                    words: "its vehicle is van, that of trip \(golf.prefix(8)) is golf"
                ),
                Case(
                    members: #""type":"trip_split","trip":"\#(golf)","#
                        + #""split_at":"2025-03-03T23:59:00+01:00""#,
                    arguments: ["split", golf, "--at", "2025-03-03T23:59:00+01:00"],
                    words: "2025-03-03 23:59:00 +01:00 is not within the trip, which is from "
                ),
                Case(
                    members: #""type":"details_edited","trip":"\#(golf)","purpose":"Roof","#
                        + #""fields":{"gate":"B"}"#,
                    arguments: ["edit", golf, "--purpose", "Roof", "--field", "gate=B"],
                    words: "here is no custom field gate"
                ),
            ]
        )
    }

    /// Everything that a trip and its vehicle come to, but not which entries it was made of.
    private static func figures(_ process: LedgerProcess) throws -> [String] {
        try [
            ["trips", "--all", "--format", "json"], ["totals", "--by", "vehicle"],
            ["totals", "--by", "month", "--format", "json"], ["report", "log", "--format", "json"],
        ]
        .flatMap { try process.run($0).lines }
        .map { $0.replacing(/"size":\d+,"root":"[0-9a-f]+",/, with: "") }
    }

    /// Late data can begin a trip elsewhere, so that it gets another id: what cuts it must be
    /// decided again, and the ledger says so with the command that does.
    @Test(arguments: [
        "exclude TRIP --from 2015-01-05T07:10:00.000+01:00 --to 2015-01-05T07:15:00.000+01:00 "
            + "--why 'A b'",
        "split TRIP --at 2015-01-05T07:10:00.000+01:00",
    ])
    func `a cut of a trip that late data begin elsewhere is decided again`(cut: String) throws {
        let process = try LedgerProcess()
        let ids = try process.shell(
            """
            ledger init > /dev/null
            ledger simulate bulk --drives 1 --source car > drive
            (sed -n 's/:00:00.000Z/:00:58.000Z/; 1p' drive; sed -n '60,$p' drive) > early
            ledger append early > /dev/null
            ledger \(cut.replacing("TRIP", with: "$(ledger trips --format ids)")) > /dev/null
            ledger trips --format json | wc -l
            """
        )
        // The second press of GO begins nothing once the first one is there.
        let late = try process.shell("sed -n '1,59p' drive | ledger append --format text")
        #expect(late.lines[0].contains("no effect any more: ledger changes --orphans."))
        let command = try process.shell(
            "ledger changes --orphans --format json | sed 's/.*\"command\":\"\\([^\"]*\\)\".*/\\1/'"
        )
        let trip = try process.shell("ledger trips --format ids").lines[0]
        #expect(command.lines == ["ledger " + cut.replacing("TRIP", with: trip.prefix(8))])
        #expect(try process.shell(command.lines[0]).exitCode == 0)
        let orphans = try process.shell("ledger changes --orphans --format json")
        #expect(orphans.output.isEmpty)
        #expect(try process.shell("ledger trips --format json | wc -l").lines == ids.lines)
    }

    @Test(arguments: [true, false])
    func `as lines all four are stored and named, and no figure changes`(
        isLater: Bool
    ) throws {
        let (process, cases) = try Self.begin()
        let before = try Self.figures(process)
        // After everything else that was decided, or before it, on the day after the trips.
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let time = isLater ? String(now) : #""2025-03-04T08:00:00Z""#
        let lines = cases.map { #"{\#($0.members),"source":"elsewhere","occurred_at":\#(time)}"# }
        let input = Data(lines.joined(separator: "\n").utf8)
        let outcome = try process.run(["append"], input: input)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try Self.figures(process) == before)
        let orphans = try process.run("changes", "--orphans", "--format", "json").lines
        let doctor = try process.run("doctor").text
        #expect(orphans.count == cases.count)
        #expect(outcome.errors.contains("4 decisions have no effect: "))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        for one in cases {
            #expect(outcome.lines.last?.contains(one.words) == true, "\(one.words)")
            #expect(outcome.errors.contains(one.words), "\(one.words)\n\(outcome.errors)")
            #expect(orphans.contains { $0.contains(one.words) }, "\(one.words)\n\(orphans)")
            #expect(doctor.contains(one.words), "\(one.words)\n\(doctor)")
        }
        #expect(try process.run("project", "--check").exitCode == 0)
        // Once nothing is in their way any more, they take effect.
        let healed = try process.shell(
            """
            ledger field define gate --type text && ledger edit $(sed -n 2p trips) --vehicle golf
            """
        )
        #expect(healed.exitCode == 0, "\(healed.errors)")
        #expect(try process.run("changes", "--orphans", "--format", "json").lines.count == 2)
        let first = try process.shell("ledger trip $(sed -n 1p trips) --format json").text
        #expect(first.contains(#""purpose":"Roof""#))
        #expect(first.contains(#""parts":["#))
    }

    @Test func `a decision about a part names the whole trip once its split is undone`() throws {
        let process = try Self.fixture.copy()
        let ids = try process.shell("cat trips").lines
        let whole = try #require(ids.first)
        let split = try process.run("split", whole, "--at", "08:32")
        try #require(split.exitCode == 0, "\(split.errors)")
        let listed = try process.run("trips", "--all", "--format", "ids").lines
        let part = try #require(listed.first { !ids.contains($0) })
        try #require(try process.run("edit", part, "--purpose", "Roof").exitCode == 0)
        #expect(try process.run("changes", "--orphans", "--format", "json").lines.isEmpty)

        try #require(try process.run("restore", whole).exitCode == 0)
        let orphans = try process.run("changes", "--orphans", "--format", "json").lines
        let row = try Self.object(orphans.first)
        #expect(row["about_trip"] as? String == part)
        let advice = try #require(row["to_do"] as? String)
        #expect(advice.hasPrefix("A split of trip \(whole.prefix(8)) made this one"), "\(advice)")
        #expect(row["command"] as? String == "ledger trip \(whole.prefix(8))")
        #expect(orphans.count == 1)
        #expect(try process.run("changes", "--orphans").text.contains(advice))
    }

    /// The types of the decisions that rows mark as having no effect, each with the reason.
    private static func marked(_ rows: [[String: Any]], by member: String) -> Set<String> {
        Set(
            rows.compactMap { row in
                (row[member] as? String).map { "\(row["type"] ?? "") \($0)" }
            }
        )
    }

    @Test func `lists of changes say what has no effect, and restoring takes none back`() throws {
        let (process, cases) = try Self.begin()
        let size = try process.run("log", "--format", "json").lines.count
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let lines = cases.map { #"{\#($0.members),"source":"elsewhere","occurred_at":\#(now)}"# }
        _ = try process.run(["append"], input: Data(lines.joined(separator: "\n").utf8))
        let listed = try process.run("changes", "--orphans", "--format", "json").lines
            .map { try Self.object($0) }
        let expected = Self.marked(listed, by: "reason")
        try #require(expected.count == cases.count)

        let history = try process.run("history", "--all", "--format", "json").lines
        let report = try process.run("report", "changes", "--year", "2025", "--format", "json")
        let since = try process.run("changes", "--since", String(size), "--format", "json")
        let lists: [[[String: Any]]?] = [
            try history.map { try Self.object($0) },
            try Self.object(report.lines.first)["changes"] as? [[String: Any]],
            try Self.object(since.lines.first)["decisions"] as? [[String: Any]],
        ]
        for list in lists {
            #expect(Self.marked(list ?? [], by: "without_effect") == expected)
        }
        let columns = ["history", "--all", "--format", "csv", "--columns", "type,without_effect"]
        let fields = try process.run(columns).lines.dropFirst().filter { !$0.hasSuffix(",") }
        #expect(Set(fields.map { $0.replacing(",", with: " ") }) == expected)
        let words = [
            "en": "other vehicle", "nl": "ander voertuig", "de": "anderes Fahrzeug",
            "fr": "autre véhicule",
        ]
        for (language, word) in words {
            let options = ["--year", "2025", "--language", language]
            let said = try process.run(["report", "changes"] + options)
            #expect(said.text.contains(word), "\(said.text)")
        }
        let golf = try process.shell("head -1 trips").lines[0]
        #expect(try process.run("explain", golf).text.contains("no effect: other vehicle"))
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(about: history, schema: "amendment")
            #expect(complaints.allSatisfy { $0.isEmpty }, "\(complaints)")
        }

        let restored = try process.run("restore", golf)
        #expect(restored.exitCode == 0, "\(restored.errors)")
        #expect(!restored.text.contains("→"), "\(restored.text)")
    }

    @Test func `command and server refuse all four in the same words, and store nothing`() throws {
        let (process, cases) = try Self.begin()
        let server = try ServedLedger(onSocketOf: process)
        let size = try process.run("log", "--format", "json").lines.count
        for one in cases {
            let said = try process.run(one.arguments)
            #expect([1, 65].contains(said.exitCode), "\(one.arguments)")
            #expect(said.errors.contains(one.words), "\(one.words)\n\(said.errors)")
            let answer = try server.connect()
                .post(Data("{\(one.members)}".utf8), as: "application/json", to: "/v1/decisions")
            #expect(answer.status == 422)
            #expect(answer.body.contains(one.words), "\(one.words)\n\(answer.body)")
        }
        #expect(try process.run("log", "--format", "json").lines.count == size)
    }

    private static func object(_ text: String?) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data((text ?? "").utf8))
        return try #require(value as? [String: Any])
    }

    @Test(arguments: ["application/x-ndjson", "application/json"])
    func `as events of a request they are named as append names them`(mediaType: String) throws {
        let (process, cases) = try Self.begin()
        let time = Int(Date().timeIntervalSince1970 * 1_000)
        let lines = cases.map { #"{\#($0.members),"source":"elsewhere","occurred_at":\#(time)}"# }
        let input = Data(lines.joined(separator: "\n").utf8)
        let appended = try Self.fixture.copy().run(["append"], input: input)
        let said = try Self.object(appended.lines.last)["without_effect"] as? [NSDictionary]
        #expect(said?.count == cases.count)
        let isLines = mediaType == "application/x-ndjson"
        let list = Data(#"{"events":[\#(lines.joined(separator: ","))]}"#.utf8)
        let server = try ServedLedger(onSocketOf: process)
        var bodies: [String] = []
        for isRepeat in [false, true] {
            let answer = try server.connect().post(isLines ? input : list, as: mediaType)
            #expect(answer.status == 200, "\(answer)")
            let body = isLines ? answer.lines.last ?? "" : answer.body
            bodies.append(body)
            let object = try Self.object(body)
            let sums = isLines ? object : object["summary"] as? [String: Any]
            let named = sums?["without_effect"] as? [NSDictionary]
            #expect(named == (isRepeat ? nil : said), "\(body)")
        }
        // What has an effect is not named, and what is no decision.
        let golf = try process.shell("head -1 trips").lines[0]
        let others = """
            {"type":"details_edited","trip":"\(golf)","purpose":"Roof"}
            {"type":"fix_recorded","source":"phone","lat":51.9,"lon":4.3}
            """
        let answer = try server.connect().post(Data(others.utf8))
        #expect(answer.body.contains(#""appended":2"#), "\(answer)")
        #expect(!answer.body.contains("without_effect"), "\(answer)")
        guard JSONSchemaValidator.isPresent else { return }
        let schema = isLines ? "summary" : "events-answer"
        let complaints = try JSONSchemaValidator.complaints(about: bodies, schema: schema)
        #expect(complaints == ["", ""])
    }

    /// An app that knows another server has no merges and no splits to ask for.
    @Test func `an app that knows another server is refused in the same words`() throws {
        let (process, cases) = try Self.begin()
        let app = try FeedClientApp(ServedLedger(process))
        let golf = try process.shell("head -1 trips").lines[0]
        let size = try process.run("log", "--format", "json").lines.count
        var event = try app.object("GET", "events/\(golf)")
        var properties = try #require(event["properties"] as? [String: Any])
        properties["distance_km"] = nil
        properties["purpose"] = ["type": "text", "value": "Roof"]
        properties["gate"] = ["type": "text", "value": "B"]
        event["properties"] = properties
        let changed = try app.ask("PUT", "events/\(golf)", event)
        event["id"] = "019a9f30-5c10-7a11-8e00-000000000001"
        event["source_type"] = "manual"
        let made = try app.ask("POST", "events", event)
        let several = try app.ask("POST", "events/batch", ["events": [event]])
        for answer in [changed, made, several] {
            #expect(answer.status == 400, "\(answer)")
            #expect(answer.body.contains(cases[3].words), "\(answer)")
        }
        #expect(try process.run("log", "--format", "json").lines.count == size)
        // What the app notes by itself is no field that a person asks for: it is kept.
        event["source_type"] = "geofence"
        properties["Entered At"] = ["type": "date", "value": "2025-03-03T07:00:00Z"]
        event["properties"] = properties
        let noted = try app.object("POST", "events", event, status: 201)
        #expect(noted["properties"] as? NSDictionary == properties as NSDictionary)
        var echo = noted
        echo["notes"] = "Seen"
        let path = "events/019a9f30-5c10-7a11-8e00-000000000001"
        let seen = try app.object("PUT", path, echo)
        #expect(seen["notes"] as? String == "Seen")
        #expect(seen["properties"] as? NSDictionary == properties as NSDictionary)
    }

    @Test func `what the options of a trip refuse is refused so when it is asked for`() throws {
        let (process, cases) = try Self.begin()
        let server = try ServedLedger(onSocketOf: process)
        let ids = try process.shell("cat trips").lines
        let golf = try server.get("/v1/trips/\(ids[0])/options")
        #expect(golf.status == 200)
        #expect(golf.head.contains("ETag: "))
        #expect(golf.body.contains(#""waits_for":"class""#))
        #expect(golf.body.contains(#""next":{"trip":{"id":"\#(ids[1])""#))
        #expect(golf.body.contains(cases[1].words))
        let voided = try server.get("/v1/trips/\(ids[2])/options")
        // It waits for nothing.
        #expect(voided.body.contains(#""status":"voided","restores":["voided"]"#))
        #expect(voided.body.contains("it was voided"))
        guard JSONSchemaValidator.isPresent else { return }
        #expect(
            try JSONSchemaValidator.complaints(
                about: [golf.body, voided.body],
                schema: "trip-options"
            ) == ["", ""]
        )
    }
}
