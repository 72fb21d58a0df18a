import Foundation
import TestSupport
import Testing

/// Holders of tokens of some sources, or of a group, change nothing of what others have said, or of
/// what holds for all.
@Suite struct ServeOthersTests {
    /// When the owner has read the odometer of the van, and one minute after that.
    private static let (readAt, unreadAt) = ("2025-03-01T08:00:00Z", "2025-03-01T08:01:00Z")

    private static func reading(_ value: Int, _ more: String) -> String {
        #"{"type":"odometer_read","vehicle":"van","value":\#(value),"unit":"km"\#(more)}"#
    }

    private static func correction(_ value: Int, of time: String, _ more: String = "") -> String {
        reading(value, #","corrects":"\#(time)"\#(more)"#)
    }

    /// Serves a ledger in which the owner has read an odometer.
    private static func served() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        #expect(try process.run("vehicle", "register", "van").exitCode == 0)
        #expect(try process.run("odometer", "van", "100000", "--at", readAt).exitCode == 0)
        return try ServedLedger(process)
    }

    private static func size(_ server: ServedLedger) throws -> Int {
        try server.process.run("log", "--format", "json").lines.count
    }

    private static func readings(_ server: ServedLedger) throws -> String {
        try server.process.run("odometer", "van", "--list", "--format", "json").text
    }

    private static func post(
        _ server: ServedLedger,
        _ body: String,
        to path: String,
        _ field: String
    ) throws -> ServedLedger.Answer {
        try server.post(Data(body.utf8), as: "application/json", to: path, field)
    }

    @Test(arguments: [
        [], ["--scope", "ingest", "--scope", "edit"],
        ["--source", "alpha", "--scope", "ingest", "--scope", "admin"], ["--group", "17"],
    ])
    func `what others have read of an odometer is not corrected`(options: [String]) throws {
        let server = try Self.served()
        let made = try server.process.run(
            ["token", "new", "alpha", "--format", "json"] + options
        )
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let field = "Authorization: Bearer \(token)"
        // Of another token's, too.
        let other = "Authorization: Bearer \(try server.token("beta"))"
        let said = Self.reading(100_500, #","occurred_at":"2025-04-01T08:00:00Z""#)
        #expect(try Self.post(server, said, to: "/v1/events", other).status == 200)
        let size = try Self.size(server)
        for time in [Self.readAt, "2025-03-01T09:00:00+01:00", "2025-04-01T08:00:00Z"] {
            let body = Self.correction(5, of: time)
            for path in ["/v1/events", "/v1/decisions"] {
                let answer = try Self.post(server, body, to: path, field)
                #expect(answer.status == 403, "\(path): \(answer)")
                #expect(answer.body.contains(#""code":"other_source""#), "\(answer)")
                // If no one has read anything, the answer is the same, but for the time.
                let none = Self.correction(5, of: Self.unreadAt)
                let unread = try Self.post(server, none, to: path, field)
                #expect(unread.status == 403, "\(path): \(unread)")
                let words = { (answer: ServedLedger.Answer) in
                    answer.body.replacing(#/\d{4}-\d\d-\d\dT[0-9:.]+(Z|\+01:00)/#, with: "TIME")
                }
                #expect(words(unread) == words(answer))
            }
            // Nor is what comes beside it stored.
            let beside = #"{"events":[{"type":"stop_pressed"},\#(body)]}"#
            #expect(try Self.post(server, beside, to: "/v1/events", field).status == 403)
        }
        #expect(try Self.size(server) == size)
        let readings = try Self.readings(server)
        #expect(readings.contains("100000") && readings.contains("100500"), "\(readings)")
    }

    @Test(arguments: [
        [], ["--scope", "ingest", "--scope", "edit"],
        ["--source", "alpha", "--scope", "ingest", "--scope", "admin"], ["--group", "17"],
    ])
    func `a warning tells nothing of what others have read of an odometer`(
        options: [String]
    ) throws {
        let server = try Self.served()
        let made = try server.process.run(
            ["token", "new", "alpha", "--format", "json"] + options
        )
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        func read(_ value: Int, on day: String, _ token: some StringProtocol) throws -> String {
            let body = Self.reading(value, #","occurred_at":"2025-\#(day)T08:00:00Z""#)
            let field = "Authorization: Bearer \(token)"
            let answer = try Self.post(server, body, to: "/v1/decisions", field)
            #expect(answer.status == 200, "\(answer)")
            return answer.body
        }
        let first = try read(5, on: "04-01", token)
        #expect(!first.contains("warnings") && !first.contains("100000"), "\(first)")
        let own = try read(3, on: "04-02", token)
        // Who may not read is not told what it has read itself either.
        let isTold = options.contains("admin")
        #expect(own.contains("odometer_backwards") == isTold, "\(own)")
        #expect(own.contains("5 km") == isTold, "\(own)")
        #expect(!own.contains("100000"), "\(own)")
        // The control: who sees everything is told of it.
        let admin = try server.token("admin", "--scope", "admin")
        let all = try read(99_999, on: "03-15", admin)
        #expect(all.contains("odometer_backwards") && all.contains("100000 km"), "\(all)")
    }

    @Test func `a token corrects what its own source has read, once for all`() throws {
        let server = try Self.served()
        let field = "Authorization: Bearer \(try server.token("alpha"))"
        let time = "2025-03-02T08:00:00Z"
        let read = Self.reading(7, #","occurred_at":"\#(time)""#)
        let correction = Self.correction(
            100_100,
            of: time,
            #","id":"c1","occurred_at":"2025-03-02T09:00:00Z""#
        )
        // The reading that it corrects may come with it.
        let both = #"{"events":[\#(read),\#(correction)]}"#
        let answer = try Self.post(server, both, to: "/v1/events", field)
        #expect(answer.status == 200, "\(answer)")
        #expect(try Self.readings(server).contains("100100"))
        let again = Self.correction(100_200, of: time)
        #expect(try Self.post(server, again, to: "/v1/decisions", field).status == 200)
        #expect(try Self.readings(server).contains("100200"))
        // What the owner says of it then stands; a repeat is told that it was stored.
        let owners = try server.process.run("odometer", "van", "100300", "--corrects", time)
        #expect(owners.exitCode == 0, "\(owners.errors)")
        let size = try Self.size(server)
        let repeated = try Self.post(server, correction, to: "/v1/events", field)
        #expect(repeated.status == 200 && repeated.body.contains("duplicate"), "\(repeated)")
        #expect(try Self.post(server, again, to: "/v1/decisions", field).status == 403)
        #expect(try Self.size(server) == size)
        #expect(try Self.readings(server).contains("100300"))
        // A holder who sees everything corrects what others have read; a reading that no one made
        // is named.
        let admin = "Authorization: Bearer \(try server.token("admin", "--scope", "admin"))"
        let unread = Self.correction(5, of: Self.unreadAt)
        let refused = try Self.post(server, unread, to: "/v1/decisions", admin)
        #expect(refused.status == 422 && refused.body.contains("was not read at"), "\(refused)")
        let right = Self.correction(100_001, of: Self.readAt)
        #expect(try Self.post(server, right, to: "/v1/decisions", admin).status == 200)
        #expect(try Self.readings(server).contains("100001"))
        let asked = try server.process.run(
            "odometer",
            "van",
            "5",
            "--corrects",
            "2025-03-01T08:01:00Z"
        )
        #expect(asked.exitCode != 0 && asked.errors.contains("was not read at"), "\(asked.errors)")
    }

    /// Decisions that hold for more than some sources.
    private static let settings = [
        #"{"type":"settings_changed","keeper":"x"}"#,
        #"{"type":"settings_changed","time_zone":"Asia/Tokyo","#
            + #""occurred_at":"2020-01-01T00:00:00Z"}"#,
        #"{"type":"rates_loaded","table":"own","rates":[]}"#,
        #"{"type":"place_saved","place":"x","lat":51.9,"lon":4.3,"radius_m":50}"#,
        #"{"type":"place_removed","place":"x"}"#,
        #"{"type":"vehicle_registered","vehicle":"van","plate":"X-1"}"#,
        #"{"type":"field_defined","key":"project"}"#,
        #"{"type":"routine_saved","routine":"x","title":"x"}"#,
        #"{"type":"routine_removed","routine":"x"}"#,
        #"{"type":"rules_adopted","preset":"history"}"#,
    ]

    @Test func `a token of some sources sets nothing that holds for all of them`() throws {
        let server = try Self.served()
        let scopes = ["ingest", "edit", "admin"].flatMap { ["--scope", $0] }
        let made = try server.process.run(
            ["token", "new", "alpha", "--source", "alpha", "--format", "json"] + scopes
        )
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let field = "Authorization: Bearer \(token)"
        let size = try Self.size(server)
        for setting in Self.settings where !setting.contains("rates_loaded") {
            let answer = try Self.post(server, setting, to: "/v1/decisions", field)
            #expect(answer.status == 403, "\(setting): \(answer)")
            #expect(answer.body.contains("this concerns the whole ledger"), "\(answer)")
        }
        // As events, which may be what another ledger says, too.
        for setting in Self.settings {
            let answer = try Self.post(server, setting, to: "/v1/events", field)
            #expect(answer.status != 200 || answer.body.contains("rejected"), "\(answer)")
        }
        #expect(try Self.size(server) == size)
        let all = "Authorization: Bearer \(try server.token("all", "--scope", "admin"))"
        #expect(try Self.post(server, Self.settings[0], to: "/v1/decisions", all).status == 200)
    }

    @Test(arguments: [
        ("ingest", "/v1/events", #"{"type":"go_pressed"}"#, 401),
        ("ingest", "/v1/go", #"{"vehicle":"van"}"#, 401),
        ("ingest", "/webhook/ping", #"{"lat":51.9,"lng":4.3}"#, 401),
        (
            "ingest", "/in/owntracks", #"{"_type":"location","lat":51,"lon":4,"tst":1795159860}"#,
            503
        ),
        ("admin", "/v1/decisions", #"{"type":"settings_changed","keeper":"REVOKED"}"#, 401),
        (
            "admin", "/v1/devices",
            #"{"name":"new","app":"owntracks","url":"https://ledger.example"}"#, 401
        ),
    ])
    func `what a token has begun to send when it is revoked is not stored`(
        scope: String,
        path: String,
        body: String,
        status: Int
    ) throws {
        // A body of which nothing comes for 15 s is given up.
        let (server, size, answer) = try Scene.played(within: .seconds(14)) {
            let server = try Self.served()
            let size = try Self.size(server)
            let answer = try Self.answer(server, scope, path, body)
            return (server, size, try ServedLedger.Answer(answer))
        }
        #expect(answer.status == status, "\(answer)")
        #expect(try Self.size(server) == size)
        let tokens = try server.process.run("token", "list", "--format", "json").lines
        #expect(tokens.count == 1, "\(tokens)")
    }

    /// Begins to send, has the token revoked, sends the rest and returns the answer.
    private static func answer(
        _ server: ServedLedger,
        _ scope: String,
        _ path: String,
        _ body: String
    ) throws -> String {
        let token = try server.token("lost", "--scope", scope)
        let connection = try server.connect()
        let head = [
            "POST \(path) HTTP/1.1", "Host: localhost:\(server.port)",
            "Authorization: Bearer \(token)", "Content-Type: application/json",
            "Content-Length: \(body.utf8.count)", "Connection: close", "", "",
        ]
        try connection.send(head.joined(separator: "\r\n") + body.prefix(9))
        // Meanwhile the head is read.
        #expect(try server.get("/health").status == 200)
        #expect(try server.process.run("token", "revoke", "lost").exitCode == 0)
        try connection.send(String(body.dropFirst(9)))
        return try connection.answer()
    }

    @Test func `names of tokens that are not seen are as free as others`() throws {
        let server = try Self.served()
        _ = try server.token("hidden", "--source", "beta")
        // It delivers of a source that is seen, and of one that is not.
        _ = try server.token("shared-box", "--source", "alpha", "--source", "beta")
        let child = try server.token("child", "--source", "alpha", "--scope", "admin")
        let field = "Authorization: Bearer \(child)"
        func make(_ name: String) throws -> ServedLedger.Answer {
            let body = #"{"name":"\#(name)","app":"owntracks","url":"https://ledger.example"}"#
            return try Self.post(server, body, to: "/v1/devices", field)
        }
        for name in ["hidden", "free"] {
            let answer = try make(name)
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.body.contains("\(name) (child)"), "\(answer)")
            #expect(!answer.body.contains("shared-box"), "\(answer)")
        }
        #expect(try make("free").status == 409)
        #expect(try make(String(repeating: "n", count: 125)).status == 400)
    }
}
