import Foundation
import TestSupport
import Testing

/// Links that show others one trip that goes on.
@Suite struct ServeSharesTests {
    private struct Share: Decodable {
        var name: String
        var trip: String
        var path: String

        /// The secret.
        var link: String { String(path.dropFirst("/live/".count)) }
    }

    /// A ledger with trips, and names that are for no other to see.
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        try process.append(DriveLines.data(DriveLines.mixed(seed: 2)))
        let outcome = try process.shell(
            """
            set -e
            ledger place save Hideout --lat 51.889 --lon 4.3 --radius 2000
            ledger vehicle register Batmobile
            ledger rules preset phone --source phone
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    /// The same ledger, in which a trip of a phone goes on, served.
    private static func serve() throws -> ServedLedger {
        let process = try fixture.copy()
        let server = try ServedLedger(onSocketOf: process)
        try press("go", 120, server)
        try drive(-110 ..< -30, server)
        let edit = try process.run([
            "edit", "active", "--purpose", "Secret", "--client", "Joker", "--vehicle", "Batmobile",
        ])
        #expect(edit.exitCode == 0, "\(edit.errors)")
        return server
    }

    private static func press(_ button: String, _ ago: Double, _ server: ServedLedger) throws {
        let time = Date().addingTimeInterval(-ago).ISO8601Format()
        let line = #"{"type":"\#(button)_pressed","source":"phone","occurred_at":"\#(time)"}"#
        #expect(try server.post(Data(line.utf8)).status == 200)
    }

    /// Drives north at 11 m/s, at seconds from now.
    private static func drive(_ seconds: Range<Int>, _ server: ServedLedger) throws {
        let now = Date()
        let lines = seconds.map { second in
            let time = now.addingTimeInterval(Double(second)).ISO8601Format()
            return #"{"type":"fix_recorded","source":"phone","occurred_at":"\#(time)","#
                + #""lat":51.\#(9_000 + second),"lon":4.3,"accuracy":5}"#
        }
        #expect(try server.post(DriveLines.data(lines)).status == 200)
    }

    private static func make(
        _ server: ServedLedger,
        _ body: String,
        _ fields: String...
    ) throws -> ServedLedger.Answer {
        let lines = [
            "POST /v1/shares HTTP/1.1", "Host: localhost:\(server.port)", "Connection: close",
            "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
        let connection = try server.connect()
        try connection.send((lines + fields + ["", ""]).joined(separator: "\r\n") + body)
        return try ServedLedger.Answer(connection.answer())
    }

    private static func share(_ server: ServedLedger, _ body: String) throws -> Share {
        let answer = try make(server, body)
        #expect(answer.status == 200, "\(answer)")
        return try Self.share(in: answer)
    }

    private static func share(in answer: ServedLedger.Answer) throws -> Share {
        #expect(answer.head.contains("Cache-Control: no-store"))
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(
                about: [answer.body],
                schema: "new-share"
            )
            #expect(complaints == [""])
        }
        return try JSONDecoder().decode(Share.self, from: Data(answer.body.utf8))
    }

    private static func begin(
        _ server: ServedLedger,
        _ share: Share
    ) throws -> (connection: ServedLedger.Connection, head: String) {
        let connection = try server.connect()
        let path = "\(share.path)/stream"
        try connection.send("GET \(path) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
        return (connection, try connection.answer(upTo: "\r\n\r\n"))
    }

    private static func follow(
        _ server: ServedLedger,
        _ share: Share
    ) throws -> ServedLedger.Connection {
        let (connection, head) = try begin(server, share)
        #expect(head.hasPrefix("HTTP/1.1 200"))
        return connection
    }

    /// Makes a link that ends by itself, as soon as a busy machine can follow it before.
    private static func followToExpiry(
        _ server: ServedLedger
    ) throws -> (share: Share, connection: ServedLedger.Connection) {
        var seconds = 2.0
        return try Scene.played {
            seconds *= 2
            let end = Date().addingTimeInterval(seconds).ISO8601Format()
            let made = try make(server, #"{"trip":"active","expires_at":"\#(end)"}"#)
            guard made.status == 200 else { return nil }
            let share = try Self.share(in: made)
            let (connection, head) = try begin(server, share)
            guard head.hasPrefix("HTTP/1.1 200"), (try? next("trip", connection)) != nil else {
                return nil
            }
            return (share, connection)
        }
    }

    /// Returns the data of the next event of a kind.
    private static func next(
        _ kind: String,
        _ connection: ServedLedger.Connection
    ) throws -> String {
        _ = try connection.answer(upTo: "event: \(kind)\ndata: ")
        return String(try connection.answer(upTo: "\n\n").dropLast(2))
    }

    /// Returns the next data of the trip that are news: what is known is said again after a while.
    private static func news(
        after known: String,
        _ connection: ServedLedger.Connection
    ) throws -> String {
        try Scene.played {
            let data = try next("trip", connection)
            let isKnown = try ["state", "position_at"]
                .allSatisfy { try value($0, data) as? String == value($0, known) as? String }
            return isKnown ? nil : data
        }
    }

    private static func value(_ name: String, _ data: String) throws -> Any? {
        let object = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        return object?[name]
    }

    @Test func `a link shows where a trip is, how far and for how long it has gone`() throws {
        let start = Date()
        let server = try Self.serve()
        let share = try Self.share(server, #"{"trip":"active"}"#)
        let connection = try Self.follow(server, share)
        let first = try Self.next("trip", connection)
        let longest = 122 + Int(Date().timeIntervalSince(start))
        #expect(try Self.value("state", first) as? String == "going")
        #expect(try Self.value("lat", first) as? Double == 51.8969)
        let distance = try #require(try Self.value("distance_m", first) as? Int)
        #expect((800...900).contains(distance), "\(first)")
        #expect((115...longest).contains(try #require(try Self.value("seconds", first) as? Int)))
        try Self.drive(-29 ..< -4, server)
        let second = try Self.news(after: first, connection)
        #expect(try Self.value("lat", second) as? Double == 51.8995)
        #expect(try #require(try Self.value("distance_m", second) as? Int) > distance + 200)
        try Self.press("stop", 0, server)
        let third = try Self.news(after: second, connection)
        #expect(try Self.value("state", third) as? String == "over")
        for data in [first, second, third] {
            for name in ["Hideout", "Batmobile", "Secret", "Joker", "phone", share.trip] {
                #expect(!data.contains(name), "\(data)")
            }
        }
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(
                about: [first, second, third],
                schema: "live-trip"
            )
            #expect(complaints == ["", "", ""])
        }
    }

    @Test func `before its first position a trip shows none, though its phone was elsewhere`()
        throws
    {
        let server = try ServedLedger(onSocketOf: Self.fixture.copy())
        try Self.press("go", 4_000, server)
        try Self.drive(-3_990 ..< -3_900, server)
        try Self.press("stop", 3_890, server)
        try Self.press("go", 20, server)
        let share = try Self.share(server, #"{"trip":"active"}"#)
        let first = try Self.next("trip", Self.follow(server, share))
        #expect(try Self.value("state", first) as? String == "going")
        #expect(!first.contains("lat") && !first.contains("position_at"), "\(first)")
    }

    @Test func `the page of a link is kept by none and found by none`() throws {
        let server = try Self.serve()
        let share = try Self.share(server, #"{"trip":"active","name":"for Eva"}"#)
        let page = try server.get(share.path)
        #expect(page.status == 200 && page.body.contains("/live-trip.js"))
        for field in [
            "X-Robots-Tag: noindex, nofollow", "Cache-Control: no-store",
            "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
        ] {
            #expect(page.head.contains(field), "\(field)")
        }
        let stream = try Self.follow(server, share)
        _ = try Self.next("trip", stream)
        let outcome = server.end(with: SIGTERM)
        #expect(outcome.exitCode == 0)
        #expect(!outcome.text.contains(share.link) && !outcome.errors.contains(share.link))
    }

    @Test func `a link is of use nowhere else, and nothing else is a link`() throws {
        let server = try Self.serve()
        let share = try Self.share(server, #"{"trip":"active"}"#)
        let field = "Authorization: Bearer \(share.link)"
        for path in ["/v1/status", "/v1/stream", "/v1/trips", "/v1/shares", "/log/checkpoint"] {
            let status = try server.get(path, field).status
            #expect(status == 401 || path == "/log/checkpoint" && status == 404, "\(path)")
        }
        let delivered = try server.post(
            Data("{}".utf8),
            as: "application/json",
            to: "/in/\(share.link)/owntracks"
        )
        #expect(delivered.status != 200)
        let live = try server.token("live", "--scope", "live")
        for link in [live, "ffffffff", String(share.link.dropLast()) + "x", "\(share.link)x"] {
            #expect(try server.get("/live/\(link)/stream").status == 404, "\(link)")
        }
        let read = try server.token("read", "--scope", "read")
        for link in [read, "ffffffff", String(share.link.dropLast())] {
            #expect(try server.get("/live/\(link)").status == 404, "\(link)")
        }
    }

    @Test(arguments: ["revoked", "expired", "voided", "revoked by the command"])
    func `a link ends at once`(cause: String) throws {
        let server = try Self.serve()
        let share: Share
        let connection: ServedLedger.Connection
        if cause == "expired" {
            (share, connection) = try Self.followToExpiry(server)
        } else {
            share = try Self.share(server, #"{"trip":"active"}"#)
            connection = try Self.follow(server, share)
            _ = try Self.next("trip", connection)
        }
        let name = try #require(
            share.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        )
        switch cause {
        case "revoked":
            #expect(try server.get("/v1/shares?name=\(name)", method: "DELETE").status == 204)
            #expect(try server.get("/v1/shares?name=\(name)", method: "DELETE").status == 404)
        case "voided":
            let outcome = try server.process.run("void", share.trip, "--why", "none")
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        case "expired": break
        default:
            let outcome = try server.process.run("token", "revoke", share.name)
            #expect(outcome.text.contains("Its link shows nothing any more."))
        }
        #expect(try Self.next("over", connection) == "{}")
        #expect(try server.get("\(share.path)/stream").status == 404)
        // The page says so itself.
        #expect(try server.get(share.path).status == 200)
    }

    @Test func `links are listed as the command lists them, without their secrets`() throws {
        let server = try Self.serve()
        #expect(
            try server.get("/v1/shares").body
                == #"{"items":[],"next_cursor":null,"has_more":false}"#
        )
        let first = try Self.share(server, #"{"trip":"active"}"#)
        let second = try Self.share(server, #"{"trip":"\#(first.trip)"}"#)
        #expect(first.trip == second.trip && first.name != second.name)
        #expect(try Self.make(server, #"{"trip":"last","name":"\#(first.name)"}"#).status == 409)
        let listed = try server.process.run("token", "list", "--format", "json").lines
        #expect(listed.count == 2 && listed.allSatisfy { $0.contains(#""use":"share""#) })
        let page = try server.get("/v1/shares").body
        #expect(page.contains(listed.joined(separator: ",")))
        for text in [page, listed.joined()] {
            #expect(!text.contains(first.link) && text.contains(#""trip":"\#(first.trip)""#))
        }
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(about: listed, schema: "token")
            #expect(complaints == ["", ""])
        }
        // A browser that is let in throws no links away.
        let code = try server.process.run("token", "new", "eva", "--page", "--format", "json")
        let text = try #require(code.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let body = Data(#"{"code":"\#(text)"}"#.utf8)
        let session = try server.post(
            body,
            as: "application/json",
            to: "/session",
            "Sec-Fetch-Site: same-origin"
        )
        #expect(session.status == 204)
        #expect(try server.get("/v1/shares").body == page)
        let cookie = try #require(session.head.firstMatch(of: #/Set-Cookie: ([^;]+)/#)?.1)
        let other = try Self.make(server, #"{"trip":"active"}"#, "Cookie: \(cookie)")
        #expect(other.status == 403 && other.body.contains("cross-site"))
        let own = try Self.make(
            server,
            #"{"trip":"active"}"#,
            "Cookie: \(cookie)",
            "Sec-Fetch-Site: same-origin"
        )
        #expect(own.status == 200)
    }

    @Test func `one link that many follow keeps no other one waiting`() throws {
        let server = try Self.serve()
        let (first, second) = (
            try Self.share(server, #"{"trip":"active"}"#),
            try Self.share(server, #"{"trip":"active"}"#)
        )
        let followers = try (0..<8).map { _ in try Self.follow(server, first) }
        let refused = try server.get("\(first.path)/stream")
        #expect(refused.status == 503 && refused.body.contains("urn:ledger:busy"), "\(refused)")
        _ = try Self.next("trip", try Self.follow(server, second))
        _ = try Self.next("trip", followers[7])
    }

    @Test func `what cannot be shared is refused, and who may not share`() throws {
        let server = try Self.serve()
        let over = try server.process.run("trips", "--limit", "2", "--format", "json").lines
        let id = try #require(over.last?.firstMatch(of: #/"id":"([0-9a-f]{32})"/#)?.1)
        let past = try Self.make(server, #"{"trip":"\#(id)"}"#)
        #expect(past.status == 409 && past.body.contains("The trip is over"), "\(past)")
        for (body, status) in [
            (#"{"trip":"ffffffff"}"#, 404), (#"{}"#, 400), (#"{"trip":"x y"}"#, 400), ("[]", 400),
            (#"{"trip":"active","expires_at":"2020-01-01T00:00:00Z"}"#, 400),
            (#"{"trip":"active","expires_at":"2999-01-01T00:00:00Z"}"#, 400),
            (#"{"trip":"active","expires_at":"soon"}"#, 400),
            (#"{"trip":"active","name":"ledger"}"#, 400),
        ] {
            #expect(try Self.make(server, body).status == status, "\(body)")
        }
        for (scopes, status) in [
            (["read"], 403), (["ingest"], 403), (["live"], 403), (["edit", "live"], 200),
            (["edit", "read"], 200), (["admin"], 200),
        ] {
            let name = scopes.joined(separator: " ")
            let made = try server.process.run(
                ["token", "new", name, "--format", "json"] + scopes.flatMap { ["--scope", $0] }
            )
            let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
            let field = "Authorization: Bearer \(token)"
            let body = #"{"trip":"active","name":"of \#(name)"}"#
            #expect(try Self.make(server, body, field).status == status, "\(name)")
            #expect(try server.get("/v1/shares", field).status == status, "\(name)")
            let revoked = try server.get("/v1/shares?name=x", method: "DELETE", field).status
            #expect(revoked == (scopes == ["admin"] ? 404 : 403), "\(name)")
        }
        // A link shows where a trip is: a token that may not see that makes none.
        let editor = "Authorization: Bearer \(try server.token("editor", "--scope", "edit"))"
        #expect(try Self.make(server, #"{"trip":"active"}"#, editor).status == 403)
        try Self.press("stop", 0, server)
        #expect(try Self.make(server, #"{"trip":"active"}"#).status == 404)
        #expect(try Self.make(server, #"{"trip":"last"}"#).status == 200)
    }
}
