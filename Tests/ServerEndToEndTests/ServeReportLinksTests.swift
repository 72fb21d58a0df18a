import Foundation
import TestSupport
import Testing

/// Links that show others one report that was handed out, with what proves it.
@Suite struct ServeReportLinksTests {
    private struct Link: Decodable {
        var name: String
        var report: String
        var path: String
        var link: String?
        var qrSVG: String?

        enum CodingKeys: String, CodingKey {
            case name, report, path, link
            case qrSVG = "qr_svg"
        }
    }

    private struct Issued: Decodable {
        var id: String
        var report: String
        var actor: String?
    }

    /// A ledger with one trip, and a report that was handed out on the command line.
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        try process.append(
            DriveLines.data([
                #"{"type":"trip_reported","source":"manual","occurred_at":"2025-03-07T09:00:00Z","#
                    + #""started_at":"2025-03-07T08:00:00Z","ended_at":"2025-03-07T08:30:00Z","#
                    + #""distance_m":12000,"class":"business","purpose":"A visit"}"#
            ])
        )
        let outcome = try process.shell(
            """
            set -e
            ledger report log --year 2025 --format html --issue > issued.html
            ledger key new --name ledger.example/book
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private static func serve() throws -> ServedLedger {
        try ServedLedger(onSocketOf: fixture.copy())
    }

    private static func post(
        _ server: ServedLedger,
        _ path: String,
        _ body: String,
        _ fields: String...
    ) throws -> ServedLedger.Answer {
        let lines = [
            "POST \(path) HTTP/1.1", "Host: localhost:\(server.port)", "Connection: close",
            "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
        let connection = try server.connect()
        try connection.send((lines + fields + ["", ""]).joined(separator: "\r\n") + body)
        return try ServedLedger.Answer(connection.answer())
    }

    private static func token(
        _ server: ServedLedger,
        _ name: String,
        _ options: [String]
    ) throws -> String {
        let made = try server.process.run(["token", "new", name, "--format", "json"] + options)
        return String(try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
    }

    private static func link(_ server: ServedLedger, _ body: String) throws -> Link {
        let answer = try post(server, "/v1/shares", body)
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.head.contains("Cache-Control: no-store"))
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(
                about: [answer.body],
                schema: "new-share"
            )
            #expect(complaints == [""])
        }
        return try JSONDecoder().decode(Link.self, from: Data(answer.body.utf8))
    }

    @Test func `a link shows the report byte for byte, and what the log says of it`() throws {
        let server = try Self.serve()
        let link = try Self.link(server, #"{"report":"r1"}"#)
        #expect(link.report == "R1" && link.link == nil && link.qrSVG == nil)
        let file = server.process.directory.url.appending(path: "issued.html")
        let (head, body) = try server.bytes("\(link.path)/file")
        #expect(try head.status == 200 && body == Data(contentsOf: file), "\(head)")
        #expect(head.head.contains("sandbox") && head.head.contains("X-Robots-Tag: noindex"))
        let about = try server.get("\(link.path)/about")
        let listed = try server.process.run("report", "issued", "--format", "json").lines
        #expect(about.status == 200 && about.body == listed[0])
        let page = try server.get(link.path)
        #expect(page.status == 200 && page.body.contains("/report-link.js"))
        #expect(page.head.contains("Cache-Control: no-store"))
        #expect(page.head.contains("Referrer-Policy: no-referrer"))
    }

    @Test func `the proof is there as soon as a head that covers the report is signed`() throws {
        let server = try Self.serve()
        let link = try Self.link(server, #"{"report":"R1"}"#)
        #expect(try server.get("\(link.path)/proof").status == 404)
        let signed = try server.process.run("head", "--sign")
        try #require(signed.exitCode == 0, "\(signed.errors)")
        let proof = try server.get("\(link.path)/proof")
        let lines = proof.body.split(separator: "\n")
        #expect(proof.status == 200 && lines.count == 2, "\(proof)")
        #expect(lines.last?.contains(#""type":"report_issued""#) == true)
        // What is handed out later is not under that head.
        let again = try Self.post(
            server,
            "/v1/reports/issued",
            #"{"version":1,"report":"log","year":2025,"format":"html"}"#
        )
        #expect(again.status == 200, "\(again)")
        let later = try Self.link(server, #"{"report":"R2"}"#)
        #expect(try server.get("\(later.path)/proof").status == 404)
        #expect(try server.get("\(link.path)/proof").body == proof.body)
    }

    @Test func `the address goes along with the key behind a sign that no server sees`() throws {
        let server = try Self.serve()
        let key = "book+a482c5b1+Af/vBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"
        let body =
            #"{"report":"R1","url":"https://book.example/","key":"\#(key)","name":"for Ann"}"#
        let link = try Self.link(server, body)
        #expect(link.name == "for Ann")
        let encoded = key.replacing("+", with: "%2B").replacing("/", with: "%2F")
        #expect(link.link == "https://book.example\(link.path)#\(encoded)")
        #expect(link.qrSVG?.hasPrefix("<svg ") == true)
        let listed = try server.get("/v1/shares").body
        #expect(listed.contains(#""use":"report""#) && listed.contains(#""report":"R1""#))
        #expect(!listed.contains(String(link.path.dropFirst("/reports/".count))))
        for refused in [
            #"{"report":"R1","trip":"last"}"#, #"{"report":"R1","url":"book.example"}"#,
            #"{"report":"R1","expires_at":"2999-01-01T00:00:00Z"}"#, #"{}"#,
        ] {
            #expect(try Self.post(server, "/v1/shares", refused).status == 400, "\(refused)")
        }
        #expect(try Self.post(server, "/v1/shares", #"{"report":"R9"}"#).status == 404)
        // Any text, a digit that is wrong, and the key of a witness are none of the owner's keys.
        let witness = "book+67fa696e+BP/vBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"
        for text in ["book", "book+0a1b2c3d+AAA/=", "\(key)A", "x\(key)", witness] {
            let answer = try Self.post(server, "/v1/shares", #"{"report":"R1","key":"\#(text)"}"#)
            #expect(answer.status == 400 && answer.body.contains("ledger key show"), "\(answer)")
        }
    }

    @Test func `a link ends when it is revoked, and is of use nowhere else`() throws {
        let server = try Self.serve()
        let link = try Self.link(server, #"{"report":"R1","name":"ann"}"#)
        let secret = String(link.path.dropFirst("/reports/".count))
        for path in ["/v1/reports/issued/R1", "/v1/trips", "/v1/shares", "/live/\(secret)/stream"] {
            let status = try server.get(path, "Authorization: Bearer \(secret)").status
            #expect(status == 401 || status == 404, "\(path)")
        }
        for other in ["ffffffff", String(secret.dropLast()) + "x"] {
            #expect(try server.get("/reports/\(other)/about").status == 404, "\(other)")
        }
        #expect(try server.get("\(link.path)/about").status == 200)
        #expect(try server.get("/v1/shares?name=ann", method: "DELETE").status == 204)
        for part in ["about", "file", "proof"] {
            #expect(try server.get("\(link.path)/\(part)").status == 404, "\(part)")
        }
        // The page says so itself.
        #expect(try server.get(link.path).status == 200)
        let outcome = server.end(with: SIGTERM)
        #expect(!outcome.text.contains(secret) && !outcome.errors.contains(secret))
    }

    @Test func `who may edit and read hands reports out, and is their actor`() throws {
        let server = try Self.serve()
        let request = #"{"version":1,"report":"summary","year":2025,"format":"html"}"#
        for (scopes, status) in [
            (["read"], 403), (["edit"], 403), (["live"], 403), (["read", "edit"], 200),
            (["admin"], 200),
        ] {
            let name = scopes.joined()
            let token = try Self.token(server, name, scopes.flatMap { ["--scope", $0] })
            let answer = try Self.post(
                server,
                "/v1/reports/issued",
                request,
                "Authorization: Bearer \(token)"
            )
            #expect(answer.status == status, "\(scopes): \(answer)")
            guard status == 200 else { continue }
            let issued = try JSONDecoder().decode(Issued.self, from: Data(answer.body.utf8))
            #expect(issued.report == "summary" && issued.actor == name)
            #expect(try server.get("/v1/reports/issued/\(issued.id)").status == 200)
        }
        let limited = try Self.token(
            server,
            "own",
            ["--source", "phone", "--scope", "admin"]
        )
        for (path, body) in [("/v1/reports/issued", request), ("/v1/shares", #"{"report":"R1"}"#)] {
            let answer = try Self.post(server, path, body, "Authorization: Bearer \(limited)")
            #expect(answer.status == 403, "\(path)")
        }
        for refused in [
            #"{"version":1,"report":"log","format":"html"}"#,
            #"{"version":1,"report":"log","year":2025,"draft":true}"#, "none", "[]",
        ] {
            let status = try Self.post(server, "/v1/reports/issued", refused).status
            #expect((400..<500).contains(status), "\(refused): \(status)")
        }
    }

    @Test func `nothing is handed out in the name of a token after it was revoked`() throws {
        let server = try Self.serve()
        let token = try Self.token(server, "lost", ["--scope", "admin"])
        let request = #"{"version":1,"report":"log","year":2025,"format":"html"}"#
        let head = [
            "POST /v1/reports/issued HTTP/1.1", "Host: localhost:\(server.port)",
            "Connection: close", "Content-Type: application/json",
            "Content-Length: \(request.utf8.count)", "Authorization: Bearer \(token)", "", "",
        ]
        // They take turns, so that most of them wait when the token is revoked.
        let waiting = try (1...4)
            .map { _ in
                let connection = try server.connect()
                try connection.send(head.joined(separator: "\r\n") + request)
                return connection
            }
        #expect(try server.process.run("token", "revoke", "lost").exitCode == 0)
        func issued() throws -> Int {
            try server.process.run("log", "--type", "report_issued", "--format", "json").lines
                .count { $0.contains(#""actor":"lost""#) }
        }
        let count = try issued()
        let answers = try waiting.map { try ServedLedger.Answer($0.answer()) }
        #expect(answers.allSatisfy { [200, 401].contains($0.status) }, "\(answers)")
        #expect(answers.contains { $0.status == 401 }, "\(answers)")
        #expect(try issued() == count)
        #expect(try server.process.run("verify").exitCode == 0)
    }
}
