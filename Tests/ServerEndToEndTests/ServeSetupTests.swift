import Foundation
import TestSupport
import Testing

/// Phones that work from the first scan: trips without a command, and what is told of them.
@Suite struct ServeSetupTests {
    /// The second of the first fix.
    private static let start = 1_795_159_860

    /// Positions of OwnTracks north at 14 m/s, then of a car that is parked, every 10 s: more of
    /// these than are looked at of a phone that moves.
    private static func drive(from start: Int = start, mode: Int = 2) -> Data {
        let messages = (0..<320)
            .map { index in
                let moved = min(max(index - 6, 0), 90) * 140
                let latitude = 51.9 + Double(moved) / 111_000
                return #"{"_type":"location","lat":\#(latitude),"lon":4.3,"acc":5,"vel":50,"#
                    + #""m":\#(mode),"tst":\#(start + index * 10)}"#
            }
        return Data("[\(messages.joined(separator: ","))]".utf8)
    }

    private static func rules(_ server: ServedLedger) throws -> [String] {
        try server.process.run("log", "--format", "json", "--type", "rules_adopted").lines
    }

    private static func trips(_ server: ServedLedger) throws -> Int {
        try server.process.run("trips", "--format", "json").lines.count
    }

    @Test func `a phone that reports positions alone has its trips, and no command was typed`()
        throws
    {
        let server = try ServedLedger()
        let token = try server.token("phone")
        // What is set aside tells nothing of how the phone records.
        let wrong = Data(#"{"_type":"location","lat":91,"lon":4.3,"tst":1795159000}"#.utf8)
        #expect(try server.post(wrong, to: "/in/\(token)/owntracks").status == 200)
        #expect(try Self.rules(server) == [])
        for _ in 0..<2 {
            let answer = try server.post(Self.drive(), to: "/in/\(token)/owntracks")
            #expect(answer.status == 200 && answer.body == "[]")
        }
        let rules = try Self.rules(server)
        #expect(rules.count == 1 && rules[0].contains(#""preset":"history""#), "\(rules)")
        #expect(rules[0].contains(#""applies_to":"phone""#) && rules[0].contains(#""reason":""#))
        #expect(try Self.trips(server) == 1)
        #expect(try server.process.run("verify").exitCode == 0)
        // Once, also after the server was started again.
        #expect(server.end(with: SIGTERM).exitCode == 0)
        let again = try ServedLedger(server.process)
        let later = Self.drive(from: Self.start + 86_400)
        #expect(try again.post(later, to: "/in/\(token)/owntracks").status == 200)
        #expect(try Self.rules(again).count == 1)
        #expect(try Self.trips(again) == 2)
        let reader = "Authorization: Bearer \(try again.token("page", "--scope", "read"))"
        let devices = try again.get("/v1/devices", reader).body
        #expect(devices.contains(#""adopted_preset":"history""#), "\(devices)")
        #expect(devices.contains(#""verdict":"good""#), "\(devices)")
    }

    @Test(arguments: [
        #"{"type":"rules_adopted","source":"manual","preset":"phone","applies_to":"phone"}"#,
        #"{"type":"rules_adopted","source":"manual","preset":"phone"}"#,
        #"{"type":"go_pressed","source":"phone"}"#,
    ])
    func `rules of people and presses keep the ledger from adopting any`(event: String) throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let before = event.dropLast() + #","occurred_at":"2026-11-20T07:30:30Z"}"#
        #expect(try server.process.run("append", input: Data(before.utf8)).exitCode == 0)
        let count = try Self.rules(server).count
        #expect(try server.post(Self.drive(), to: "/in/\(token)/owntracks").status == 200)
        #expect(try Self.rules(server).count == count)
    }

    @Test func `rules of a person that come later win`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let first = Data(#"{"_type":"location","lat":51.9,"lon":4.3,"tst":1795159000}"#.utf8)
        #expect(try server.post(first, to: "/in/\(token)/owntracks").status == 200)
        #expect(try Self.rules(server).count == 1)
        let own = try server.process.run("rules", "preset", "phone", "--source", "phone")
        #expect(own.exitCode == 0, "\(own.errors)")
        #expect(try server.post(Self.drive(), to: "/in/\(token)/owntracks").status == 200)
        #expect(try Self.trips(server) == 0)
    }

    @Test func `an app that says what moves it needs no other rules`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let overland = Data(
            (#"{"locations":[{"type":"Feature","geometry":{"type":"Point","#
                + #""coordinates":[4.3,51.9]},"properties":{"timestamp":"2026-11-20T07:31:00Z","#
                + #""motion":["driving"]}}]}"#)
                .utf8
        )
        #expect(try server.post(overland, to: "/in/\(token)/overland").status == 200)
        #expect(try Self.rules(server) == [])
        // GPSLogger comes by Dawarich's path and says nothing of motion.
        let logger = try server.token("logger")
        let silent = Data(
            String(decoding: overland, as: UTF8.self)
                .replacingOccurrences(of: #","motion":["driving"]"#, with: "").utf8
        )
        let path = "/api/v1/overland/batches?api_key=\(logger)"
        #expect(try server.post(silent, as: "application/json", to: path).status == 201)
        #expect(try Self.rules(server).count == 1)
    }

    @Test func `OwnTracks is told to record densely while a trip goes on, and only if asked`()
        throws
    {
        let server = try ServedLedger()
        let made = try server.process.run(
            "token",
            "new",
            "phone",
            "--qr",
            "owntracks",
            "--url",
            "https://ledger.example",
            "--dense-on-trips",
            "--format",
            "json"
        )
        let token = String(
            try #require(made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        )
        func deliver(_ second: Int, mode: Int) throws -> String {
            let fix = #"{"_type":"location","lat":51.9,"lon":4.3,"m":\#(mode),"tst":\#(second)}"#
            return try server.post(Data(fix.utf8), to: "/in/\(token)/owntracks").body
        }
        let now = Int(Date().timeIntervalSince1970)
        #expect(try deliver(now - 100, mode: 1) == "[]")
        #expect(try deliver(now - 90, mode: 2).contains(#""monitoring":1"#))
        #expect(try server.process.run("go", "--source", "phone").exitCode == 0)
        #expect(try deliver(now, mode: 1).contains(#""action":"setConfiguration""#))
        #expect(try deliver(now + 1, mode: 1).contains(#""monitoring":2"#))
        #expect(try deliver(now + 2, mode: 2) == "[]")
        let other = try server.token("other")
        let fix = Data(#"{"_type":"location","lat":51.9,"lon":4.3,"m":2,"tst":1795159000}"#.utf8)
        #expect(try server.post(fix, to: "/in/\(other)/owntracks").body == "[]")
    }

    @Test func `posted fixes that make no trip are answered with what would make one`() throws {
        let server = try ServedLedger()
        let field = "Authorization: Bearer \(try server.token("car"))"
        let lines = (0..<12)
            .map { index in
                #"{"type":"fix_recorded","source":"car","#
                    + #""occurred_at":\#((Self.start + index * 10) * 1_000),"#
                    + #""lat":\#(51.9 + Double(index) / 1_000),"lon":4.3,"accuracy":5}"#
            }
        let body = Data(lines.joined(separator: "\n").utf8)
        let answer = try server.post(body, to: "/v1/events", field)
        #expect(answer.status == 200 && answer.body.contains(#""kind":"no_trips""#), "\(answer)")
        #expect(answer.body.contains("ledger rules preset history --source car"), "\(answer)")
        _ = try server.process.run("rules", "preset", "history", "--source", "car")
        let again = try server.post(body, to: "/v1/events", field)
        #expect(!again.body.contains("no_trips"), "\(again)")
    }

    @Test(arguments: [(5, false), (300, true)])
    func `a source whose fixes cannot carry a distance is told of`(
        seconds: Int,
        isSparse: Bool
    ) throws {
        let process = try LedgerProcess()
        try process.begin()
        let start = Int(Date().timeIntervalSince1970) - 10 * seconds
        let lines = (0..<10)
            .map { index in
                let latitude = 51.9 + Double(index * seconds * 14) / 111_000
                return #"{"type":"fix_recorded","source":"phone","#
                    + #""occurred_at":\#((start + index * seconds) * 1_000),"#
                    + #""lat":\#(latitude),"lon":4.3,"accuracy":5}"#
            }
        let body = Data(lines.joined(separator: "\n").utf8)
        #expect(try process.run("append", input: body).exitCode == 0)
        let status = try process.run("status")
        #expect(status.errors.contains("too far apart") == isSparse, "\(status.errors)")
    }

    @Test(arguments: ["en", "nl", "de", "fr"])
    func `the steps are in the language that is asked for`(language: String) throws {
        let process = try LedgerProcess()
        try process.begin()
        let made = try process.run(
            "token",
            "new",
            "phone",
            "--qr",
            "owntracks",
            "--url",
            "https://ledger.example",
            "--language",
            language
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        let first =
            ["en": "First,", "nl": "Eerst", "de": "Zuerst", "fr": "D’abord"][language] ?? ""
        #expect(made.text.contains("\n1. \(first)"), "\(made.text)")
        // All of it can be typed.
        for value in ["HTTP", "https://ledger.example/in/owntracks", "phone", "Move"] {
            #expect(made.text.contains(": \(value)\n"), "\(made.text)")
        }
    }
}
