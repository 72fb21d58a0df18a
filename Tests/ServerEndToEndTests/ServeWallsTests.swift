import Foundation
import TestSupport
import Testing

/// What holders of tokens of some sources, or of a group, learn of others: nothing.
///
/// Every path that the server describes is asked over a book of two people, one of whom has a mark
/// in every field. The same walk with a token that sees everything finds each of the marks: it is
/// the planted leak.
@Suite struct ServeWallsTests {
    /// What only the events of the other one have: names, texts, positions and figures.
    private static let marks = [
        "other-phone", "other-van", "other-title", "other-purpose", "other-notes", "other-client",
        "other-category", "other-reason", "other-token", "other-link", "other-driver", "48.137",
        "777123",
    ]

    /// The sources of both, and the groups that these belong to, if they belong to any.
    private enum Kind: String, CaseIterable {
        case sources
        case groups

        func member(_ group: String) -> String {
            self == .groups ? #","group":"\#(group)""# : ""
        }

        var options: [String] { self == .groups ? ["--group", "17"] : ["--source", "own-phone"] }
    }

    /// A book of two people, served.
    private struct Served {
        var server: ServedLedger

        /// The trips of the other one, and one of the own.
        var others: [String]
        var own: String

        /// Everything that must not be told.
        var secrets: [String] { marks + others }
    }

    private static func line(_ type: String, _ time: Double, _ more: String) -> String {
        let at = Date().addingTimeInterval(time).ISO8601Format()
        return #"{"type":"\#(type)","occurred_at":"\#(at)",\#(more)}"#
    }

    /// Returns a drive of a source to the east, which goes on if it is not stopped.
    private static func drive(
        _ source: String,
        at start: (latitude: String, longitude: String),
        _ ago: Double,
        _ vehicle: String,
        isOver: Bool = true
    ) -> [String] {
        let from = #""source":\#(source)"#
        let fixes = (1...6)
            .map { step in
                let position = #","lat":\#(start.latitude),"lon":\#(start.longitude)\#(step)6"#
                return line(
                    "fix_recorded",
                    -ago + Double(step) * 20,
                    from + position + #","accuracy":5"#
                )
            }
        let go = line("go_pressed", -ago, from + #","vehicle":"\#(vehicle)""#)
        return [go] + fixes + (isOver ? [line("stop_pressed", -ago + 130, from)] : [])
    }

    private static func served(_ kind: Kind) throws -> Served {
        let process = try LedgerProcess()
        try process.begin()
        let own = #""own-phone""# + kind.member("17")
        let other = #""other-phone""# + kind.member("18")
        let (north, south) = (("52.37", "4.8"), ("48.137", "11.5"))
        try process.append(
            DriveLines.data(
                drive(own, at: north, 7_200, "van") + drive(other, at: south, 7_000, "other-van")
                    + drive(own, at: north, 200, "van", isOver: false)
                    + drive(other, at: south, 180, "other-van", isOver: false)
                    + [
                        line(
                            "odometer_read",
                            -6_000,
                            #""source":\#(other),"vehicle":"other-van","value":777123,"#
                                + #""unit":"km""#
                        )
                    ]
            )
        )
        let rows = try process.run("trips", "--all", "--format", "json").lines
        func trips(_ source: String) -> [String] {
            rows.filter { $0.contains(#""source":"\#(source)""#) }
                .map { String($0.dropFirst(7).prefix(32)) }
        }
        let (others, own1) = (trips("other-phone"), trips("own-phone"))
        try #require(others.count == 2 && own1.count == 2, "\(rows)")
        let outcome = try process.shell(
            """
            set -e
            ledger place save Square --lat 48.14 --lon 11.53 --radius 2000
            ledger void \(others[1]) --why other-reason
            ledger restore \(others[1])
            ledger edit \(others[1]) --title other-title --purpose other-purpose \
              --notes other-notes --client other-client --category other-category --class business
            ledger settings --driver other-driver --of-source other-phone
            ledger settings --driver own-driver --of-source own-phone
            ledger key new --name ledger.example/book
            ledger head --sign
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let server = try ServedLedger(process)
        try makeTokens(server, of: kind, trip: others[0])
        return Served(server: server, others: others, own: own1[0])
    }

    /// Makes a device of the other one, which delivers something that can be no event, and a link
    /// of a trip of the other one.
    private static func makeTokens(
        _ server: ServedLedger,
        of kind: Kind,
        trip: String
    ) throws {
        let group = kind == .groups ? ["--group", "18"] : []
        let made = try server.process.run(
            ["token", "new", "other-token", "--source", "other-phone", "--format", "json"] + group
        )
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let bad = #"{"_type":"location","lat":91,"lon":11.5,"tst":4711}"#
        let delivered = try server.post(
            Data(bad.utf8),
            as: "application/json",
            to: "/in/\(token)/owntracks"
        )
        #expect(delivered.status == 200)
        let admin = "Authorization: Bearer \(try server.token("owner", "--scope", "admin"))"
        let share = #"{"trip":"\#(trip)","name":"other-link"}"#
        let link = try server.post(
            Data(share.utf8),
            as: "application/json",
            to: "/v1/shares",
            admin
        )
        #expect(link.status == 200, "\(link)")
    }

    /// Asks all paths that can be read, with the trips of both wherever one is named, and returns
    /// the answers.
    private static func walk(
        _ served: Served,
        _ field: String
    ) throws -> [(path: String, answer: ServedLedger.Answer)] {
        let server = served.server
        let admin = try server.process.run(
            ["token", "new", "guide \(UUID().uuidString)", "--scope", "admin", "--format", "json"]
        )
        let token = try #require(admin.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let text = try server.get("/openapi.json", "Authorization: Bearer \(token)").body
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: Any]])
        var answers: [(String, ServedLedger.Answer)] = []
        for (path, methods) in paths.sorted(by: { $0.key < $1.key }) where methods["get"] != nil {
            let braces = #/\{[^}]*\}/#
            let words = path.contains("{") ? served.others + [served.own, "other-phone"] : [""]
            for word in words {
                let asked = path.replacing(braces, with: word)
                let queries =
                    ["", "?source=other-phone", "?place=Square", "?group=18", "?vehicle=other-van"]
                for query in path.hasPrefix("/v1/") && !path.contains("{") ? queries : [""] {
                    let target = asked + query
                    if path.hasSuffix("/stream") {
                        answers.append((target, try follow(server, target, field)))
                    } else {
                        answers.append((target, try server.get(target, field)))
                    }
                }
            }
        }
        return answers
    }

    /// Follows a stream until it has said how things are.
    private static func follow(
        _ server: ServedLedger,
        _ path: String,
        _ field: String
    ) throws -> ServedLedger.Answer {
        let connection = try server.connect()
        let lines = [
            "GET \(path) HTTP/1.1", "Host: localhost:\(server.port)", field, "Last-Event-ID: 0-0",
        ]
        try connection.send((lines + ["", ""]).joined(separator: "\r\n"))
        let head = try connection.answer(upTo: "\r\n\r\n")
        guard head.hasPrefix("HTTP/1.1 200") else { return try ServedLedger.Answer(head) }
        var text = head
        // It ends with the word that all is to be read, as the named event is of no feed.
        text += try connection.answer(upTo: "event: resync")
        return try ServedLedger.Answer(text)
    }

    private static func leaks(
        _ answers: [(path: String, answer: ServedLedger.Answer)],
        of secrets: [String]
    ) -> [String] {
        answers.flatMap { path, answer in
            // The answer may repeat what was asked for.
            secrets.filter { secret in
                !path.contains(secret)
                    && (answer.body.contains(secret) || answer.head.contains(secret))
            }
            .map { "\(path): \($0)" }
        }
    }

    @Test(arguments: Kind.allCases.map(\.rawValue))
    func `a token of some sources learns nothing of others, by any path`(name: String) throws {
        let kind = try #require(Kind(rawValue: name))
        let served = try Self.served(kind)
        let server = served.server
        let scopes = ["read", "edit", "live"].flatMap { ["--scope", $0] }
        let made = try server.process.run(
            ["token", "new", "own-token", "--format", "json"] + kind.options + scopes
        )
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let field = "Authorization: Bearer \(token)"
        let answers = try Self.walk(served, field)
        #expect(Self.leaks(answers, of: served.secrets).isEmpty)
        for (path, answer) in answers { #expect(answer.status < 500, "\(path): \(answer)") }
        let open = Set(answers.filter { $0.answer.status == 200 }.map(\.path))
        for path in [
            "/v1/status", "/v1/trips", "/v1/totals", "/v1/places", "/v1/vehicles", "/v1/visits",
            "/v1/inbox", "/v1/inbox/count", "/v1/changes", "/v1/stream", "/v1/refused",
            "/v1/devices", "/v1/shares", "/v1/stops", "/v1/trips/\(served.own)",
            "/v1/trips/\(served.own)/track", "/v1/trips/\(served.own)/explanation",
        ] {
            #expect(open.contains(path), "\(path)")
        }
        for path in ["/v1/trips/\(served.others[0])", "/v1/trips/\(served.others[1])/track"] {
            #expect(answers.contains { $0.path == path && $0.answer.status == 404 }, "\(path)")
        }
        for path in ["/v1/reports/log", "/v1/log", "/metrics", "/v1/reports/issued"] {
            #expect(try server.get(path, field).status == 403, "\(path)")
        }
        #expect(try server.get("/v1/trips", field).body.contains(served.own))
        #expect(try server.get("/v1/settings", field).body.contains("own-driver"))
        // The planted leak: each of the marks is found by the same walk.
        let all = try server.token("all", "--scope", "admin", "--scope", "audit")
        let leaks = try Self.walk(served, "Authorization: Bearer \(all)")
        let found = Self.leaks(leaks, of: served.secrets)
        for secret in served.secrets {
            #expect(found.contains { $0.hasSuffix(": \(secret)") }, "no path tells \(secret)")
        }
    }

    /// The numbers that grow with the log of all, wherever they stand (Serving, "Who sees what"),
    /// and what tells the time.
    private static func withoutNumbersOfAll(_ answer: ServedLedger.Answer) -> String {
        (answer.head + answer.body)
            .replacing(
                #/(?m)^(Date|Ledger-Position|ETag|Content-Length): .*$/#.ignoresCase(),
                with: ""
            )
            .replacing(#/"(size|root|as_of|cursor|next_cursor)":("[^"]*"|\d+)/#, with: "")
            .replacing(#/(?m)^(id: .*|[0-9a-f]+)$/#, with: "")
    }

    @Test func `what others record changes nothing that is answered, but the numbers of all`()
        throws
    {
        let process = try LedgerProcess()
        try process.begin()
        let own = Self.drive(#""own-phone""#, at: ("52.37", "4.8"), 7_200, "van")
        let other = Self.drive(#""other-phone""#, at: ("48.137", "11.5"), 7_000, "other-van")
        try process.append(DriveLines.data(own + other))
        let rows = try process.run("trips", "--all", "--format", "json").lines
        let trip = try #require(rows.first { $0.contains("own-phone") }).dropFirst(7).prefix(32)
        let served = Served(server: try ServedLedger(process), others: [], own: String(trip))
        // Made before, for the walk makes tokens, and reads by this one.
        let options = ["--source", "own-phone", "--scope", "read", "--scope", "edit"]
        let made = try process.run(["token", "new", "own", "--format", "json"] + options)
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let field = "Authorization: Bearer \(token)"
        let before = try Self.walk(served, field)
        let more =
            Self.drive(#""other-phone""#, at: ("48.137", "11.5"), 3_600, "other-van")
            + Self.drive(#""third""#, at: ("50.1", "8.6"), 2_000, "third-van", isOver: false)
        try process.append(DriveLines.data(more))
        let after = try Self.walk(served, field)
        #expect(before.map(\.path) == after.map(\.path))
        var differing = 0
        for (one, two) in zip(before, after) {
            #expect(
                Self.withoutNumbersOfAll(one.answer) == Self.withoutNumbersOfAll(two.answer),
                "\(one.path)"
            )
            if one.answer.head + one.answer.body != two.answer.head + two.answer.body {
                differing += 1
            }
        }
        #expect(differing > 10, "the control: the numbers of all are told")
        // The control: who sees the others is answered something else.
        let all = try served.server.token("all", "--scope", "admin")
        let seen = try served.server.get("/v1/trips", "Authorization: Bearer \(all)")
        #expect(seen.body.contains("other-phone"))
    }

    @Test func `a token of some sources decides about their trips alone`() throws {
        let served = try Self.served(.sources)
        let server = served.server
        let token = try server.token(
            "own-token",
            "--source",
            "own-phone",
            "--scope",
            "edit",
            "--scope",
            "read"
        )
        func decide(_ body: String) throws -> ServedLedger.Answer {
            try server.post(
                Data(body.utf8),
                as: "application/json",
                to: "/v1/decisions",
                "Authorization: Bearer \(token)"
            )
        }
        let size = try server.process.run("log", "--format", "json").lines.count
        let other = served.others[1]
        for body in [
            #"{"type":"details_edited","trip":"\#(other)","purpose":"x"}"#,
            #"{"type":"trip_voided","trip":"\#(other.prefix(8))","why":"x"}"#,
            #"{"type":"trips_merged","trips":["\#(served.own)","\#(other)"]}"#,
            #"{"type":"expense_recorded","trip":"\#(other)","kind":"toll","amount":1,"#
                + #""currency":"EUR"}"#,
            #"{"type":"routine_saved","routine":"all","title":"x","from_place":"Square"}"#,
            #"{"type":"place_removed","place":"Square"}"#,
            #"{"type":"rules_adopted","preset":"history","applies_to":"other-phone"}"#,
        ] {
            let answer = try decide(body)
            #expect([400, 403, 404, 422].contains(answer.status), "\(body): \(answer)")
            #expect(Self.leaks([(body, answer)], of: Self.marks).isEmpty, "\(answer)")
        }
        #expect(try server.process.run("log", "--format", "json").lines.count == size)
        let own = try decide(#"{"type":"details_edited","trip":"last","purpose":"Own"}"#)
        #expect(own.status == 200 && own.body.contains(served.own), "\(own)")
        // A token's own additions are its own, and seen.
        let reported = try decide(
            #"{"type":"trip_reported","started_at":"2026-01-05T08:00:00Z","#
                + #""ended_at":"2026-01-05T09:00:00Z","distance_m":5000}"#
        )
        #expect(reported.status == 200, "\(reported)")
        let trips = try server.get("/v1/trips", "Authorization: Bearer \(token)").body
        #expect(trips.contains(#""source":"own-phone""#) && trips.contains("2026-01-05"))
    }

    @Test func `a token for the present sees trips that go on, and nothing that is over`() throws {
        let served = try Self.served(.sources)
        let server = served.server
        let stop = Self.line("stop_pressed", 0, #""source":"other-phone""#)
        let admin = "Authorization: Bearer \(try server.token("admin", "--scope", "admin"))"
        let field = "Authorization: Bearer \(try server.token("live", "--scope", "live"))"
        let connection = try server.connect()
        try connection.send(
            "GET /v1/stream HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(field)\r\n\r\n"
        )
        let before = try connection.answer(upTo: "own-phone")
        #expect(before.contains("event: status"))
        #expect(try server.post(Data(stop.utf8), admin).status == 200)
        // A follower who was told of the trip is told that it is over, and no more.
        let text =
            try connection.answer(upTo: #""phase":"idle""#)
            + connection.answer(upTo: "\n\n")
        #expect(!text.contains("ended_trip") && !text.contains("event: change"), "\(text)")
        let status = try server.get("/v1/status", field).body
        #expect(status.contains("own-phone") && !status.contains("other-phone"), "\(status)")
        #expect(status.contains(#""other_sources":0"#), "\(status)")
        for trip in served.others { #expect(!status.contains(trip.prefix(8)), "\(status)") }
        for path in ["/v1/trips", "/v1/changes", "/v1/visits", "/v1/inbox"] {
            #expect(try server.get(path, field).status == 403, "\(path)")
        }
    }

    @Test func `what sees the whole log takes no source`() throws {
        let process = try LedgerProcess()
        try process.begin()
        for scope in ["audit", "sync"] {
            let made = try process.run("token", "new", "a", "--scope", scope, "--source", "phone")
            #expect(made.exitCode == 64 && made.errors.contains("leave --source out"))
        }
        let made = try process.run([
            "token", "new", "a", "--scope", "read", "--source", "phone", "--group", "17",
        ])
        #expect(made.exitCode == 64 && made.errors.contains("the whole group"), "\(made.errors)")
    }
}
