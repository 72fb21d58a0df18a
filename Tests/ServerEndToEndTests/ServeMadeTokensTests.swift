import Foundation
import TestSupport
import Testing

/// Devices and links that are made by way of the server: whose they are, and when they fall.
@Suite struct ServeMadeTokensTests {
    /// A ledger in which a trip of each of two phones goes on, served.
    private static func served() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        let lines = ["own-phone", "other-phone"]
            .map { source in
                let time = Date().addingTimeInterval(-60).ISO8601Format()
                return #"{"type":"go_pressed","source":"\#(source)","occurred_at":"\#(time)"}"#
            }
        try process.append(DriveLines.data(lines))
        return try ServedLedger(process)
    }

    private static func post(
        _ server: ServedLedger,
        _ path: String,
        _ members: [String: String],
        _ field: String
    ) throws -> ServedLedger.Answer {
        let body = try JSONSerialization.data(withJSONObject: members)
        return try server.post(body, as: "application/json", to: path, field)
    }

    private static func device(_ name: String, _ source: String? = nil) -> [String: String] {
        var members = ["name": name, "app": "owntracks", "url": "https://ledger.example"]
        members["source"] = source
        return members
    }

    private static func tokens(_ server: ServedLedger) throws -> [[String: Any]] {
        try server.process.run("token", "list", "--format", "json").lines
            .map { line in
                let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(value as? [String: Any])
            }
    }

    private static func state(_ name: String, _ server: ServedLedger) throws -> String? {
        try tokens(server).last { $0["name"] as? String == name }?["state"] as? String
    }

    @Test func `what a token makes is limited to its sources, and says who made it`() throws {
        let server = try Self.served()
        let token = try server.token(
            "child",
            "--source",
            "own-phone",
            "--scope",
            "admin",
            "--expires",
            "2999-01-01"
        )
        let field = "Authorization: Bearer \(token)"
        let other = try Self.post(server, "/v1/devices", Self.device("x", "other-phone"), field)
        #expect(other.status == 403 && other.body.contains("other_source"), "\(other)")
        #expect(try Self.post(server, "/v1/devices", Self.device("tablet"), field).status == 200)
        let trips = try server.process.run("trips", "--format", "json").lines
        for (source, status) in [("other-phone", 404), ("own-phone", 200)] {
            let row = try #require(trips.first { $0.contains(#""source":"\#(source)""#) })
            let id = String(row.dropFirst(7).prefix(32))
            let link = try Self.post(server, "/v1/shares", ["trip": id, "name": source], field)
            #expect(link.status == status, "\(link)")
        }
        let made = try Self.tokens(server).filter { $0["made_by"] as? String == "child" }
        let names = Set(made.compactMap { $0["name"] as? String })
        #expect(names == ["tablet (child)", "own-phone (child)"])
        for token in made { #expect(token["sources"] as? [String] == ["own-phone"]) }
        #expect(made.allSatisfy { $0["expires_at"] is String })
        if JSONSchemaValidator.isPresent {
            let lines = try server.process.run("token", "list", "--format", "json").lines
            let complaints = try JSONSchemaValidator.complaints(about: lines, schema: "token")
            #expect(complaints == lines.map { _ in "" })
        }
    }

    @Test(arguments: ["--with-made", "--keep-made"])
    func `revoking lists what was made, and ends links in any case`(option: String) throws {
        let server = try Self.served()
        let field = "Authorization: Bearer \(try server.token("eva", "--scope", "admin"))"
        #expect(try Self.post(server, "/v1/devices", Self.device("tablet"), field).status == 200)
        let link = ["trip": "active", "name": "for Jo"]
        #expect(try Self.post(server, "/v1/shares", link, field).status == 200)
        let login = try server.process.run("token", "new", "eva", "--page", "--format", "json")
        #expect(login.exitCode == 0)
        let asked = try server.process.run("token", "revoke", "eva")
        #expect(asked.exitCode == 64, "\(asked)")
        #expect(asked.errors.contains("tablet") && asked.errors.contains("--keep-made"))
        #expect(try server.get("/v1/shares", field).status == 200)
        let revoked = try server.process.run("token", "revoke", "eva", option)
        #expect(revoked.exitCode == 0, "\(revoked.errors)")
        #expect(revoked.text.contains("for Jo") && revoked.text.contains("tablet"))
        #expect(try server.get("/v1/shares", field).status == 401)
        #expect(try Self.state("for Jo", server) == "revoked")
        #expect(try Self.state("eva", server) == "revoked")
        let isKept = option == "--keep-made"
        #expect(try Self.state("tablet", server) == (isKept ? "valid" : "revoked"))
        // Items that were kept are the owner's: another token of the name takes nothing along.
        _ = try server.token("eva", "--scope", "read")
        #expect(try server.process.run("token", "revoke", "eva").exitCode == 0)
        #expect(try Self.state("tablet", server) == (isKept ? "valid" : "revoked"))
    }

    @Test func `a session that is lost makes no device, and its links fall with it`() throws {
        let server = try Self.served()
        let login = try server.process.run([
            "token", "new", "lost", "--page", "--source", "own-phone", "--scope", "ingest",
            "--scope", "edit", "--scope", "read", "--format", "json",
        ])
        let code = try #require(login.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let session = try server.post(
            Data(#"{"code":"\#(code)"}"#.utf8),
            as: "application/json",
            to: "/session",
            "Sec-Fetch-Site: same-origin"
        )
        let cookie = try #require(session.head.firstMatch(of: #/Set-Cookie: ([^;]+)/#)?.1)
        func ask(_ path: String, _ members: [String: String]) throws -> ServedLedger.Answer {
            try server.post(
                JSONSerialization.data(withJSONObject: members),
                as: "application/json",
                to: path,
                "Cookie: \(cookie)",
                "Sec-Fetch-Site: same-origin"
            )
        }
        #expect(try ask("/v1/devices", Self.device("x", "own-phone")).status == 403)
        let made = try ask("/v1/shares", ["trip": "active", "name": "link"])
        #expect(made.status == 200, "\(made)")
        let path = try #require(made.body.firstMatch(of: #/"path":"([^"]+)"/#)?.1)
        let trips = try server.get("/v1/trips?all=yes", "Cookie: \(cookie)").body
        #expect(trips.contains("own-phone") && !trips.contains("other-phone"), "\(trips)")
        #expect(try server.process.run("token", "revoke", "lost").exitCode == 0)
        #expect(try server.get("/v1/trips", "Cookie: \(cookie)").status == 401)
        #expect(try server.get("\(path)/stream").status == 404)
    }

    @Test func `a cookie is taken from the own page alone, and answers are for it alone`() throws {
        let server = try Self.served()
        let login = try server.process.run("token", "new", "eva", "--page", "--format", "json")
        let code = try #require(login.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let session = try server.post(
            Data(#"{"code":"\#(code)"}"#.utf8),
            as: "application/json",
            to: "/session",
            "Sec-Fetch-Site: same-origin"
        )
        let cookie = try #require(session.head.firstMatch(of: #/Set-Cookie: ([^;]+)/#)?.1)
        for (site, status) in [
            ("same-site", 403), ("cross-site", 403), ("same-origin", 200), ("none", 200),
        ] {
            let answer = try server.get(
                "/v1/trips",
                "Cookie: \(cookie)",
                "Sec-Fetch-Site: \(site)"
            )
            #expect(answer.status == status, "\(site): \(answer)")
            #expect(answer.head.contains("X-Content-Type-Options: nosniff"), "\(answer.head)")
            #expect(answer.head.contains("Cross-Origin-Resource-Policy: same-origin"))
        }
        let token = try server.token("reader", "--scope", "read")
        let field = "Authorization: Bearer \(token)"
        for target in ["http://evil.example/v1/trips", "http://localhost:1@evil.example/v1/trips"] {
            #expect(try server.get(target, field).status == 421, "\(target)")
        }
        let own = "http://localhost:\(server.port)/v1/trips"
        #expect(try server.get(own, field).status == 200)
    }
}
