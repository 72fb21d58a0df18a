import Foundation
import TestSupport
import Testing

/// What the page's settings show and change: what lets in, buttons, rates, rules and backups.
@Suite struct ServeAccessTests {
    private static func object(_ answer: ServedLedger.Answer) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return try #require(value as? [String: Any], "\(answer)")
    }

    private static func items(_ answer: ServedLedger.Answer) throws -> [[String: Any]] {
        #expect(answer.status == 200, "\(answer)")
        return try #require(object(answer)["items"] as? [[String: Any]])
    }

    private static func post(
        _ server: ServedLedger,
        _ path: String,
        _ members: [String: String],
        _ field: String = "Accept: application/json"
    ) throws -> ServedLedger.Answer {
        // What a browser sends is not taken for the owner's own at a socket.
        let site = field.hasPrefix("Cookie") ? "Sec-Fetch-Site: same-origin" : "Accept: */*"
        let body = try JSONSerialization.data(withJSONObject: members)
        return try server.post(body, as: "application/json", to: path, field, site)
    }

    /// Returns members of which one is another.
    private static func members(
        _ members: [String: String],
        with name: String,
        _ value: String
    ) -> [String: String] {
        members.merging([name: value]) { $1 }
    }

    private static func complaints(_ answer: ServedLedger.Answer, _ schema: String) throws {
        guard JSONSchemaValidator.isPresent else { return }
        let found = try JSONSchemaValidator.complaints(about: [answer.body], schema: schema)
        #expect(found == [""], "\(schema)")
    }

    /// Returns the code in a link that a page has made.
    private static func code(_ answer: ServedLedger.Answer) throws -> String {
        #expect(answer.status == 200, "\(answer)")
        let link = try #require(try object(answer)["link"] as? String)
        return try #require(link.split(separator: "=").last.map(String.init))
    }

    @Test func `a signed-in page makes the next link, and ends one session of several`() throws {
        let server = try ServedLedger()
        let first = try #require(
            try PageSignIn.enter(server, try PageSignIn.code(server, "eva"))
        )
        let url = ["url": "https://ledger.example"]
        let made = try Self.post(server, "/v1/links", url, "Cookie: \(first)")
        try Self.complaints(made, "new-link")
        #expect(made.body.contains(#""name":"eva""#))
        let second = try #require(try PageSignIn.enter(server, try Self.code(made)))
        func status(_ cookie: String, _ path: String = "/v1/status") throws -> Int {
            try server.get(path, "Cookie: \(cookie)").status
        }
        #expect(try status(second) == 200)
        let tokens = try Self.items(server.get("/v1/tokens", "Cookie: \(first)"))
        let sessions = tokens.filter { $0["use"] as? String == "session" }
        #expect(sessions.count == 2 && tokens.count == 2, "\(tokens)")
        #expect(sessions.allSatisfy { $0["name"] as? String == "eva" })
        // Both may have been made in one millisecond: then they go together.
        let times = sessions.compactMap { $0["created_at"] as? String }.sorted()
        let path = "/v1/tokens?name=eva&created_at=\(times[1])"
        let fields = ["Cookie: \(first)", "Sec-Fetch-Site: same-origin"]
        #expect(try server.get(path, method: "DELETE", fields[0], fields[1]).status == 204)
        #expect(try status(second) == 401)
        guard times[0] != times[1] else { return }
        #expect(try status(first) == 200)
        #expect(try server.get(path, method: "DELETE", fields[0], fields[1]).status == 404)
        // A link of fewer rights lets do no more, and makes none.
        let less = try Self.post(
            server,
            "/v1/links",
            url.merging(["name": "reader", "rights": "read"]) { $1 },
            "Cookie: \(first)"
        )
        let reader = try #require(try PageSignIn.enter(server, try Self.code(less)))
        #expect(try status(reader, "/v1/trips") == 200)
        #expect(try status(reader, "/v1/tokens") == 403)
        #expect(try Self.post(server, "/v1/links", url, "Cookie: \(reader)").status == 403)
    }

    @Test func `a link is refused for a wrong member, and if its maker's token expires`() throws {
        let server = try ServedLedger.onSocket()
        for (member, value) in [("url", "ftp://x"), ("rights", "all"), ("scope", "admin")] {
            let wrong = Self.members(["url": "https://ledger.example"], with: member, value)
            let answer = try Self.post(server, "/v1/links", wrong)
            #expect(answer.status == 400 && answer.body.contains(#""field":"\#(member)""#))
        }
        let token = try server.token("short", "--scope", "admin", "--expires", "2999-01-01")
        let answer = try Self.post(
            server,
            "/v1/links",
            ["url": "https://ledger.example"],
            "Authorization: Bearer \(token)"
        )
        #expect(answer.status == 403, "\(answer)")
    }

    @Test func `what is revoked by its name takes what it made along, if that is wanted`() throws {
        let server = try ServedLedger.onSocket()
        for choice in ["keep", "revoke"] {
            let token = try server.token(choice, "--scope", "admin")
            let field = "Authorization: Bearer \(token)"
            let device = ["name": "\(choice) phone", "app": "overland", "url": "https://x"]
            #expect(try Self.post(server, "/v1/devices", device, field).status == 200)
            let path = "/v1/tokens?name=\(choice)&made=\(choice)"
            #expect(try server.get(path, method: "DELETE").status == 204)
            #expect(try server.get("/v1/status", field).status == 401)
            let tokens = try Self.items(server.get("/v1/tokens"))
            let phone = tokens.first { $0["name"] as? String == "\(choice) phone" }
            #expect(phone?["state"] as? String == (choice == "keep" ? "valid" : "revoked"))
        }
        #expect(try server.get("/v1/tokens?name=nobody", method: "DELETE").status == 404)
        #expect(try server.get("/v1/tokens?name=x&created_at=now", method: "DELETE").status == 400)
        let pages = try (0..<2).map { _ in try server.get("/v1/tokens?limit=3") }
        #expect(try Self.items(pages[0]).count == 3)
        let cursor = try #require(try Self.object(pages[0])["next_cursor"] as? String)
        #expect(try Self.items(server.get("/v1/tokens?limit=3&cursor=\(cursor)")).count == 1)
    }

    @Test(arguments: ["keep", "revoke"])
    func `sessions that came of a token end with it, in whatever names`(made: String) throws {
        let server = try ServedLedger.onSocket()
        let field = "Authorization: Bearer \(try server.token("eva", "--scope", "admin"))"
        _ = try server.token("anna", "--scope", "read")
        let url = ["url": "https://ledger.example"]
        func link(_ name: String?, _ field: String) throws -> ServedLedger.Answer {
            let members = name.map { Self.members(url, with: "name", $0) } ?? url
            return try Self.post(server, "/v1/links", members, field)
        }
        let taken = try link("anna", field)
        #expect(taken.status == 400 && taken.body.contains("somebody else's"), "\(taken)")
        var cookies: [String] = []
        var asks = field
        // The second one makes the next link in its own name, the third one in another.
        for name in ["guest", nil, "friend"] {
            let cookie = try #require(
                try PageSignIn.enter(server, try Self.code(link(name, asks)))
            )
            cookies.append(cookie)
            asks = "Cookie: \(cookie)"
        }
        let unused = try Self.code(link(nil, asks))
        #expect(try server.get("/v1/tokens?name=eva&made=\(made)", method: "DELETE").status == 204)
        for cookie in cookies {
            #expect(try server.get("/v1/status", "Cookie: \(cookie)").status == 401)
        }
        #expect(try PageSignIn.enter(server, unused) == nil)
    }

    @Test func `a button that the page made presses, with steps, until it is revoked`() throws {
        let server = try ServedLedger.onSocket()
        let members = [
            "name": "golf", "source": "phone", "vehicle": "golf", "language": "de",
            "url": "https://ledger.example",
        ]
        let answer = try Self.post(server, "/v1/buttons", members)
        #expect(answer.status == 200, "\(answer)")
        try Self.complaints(answer, "new-button")
        let made = try Self.object(answer)
        let steps = try #require(made["steps"] as? [String])
        #expect(steps.count == 5 && steps[0].contains("Kurzbefehle"))
        let address = try #require(made["go"] as? String)
        let go = String(address.dropFirst("https://ledger.example".count))
        #expect(try server.get(go).status == 200)
        let log = try server.process.run("log", "--format", "json").text
        #expect(log.contains(#""source":"phone""#) && log.contains(#""vehicle":"golf""#))
        #expect(try Self.post(server, "/v1/buttons", members).status == 409)
        for (member, value) in [
            ("source", ""), ("url", "x"), ("language", "xx"), ("name", "ledger"), ("app", "x"),
        ] {
            let other = Self.members(members, with: member, value)
            let wrong = try Self.post(server, "/v1/buttons", other)
            #expect(wrong.status == 400 && wrong.body.contains(#""field":"\#(member)""#))
        }
        #expect(try server.get("/v1/devices?name=golf", method: "DELETE").status == 204)
        #expect(try server.get(go).status == 401)
    }

    @Test func `rates are listed with those of one's own, which no official one is`() throws {
        let server = try ServedLedger.onSocket()
        func ids(_ query: String) throws -> Set<String> {
            Set(try Self.items(server.get("/v1/rates?\(query)")).compactMap { $0["id"] as? String })
        }
        for country in ["us", "gb", "ca", "nl", "de", "at", "au", "fr"] {
            #expect(try !ids("jurisdiction=\(country)&on=2026-01-15").isEmpty, "\(country)")
        }
        let own = [
            "name": "company", "rate": "0.35", "per": "km", "currency": "EUR",
            "from": "2026-01-01",
        ]
        let answer = try Self.post(server, "/v1/rates", own)
        #expect(answer.status == 200, "\(answer)")
        try Self.complaints(answer, "decisions-answer")
        #expect(try ids("jurisdiction=company") == ["company.business.2026-01-01"])
        #expect(try ids("own=yes") == ["company.business.2026-01-01"])
        // The command says the same.
        let listed = try server.process.run([
            "rates", "list", "--jurisdiction", "company", "--format", "json",
        ])
        #expect(listed.text.contains(#""id":"company.business.2026-01-01""#))
        for (member, value) in [
            ("rate", "much"), ("per", "mile"), ("from", "today"), ("to", "2025-01-01"),
            ("class", "fun"), ("name", "us_standard_mileage X"),
        ] {
            let wrong = try Self.post(server, "/v1/rates", Self.members(own, with: member, value))
            #expect(wrong.status == 400, "\(member): \(wrong)")
        }
        let field = "Authorization: Bearer \(try server.token("reader", "--scope", "read"))"
        #expect(try server.get("/v1/rates", field).status == 200)
        #expect(try Self.post(server, "/v1/rates", own, field).status == 403)
    }

    @Test func `a rate of one's own is ended and replaced, and each is taken back`() throws {
        let server = try ServedLedger.onSocket()
        func listed() throws -> [String] {
            try Self.items(server.get("/v1/rates?jurisdiction=company"))
                .map { row in
                    let tiers = row["tiers"] as? [[String: Any]]
                    return [row["from"], row["to"], tiers?.first?["rate"]]
                        .map { $0 as? String ?? "-" }.joined(separator: " ")
                }
                .sorted()
        }
        func setRate(_ more: [String: String]) throws -> [String: Any] {
            var members = ["name": "company", "per": "km", "currency": "EUR", "rate": "0.35"]
            members.merge(more) { $1 }
            let answer = try Self.post(server, "/v1/rates", members)
            #expect(answer.status == 200, "\(answer)")
            return try #require((Self.object(answer)["decisions"] as? [[String: Any]])?.first)
        }
        func takeBack(_ decided: [String: Any]) throws {
            let undo = try JSONSerialization.data(withJSONObject: try #require(decided["undo"]))
            let answer = try server.post(undo, as: "application/json", to: "/v1/decisions")
            #expect(answer.status == 200, "\(answer)")
        }
        let first = try setRate(["from": "2026-01-01"])
        #expect(first["undo"] == nil, "no decision takes a table out")
        let open = ["2026-01-01 - 0.35"]
        #expect(try listed() == open)
        for (members, wanted) in [
            (["from": "2026-01-01", "to": "2026-06-30"], ["2026-01-01 2026-06-30 0.35"]),
            (["from": "2026-01-01", "rate": "0.4"], ["2026-01-01 - 0.4"]),
            (
                ["from": "2026-07-01", "rate": "0.4"],
                ["2026-01-01 2026-06-30 0.35", "2026-07-01 - 0.4"]
            ),
        ] {
            let decided = try setRate(members)
            #expect(try listed() == wanted)
            try takeBack(decided)
            #expect(try listed() == open)
        }
    }

    @Test func `the page names every country that has rates`() throws {
        let server = try ServedLedger.onSocket()
        let rows = try Self.items(server.get("/v1/rates"))
        let countries = Set(rows.compactMap { $0["jurisdiction"] as? String })
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web/classes.js")
        let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        let list = try #require(text.firstMatch(of: #/jurisdictions = \[([^\]]+)\]/#)?.1)
        let named = list.matches(of: #/'([a-z]+)'/#).map { String($0.1) }
        #expect(Set(named) == countries)
    }

    @Test func `rules are listed for each source and for new ones, and changed by a decision`()
        throws
    {
        let server = try ServedLedger.onSocket()
        func presets() throws -> [String: String] {
            let rows = try Self.items(server.get("/v1/rules"))
            return Dictionary(
                uniqueKeysWithValues: rows.map {
                    ($0["source"] as? String ?? "", $0["preset"] as? String ?? "")
                }
            )
        }
        let before = try presets()
        #expect(before[""] == "phone", "\(before)")
        let decision = #"{"type":"rules_adopted","preset":"logger","applies_to":"box"}"#
        let answer = try server.post(
            Data(decision.utf8),
            as: "application/json",
            to: "/v1/decisions"
        )
        #expect(answer.status == 200, "\(answer)")
        #expect(try presets()["box"] == "logger")
        #expect(try presets()[""] == "phone")
    }

    @Test func `a backup is made beside the ledger, and proved`() throws {
        let server = try ServedLedger.onSocket()
        func kept() throws -> [String: Any] {
            let answer = try server.get("/v1/safekeeping")
            try Self.complaints(answer, "safekeeping")
            return try Self.object(answer)
        }
        #expect(try kept()["backup_at"] is NSNull)
        #expect(try Self.post(server, "/v1/backups", [:]).status == 204)
        while try kept()["backup_running"] as? Bool == true { usleep(10_000) }
        let state = try kept()
        #expect(state["backup_problem"] is NSNull, "\(state)")
        #expect(state["backup_at"] is String && state["backup_size"] is Int, "\(state)")
        let listed = try server.process.shell("ls -d *-backups && ls *-backups")
        #expect(listed.exitCode == 0 && listed.text.split(separator: "\n").count >= 2)
        let field = "Authorization: Bearer \(try server.token("auditor", "--scope", "audit"))"
        #expect(try server.get("/v1/safekeeping", field).status == 200)
        #expect(try Self.post(server, "/v1/backups", [:], field).status == 403)
    }

    @Test func `a source that drove in each of three weeks and is silent today is told`() throws {
        let process = try LedgerProcess()
        // A zone without changes of clocks, for three weeks are whole days here.
        try #require(try process.run("init", "--time-zone", "UTC").exitCode == 0)
        let lines = [21, 14, 7]
            .flatMap { days -> [String] in
                let start = Date().addingTimeInterval(-Double(days) * 86_400 - 3 * 3_600)
                func line(_ type: String, _ seconds: Double, _ more: String = "") -> String {
                    let at = start.addingTimeInterval(seconds).ISO8601Format()
                    return #"{"type":"\#(type)","source":"phone","occurred_at":"\#(at)"\#(more)}"#
                }
                let fixes = (1...6)
                    .map { step in
                        let position = #","lat":52.37,"lon":4.8\#(step)6,"accuracy":5"#
                        return line("fix_recorded", Double(step) * 20, position)
                    }
                return [line("go_pressed", 0)] + fixes + [line("stop_pressed", 150)]
            }
        try process.append(DriveLines.data(lines))
        let server = try ServedLedger(onSocketOf: process)
        _ = try server.token("phone")
        _ = try server.token("other")
        let devices = try Self.items(server.get("/v1/devices"))
        let silent = devices.filter { $0["silent_since"] is String }
        #expect(silent.map { $0["token"] as? String } == ["phone"], "\(devices)")
    }
}
