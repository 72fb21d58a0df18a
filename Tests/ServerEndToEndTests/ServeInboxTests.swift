import Foundation
import TestSupport
import Testing

/// The trips that need a class, a purpose or a word about another trip of their drive, over HTTP.
@Suite struct ServeInboxTests {
    private static func serve() throws -> ServedLedger {
        let server = try ServedLedger.onSocket()
        try server.process.append(DriveLines.data(DriveLines.mixed(seed: 3)))
        return server
    }

    private static func waiting(_ server: ServedLedger) throws -> [String] {
        try server.process.run("inbox", "--list", "--format", "json").lines
    }

    private static func count(_ server: ServedLedger) throws -> [String: Int] {
        let answer = try server.get("/v1/inbox/count")
        #expect(answer.status == 200, "\(answer)")
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(
                about: [answer.body],
                schema: "inbox-count"
            )
            #expect(complaints == [""])
        }
        return try JSONDecoder().decode([String: Int].self, from: Data(answer.body.utf8))
    }

    @Test(arguments: [1, 7, 1_000])
    func `pages of the inbox are the list of the command, newest first`(limit: Int) throws {
        let server = try Self.serve()
        struct Page: Decodable {
            var next: String?

            private enum CodingKeys: String, CodingKey { case next = "next_cursor" }
        }
        var (bodies, cursor) = ([String](), "")
        repeat {
            let body = try server.get("/v1/inbox?limit=\(limit)\(cursor)").body
            let next = try JSONDecoder().decode(Page.self, from: Data(body.utf8)).next
            let end = try #require(body.range(of: #"],"next_cursor""#))
            let items = body[..<end.lowerBound].dropFirst(#"{"items":["#.count)
            if !items.isEmpty { bodies.append(String(items)) }
            cursor = next.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        let expected = try Self.waiting(server)
        #expect(expected.count > 7)
        #expect(bodies.joined(separator: ",") == expected.reversed().joined(separator: ","))
        #expect(try server.get("/v1/inbox?cursor=x").status == 400)
    }

    @Test func `the count is that of the list, whatever is decided`() throws {
        let server = try Self.serve()
        let first = try Self.count(server)
        #expect(try first["waiting"] == Self.waiting(server).count)
        #expect(first["unclassified"] == first["waiting"] && first["without_purpose"] == 0)
        #expect(first["twins"] == 0)
        for command in [
            ["edit", "last", "--class", "business"], ["edit", "last", "--purpose", "Roof"],
            ["void", "last", "--why", "no trip"], ["edit", "last", "--class", "personal"],
        ] {
            #expect(try server.process.run(command).exitCode == 0)
            let count = try Self.count(server)
            let lines = try Self.waiting(server)
            #expect(count["waiting"] == lines.count, "\(command)")
            let members = ["class": "unclassified", "purpose": "without_purpose", "twin": "twins"]
            for (what, member) in members {
                let number = lines.count { $0.contains("\"waits_for\":\"\(what)\"") }
                #expect(count[member] == number, "\(command): \(member)")
            }
        }
        let token = try server.token("phone")
        #expect(try server.get("/v1/inbox/count", "Authorization: Bearer \(token)").status == 403)
    }
}
