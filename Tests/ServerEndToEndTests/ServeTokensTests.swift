import Foundation
import TestSupport
import Testing

/// Who gets in at `POST /v1/events`, and what each may say there.
@Suite struct ServeTokensTests {
    private static let fix = #"{"type":"fix_recorded","lat":51.9,"lon":4.3,"accuracy":5}"#
    private static let place =
        #"{"type":"place_saved","place":"home","label":"Home","lat":51.9,"lon":4.3,"radius_m":90}"#
    private static let routine = #"{"type":"routine_removed","routine":"commute"}"#

    private static func data(_ text: String) -> Data { Data(text.utf8) }

    @Test(arguments: [
        ("ingest", fix, 200), ("ingest", #"{"type":"stop_pressed"}"#, 200),
        ("ingest", routine, 403), ("ingest", place, 403), ("edit", routine, 422),
        ("edit", fix, 403), ("edit", place, 403), ("admin", place, 200), ("admin", routine, 200),
        ("admin", fix, 200), ("read", fix, 403), ("read", routine, 403), ("audit", fix, 403),
        ("live", fix, 403), ("sync", fix, 200), ("sync", routine, 200), ("sync", place, 200),
    ])
    func `each scope may say what it is for`(scope: String, event: String, status: Int) throws {
        let server = try ServedLedger()
        let token = try server.token("app", "--scope", scope)
        let answer = try server.post(Self.data(event), "Authorization: Bearer \(token)")
        #expect(answer.status == status, "\(answer)")
        if status == 403 {
            #expect(answer.body.contains(#""type":"urn:ledger:scope""#))
            #expect(answer.head.contains(#"error="insufficient_scope""#))
        } else if status == 422 {
            // A decision is asked for where it is checked.
            #expect(answer.body.contains(#""type":"urn:ledger:use-decisions""#))
            #expect(answer.body.contains("/v1/decisions"))
        } else {
            #expect(answer.lines.first?.contains(#""receipt":"appended""#) == true, "\(answer)")
        }
        let size = try server.process.run("log", "--format", "json").lines.count
        #expect((size == 1) == (status != 200))
    }

    @Test func `what is missing is filled from the token`() throws {
        let server = try ServedLedger()
        let phone = try server.token("phone", "--scope", "ingest", "--scope", "admin")
        let eva = try server.token("Eva's phone", "--scope", "admin")
        for (event, token) in [(Self.fix, phone), (Self.routine, eva)] {
            let answer = try server.post(Self.data(event), "Authorization: Bearer \(token)")
            #expect(answer.status == 200, "\(answer)")
        }
        let log = try server.process.run("log", "--format", "json").lines
        let fix = try #require(log.first { $0.contains(#""type":"fix_recorded""#) })
        #expect(fix.contains(#""source":"phone""#) && !fix.contains(#""actor""#))
        let routine = try #require(log.first { $0.contains(#""type":"routine_removed""#) })
        #expect(routine.contains(#""source":"manual""#))
        #expect(routine.contains(#""actor":"Eva's phone""#))
    }

    @Test func `facts of other sources are refused, with all that came beside them`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let other = Self.fix.replacingOccurrences(of: "{", with: #"{"source":"tablet","#)
        let answer = try server.post(
            Self.data("\(Self.fix)\n\(other)\n"),
            "Authorization: Bearer \(token)"
        )
        #expect(answer.status == 403)
        #expect(answer.body.contains(#""errors":[{"field":"source","code":"other_source"}]"#))
        #expect(answer.body.contains("This is about line 2; nothing of the request was stored."))
        // A type that hides its name from those who only look for it.
        let hidden = #"{"type":"routine\u005fremoved","source":"phone","routine":"a"}"#
        let answers = try [
            hidden, hidden.replacingOccurrences(of: "phone", with: "manual"),
            other.replacingOccurrences(of: "tablet", with: "manual"),
        ]
        .map { try server.post(Self.data($0), "Authorization: Bearer \(token)").status }
        #expect(answers == [403, 403, 403])
        #expect(try server.process.run("log", "--format", "json").lines.count == 1)
    }

    @Test func `a token that is of no use is told so, and stands in no output`() throws {
        let server = try ServedLedger()
        let revoked = try server.token("phone")
        _ = try server.process.run("token", "revoke", "phone")
        let mistyped = String(revoked.dropLast()) + (revoked.hasSuffix("0") ? "1" : "0")
        var problems: [String] = []
        for (fields, kind, error) in [
            ([String](), "token-missing", "realm=\"ledger\"\r"),
            (["Authorization: Bearer \(revoked)"], "token-unknown", "invalid_token"),
            (["Authorization: Bearer \(mistyped)"], "token-unknown", "invalid_token"),
            (["Authorization: Bearer"], "token-unknown", "invalid_token"),
            (["Authorization: Digest \(revoked)"], "token-unknown", "invalid_token"),
        ] {
            let answer = try server.connect()
                .post(Self.data(Self.fix), server.port, fields)
            #expect(answer.status == 401, "\(answer)")
            #expect(answer.body.contains("urn:ledger:\(kind)"), "\(answer)")
            #expect("\(answer.head)\r".contains("WWW-Authenticate: Bearer realm"), "\(answer)")
            #expect("\(answer.head)\r".contains(error), "\(answer)")
            #expect(!"\(answer)".contains(revoked) && !"\(answer)".contains(mistyped))
            problems.append(answer.body)
        }
        // A token in an address can be read by others.
        let path = "/v1/events?access_token=\(revoked)"
        #expect(try server.post(Self.data(Self.fix), to: path).status == 401)
        if JSONSchemaValidator.isPresent {
            #expect(
                try JSONSchemaValidator.complaints(about: problems, schema: "problem")
                    == problems.map { _ in "" }
            )
        }
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors == "" && !end.lines.joined().contains("tl1_"))
    }

    @Test func `a token is the password of Basic, in base64 or, as Overland has it, not`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let encoded = Self.data("eva:\(token)").base64EncodedString()
        for credentials in [encoded, "\(token):"] {
            let answer = try server.post(
                Self.data(Self.fix),
                "Authorization: Basic \(credentials)"
            )
            #expect(answer.status == 200, "\(answer)")
        }
    }

    @Test(arguments: [
        ([], "Host: localhost", 200), (["--behind-proxy"], "Host: localhost", 401),
        ([], "Host: ledger.example", 401), ([], "Host: localhost\r\nX-Forwarded-For: 7.7.7.7", 401),
        ([], "Host: localhost\r\nForwarded: for=7.7.7.7", 401),
        ([], "Host: localhost\r\nVia: 1.1 Caddy", 401),
        ([], "Host: localhost\r\nX-Forwarded-Host: ledger.example", 401),
        ([], "Host: localhost\r\nX-Real-IP: 7.7.7.7", 401),
    ])
    func `a proxy before the socket makes no owners`(
        options: [String],
        fields: String,
        status: Int
    ) throws {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(
            onSocketOf: process,
            options + ["--host-name", "ledger.example"]
        )
        let head = "POST /v1/events HTTP/1.1\r\n\(fields)\r\nContent-Type: application/json\r\n"
        let token = try server.token("phone")
        for (field, wanted) in [("", status), ("Authorization: Bearer \(token)\r\n", 200)] {
            let connection = try server.connect()
            try connection.send(
                head + field + "Content-Length: \(Self.fix.utf8.count)\r\nConnection: close\r\n\r\n"
                    + Self.fix
            )
            let answer = try ServedLedger.Answer(connection.answer())
            #expect(answer.status == wanted, "\(answer)")
        }
    }

    @Test func `many tokens of no use are answered late, and the right one is not`() throws {
        let server = try ServedLedger("--behind-proxy")
        let token = try server.token("phone")
        func duration(_ token: String, from address: String) throws -> Duration {
            let start = ContinuousClock.now
            let answer = try server.post(
                Self.data(Self.fix),
                "Authorization: Bearer \(token)",
                "X-Forwarded-For: 1.2.3.4, \(address)"
            )
            #expect(answer.status == (token.hasPrefix("tl1_") ? 200 : 401), "\(answer)")
            return ContinuousClock.now - start
        }
        // A machine that is busy may be late by itself, but not each time.
        let tries = 10
        var addresses = 0
        // All within the minute in which they are counted.
        let (late, isRightAtOnce) = try Scene.played(within: .seconds(50)) {
            addresses += 1
            let address = "7.7.7.\(addresses)"
            for number in 0..<20 { _ = try duration("\(number)", from: address) }
            return (
                try duration("20", from: address),
                try (0..<tries).contains { _ in try duration(token, from: address) < .seconds(1) }
            )
        }
        #expect(late >= .seconds(1))
        #expect(isRightAtOnce)
        #expect(
            try (0..<tries).contains { try duration("20", from: "8.8.8.\($0)") < .seconds(1) }
        )
    }
}
