import DriveSimulation
import Foundation
import TestSupport
import Testing

/// A book is the same, whichever door its decisions came by.
@Suite struct OneDoorTests {
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        try process.append(DriveLines.data(DriveLines.mixed(seed: 7)))
        let settings = try process.shell(
            """
            set -e
            ledger field define gate --type text
            ledger routine save Office --purpose Work --class commute --vehicle golf
            """
        )
        try #require(settings.exitCode == 0, "\(settings.errors)")
    }

    /// A decision, as two doors take it.
    private struct Asked {
        var arguments: [String]
        var members: [String: Any]
    }

    private static func trips(_ process: LedgerProcess) throws -> [[String: Any]] {
        try process.run("trips", "--all", "--format", "json").lines
            .map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
            .compactMap { $0 as? [String: Any] }
    }

    /// Returns the ids of the decisions that have no effect.
    private static func orphans(_ process: LedgerProcess) throws -> [String] {
        try process.run("changes", "--orphans", "--format", "json").lines
            .map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
            .compactMap { ($0 as? [String: Any])?["id"] as? String }
            .sorted()
    }

    /// Returns something that may be decided about one of some trips, or may be refused.
    private static func asked(
        about trips: [[String: Any]],
        _ random: inout SplitMix64
    ) throws -> Asked {
        let index = Int.random(in: 0..<trips.count, using: &random)
        let trip = try #require(trips[index]["id"] as? String)
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            return Asked(
                arguments: ["void", trip, "--why", "Ferry"],
                members: ["type": "trip_voided", "trip": trip, "why": "Ferry"]
            )
        case 1:
            return Asked(
                arguments: ["restore", trip],
                members: ["type": "trip_restored", "trip": trip]
            )
        case 2, 3:
            let next = trips[min(index + 1, trips.count - 1)]
            let other = try #require(next["id"] as? String)
            return Asked(
                arguments: ["merge", trip, other],
                members: ["type": "trips_merged", "trips": [trip, other]]
            )
        case 4, 5:
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions.insert(.withFractionalSeconds)
            let start = try #require(trips[index]["started_at"] as? String)
            let began = try #require(formatter.date(from: start))
            let seconds = Double.random(in: -60...600, using: &random).rounded()
            let time = formatter.string(from: began.addingTimeInterval(seconds))
            return Asked(
                arguments: ["split", trip, "--at", time],
                members: ["type": "trip_split", "trip": trip, "split_at": time]
            )
        case 6:
            return Asked(
                arguments: ["adjust", trip, "--km", "7.5", "--why", "Odometer"],
                members: [
                    "type": "distance_adjusted", "trip": trip, "distance_m": 7_500,
                    "why": "Odometer",
                ]
            )
        case 7:
            return Asked(
                arguments: ["routine", "apply", "Office", trip],
                members: ["type": "routine_applied", "routine": "Office", "trip": trip]
            )
        default:
            let vehicle = ["golf", "van"].randomElement(using: &random) ?? "van"
            let field = ["gate", "seat"].randomElement(using: &random) ?? "gate"
            return Asked(
                arguments: ["edit", trip, "--vehicle", vehicle, "--field", "\(field)=B"],
                members: [
                    "type": "details_edited", "trip": trip, "vehicle": vehicle,
                    "fields": [field: "B"],
                ]
            )
        }
    }

    /// A server, and how decisions are asked of it.
    private struct Door {
        let name: String
        let server: ServedLedger

        /// The session of a page that is signed in; `nil` for a program.
        var session: String?

        static func program(_ process: LedgerProcess) throws -> Door {
            Door(name: "program", server: try ServedLedger(onSocketOf: process))
        }

        static func page(_ process: LedgerProcess) throws -> Door {
            let server = try ServedLedger(process)
            let code = try PageSignIn.code(server, "eva")
            let session = try #require(try PageSignIn.enter(server, code))
            return Door(name: "page", server: server, session: session)
        }

        /// Asks for a decision as this door does: the page sends a list, and knows the trip.
        func ask(_ members: [String: Any]) throws -> ServedLedger.Answer {
            let path = "/v1/decisions"
            guard let session else {
                let body = try JSONSerialization.data(withJSONObject: members)
                return try server.connect().post(body, as: "application/json", to: path)
            }
            let trips = members["trips"] as? [String]
            let trip = try #require(members["trip"] as? String ?? trips?.first)
            let cookie = "Cookie: \(session)"
            let options = try server.get("/v1/trips/\(trip)/options", cookie)
            let tag = try #require(options.head.firstMatch(of: #/ETag: ("\d+")/#)?.1)
            return try server.connect()
                .post(
                    JSONSerialization.data(withJSONObject: ["decisions": [members]]),
                    as: "application/json",
                    to: path,
                    server.port,
                    [cookie, "Sec-Fetch-Site: same-origin", "If-Match: \(tag)"]
                )
        }
    }

    /// Expects a door to answer as the command does.
    private static func expect(
        _ answer: ServedLedger.Answer,
        like said: LedgerProcess.Outcome,
        _ comment: Comment
    ) throws {
        #expect((answer.status == 200) == (said.exitCode == 0), comment)
        guard answer.status != 200 else { return }
        #expect(answer.status == 422, comment)
        let problem = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        )
        #expect(problem["type"] as? String == "urn:ledger:refused", comment)
        let words = try #require((problem["cause"] ?? problem["detail"]) as? String)
        #expect(said.errors.contains(words.trimmingCharacters(in: ["."])), comment)
    }

    @Test(arguments: Seeds.fresh(4))
    func `command, server, page and lines give the same rows, and refuse in the same words`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let command = try Self.fixture.copy()
        let doors = try [Door.program(Self.fixture.copy()), .page(Self.fixture.copy())]
        let size = try command.run("log", "--format", "json").lines.count
        for number in 0..<(Seeds.isThorough ? 40 : 12) {
            var asked = try Self.asked(about: Self.trips(command), &random)
            let said = try command.run(asked.arguments + ["--id", "d\(number)"])
            asked.members["id"] = "d\(number)"
            for door in doors {
                try Self.expect(
                    door.ask(asked.members),
                    like: said,
                    "seed \(seed), \(door.name), \(asked.arguments)"
                )
            }
        }
        let rows = try command.tripsWithoutArrival()
        let lines = try Self.fixture.copy()
        let decided = try command.run("log", "--format", "json").lines.dropFirst(size)
        try lines.append(DriveLines.data(decided))
        for process in doors.map(\.server.process) + [lines] {
            #expect(try process.tripsWithoutArrival() == rows, "seed \(seed)")
        }
        // A later decision may take the trip away that an earlier one is about, by every door.
        let orphans = try Self.orphans(command)
        for process in doors.map(\.server.process) + [lines, command] {
            #expect(try Self.orphans(process) == orphans, "seed \(seed)")
            #expect(try process.run("project", "--check").exitCode == 0, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `an app that knows another server gives the same rows as the command`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let command = try Self.fixture.copy()
        let process = try Self.fixture.copy()
        let app = try FeedClientApp(ServedLedger(process))
        let trips = try app.list("events?limit=1000").compactMap { $0["id"] as? String }
        for _ in 0..<8 {
            let trip = try #require(trips.randomElement(using: &random))
            let text = ["Roof", "Wall"].randomElement(using: &random) ?? ""
            let isGone = try app.ask("GET", "events/\(trip)").status == 404
            if isGone || Int.random(in: 0..<4, using: &random) == 0 {
                #expect(try app.ask("DELETE", "events/\(trip)").status == 204)
                #expect(try command.run("void", trip, "--why", "Gone").exitCode == 0)
                continue
            }
            // There is no field seat, and nothing of a change that says one is stored. What the app
            // notes by itself is no decision of a person, and is kept.
            let field = ["gate", "seat"].randomElement(using: &random) ?? "gate"
            let event = try app.object("GET", "events/\(trip)")
            var properties = try #require(event["properties"] as? [String: Any])
            properties[field] = ["type": "text", "value": text]
            let answer = try app.ask(
                "PUT",
                "events/\(trip)",
                ["notes": text, "original_title": "\(text) 1", "properties": properties]
            )
            let said = try command.run(
                ["edit", trip, "--notes", text, "--title", "\(text) 1", "--field"]
                    + ["\(field)=\(text)"]
            )
            #expect((answer.status == 200) == (field == "gate"), "\(answer)")
            #expect((said.exitCode == 0) == (field == "gate"), "\(said.errors)")
            #expect(field == "gate" || answer.body.contains("here is no custom field seat"))
        }
        #expect(
            try process.tripsWithoutArrival() == command.tripsWithoutArrival(),
            "seed \(seed)"
        )
        // Decisions of the app are those of the command: checked, and by who asked.
        let log = try process.run("log", "--format", "json").lines
        #expect(log.contains { $0.contains(#""actor":"Eva""#) })
    }

    /// Two trips that were merged.
    private static let merged = LedgerProcess.Fixture(
        shell: """
            ledger init > /dev/null
            for hour in 08 10; do
              ledger simulate tunnel --source car | sed s/T08:/T$hour:/ | ledger append > /dev/null
            done
            ledger trips --format json | cut -c8-39 | tac > trips
            ledger merge $(cat trips) > /dev/null
            """
    )

    @Test func `what is decided of a part is decided of the whole, at every door`() throws {
        let process = try Self.merged.copy()
        let ids = try process.shell("cat trips").lines
        try #require(ids.count == 2)
        let said = try process.run("edit", ids[1], "--vehicle", "golf")
        #expect(said.text.contains("It is a part of trip \(ids[0].prefix(8)), which shows it."))
        #expect(said.text.contains("vehicle - → "))
        let trips = try process.run("trips", "--format", "json").lines
        #expect(trips.count == 1)
        #expect(trips.first?.contains(#""vehicle":"golf""#) == true)
        let log = try process.run("log", "--format", "json").lines
        #expect(log.last?.contains(#""trip":"\#(ids[0])""#) == true)
        let server = try ServedLedger(onSocketOf: process)
        let void = #"{"type":"trip_voided","trip":"\#(ids[1])","why":"Ferry"}"#
        let answer = try server.connect()
            .post(Data(void.utf8), as: "application/json", to: "/v1/decisions")
        #expect(answer.status == 200, "\(answer)")
        #expect(try process.run("trips", "--format", "json").lines == [])
        #expect(try process.run("changes", "--orphans", "--format", "json").lines == [])
        #expect(try process.run("restore", ids[1]).exitCode == 0)
        #expect(try process.run("trips", "--format", "json").lines.count == 2)
        #expect(try process.run("project", "--check").exitCode == 0)
    }

    @Test func `a decision that is sent as an event is not stored`() throws {
        let server = try ServedLedger()
        let token = try server.token("app", "--scope", "ingest", "--scope", "edit")
        let field = "Authorization: Bearer \(token)"
        let size = try server.process.run("log", "--format", "json").lines.count
        for kind in ["trips_merged", "details_edited", "trip_reported", "expense_recorded"] {
            let example = try JSONSchemaValidator.examples(of: "event", "accepted")
                .first { $0.contains(#""type":"\#(kind)""#) || $0.contains(#""type": "\#(kind)""#) }
            let line = try #require(example)
            let answer = try server.post(Data(line.utf8), field)
            #expect([403, 422].contains(answer.status), "\(answer)")
            #expect(answer.status == 403 || answer.body.contains("urn:ledger:use-decisions"))
        }
        #expect(try server.process.run("log", "--format", "json").lines.count == size)
    }
}
