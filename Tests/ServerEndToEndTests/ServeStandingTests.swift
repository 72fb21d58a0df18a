import Foundation
import TestSupport
import Testing

/// Answers that last, which end with what let them in, and tokens whose files are gone.
@Suite struct ServeStandingTests {
    /// Sends a request, and returns the connection on which the answer comes.
    private static func begin(
        _ server: ServedLedger,
        _ path: String,
        _ field: String
    ) throws -> ServedLedger.Connection {
        let connection = try server.connect()
        let lines = ["GET \(path) HTTP/1.1", "Host: localhost:\(server.port)", field]
        try connection.send((lines + ["Connection: close", "", ""]).joined(separator: "\r\n"))
        return connection
    }

    /// How long a test waits for what takes a second at most on a machine that does nothing else.
    private static let patience = Duration.seconds(10)

    /// What became of a stream and of a wait.
    private struct Ending {
        var server: ServedLedger
        var field: String
        var rest: String
        var answer: ServedLedger.Answer
    }

    /// Lets a stream and a wait begin, and ends what let them in.
    ///
    /// - Returns: What became of them; `nil` if the wait may have ended by itself.
    private static func ending(by end: String) throws -> Ending? {
        let process = try LedgerProcess()
        try process.begin()
        #expect(try process.run("token", "new", "other", "--scope", "read").exitCode == 0)
        // From before the token was made that is used.
        #expect(try process.shell("cp -a book/server before").exitCode == 0)
        let server = try ServedLedger(process)
        let field = "Authorization: Bearer \(try server.token("reader", "--scope", "read"))"
        let latest = try server.get("/v1/changes/latest-cursor", field).body
        let cursor = try #require(latest.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
        let stream = try begin(server, "/v1/stream", field)
        _ = try stream.answer(upTo: "retry: 3000")
        let latestEnd = ContinuousClock.now + .seconds(25)
        let wait = try begin(server, "/v1/changes?wait=30&cursor=\(cursor)", field)
        guard (try? server.waitForFollowers(2, until: latestEnd, field)) != nil else { return nil }
        #expect(try process.shell(end).exitCode == 0)
        let start = ContinuousClock.now
        #expect(try process.run("go", "--source", "button").exitCode == 0)
        let rest = try stream.answer()
        let answer = try wait.answer()
        guard ContinuousClock.now < min(start + patience, latestEnd) else { return nil }
        return Ending(
            server: server,
            field: field,
            rest: rest,
            answer: try ServedLedger.Answer(answer)
        )
    }

    @Test(arguments: [
        "ledger token revoke reader",
        "mv book/server away",
        "mv book/server away && cp -a before book/server",
    ])
    func `a stream and a wait end with the token that let them in`(end: String) throws {
        let ending = try Scene.played { try Self.ending(by: end) }
        let (server, field) = (ending.server, ending.field)
        #expect(!ending.rest.contains("button"), "\(ending.rest)")
        let answer = ending.answer
        #expect(answer.status == 401 && !answer.body.contains("trip"), "\(answer)")
        #expect(try server.get("/v1/status", field).status == 401)
        guard end.hasPrefix("mv") else { return }
        // The state that comes back is recognised.
        let back = "rm -rf book/server && mv away book/server"
        #expect(try server.process.shell(back).exitCode == 0)
        #expect(try server.get("/v1/status", field).status == 200)
    }

    @Test func `a token of files that were put there counts at once, and is written there`() throws
    {
        let server = try ServedLedger()
        let process = server.process
        let field = "Authorization: Bearer \(try server.token("reader", "--scope", "read"))"
        #expect(try server.get("/v1/status", field).status == 200)
        #expect(try process.shell("mv book/server away").exitCode == 0)
        let token = try server.token("phone")
        let wrong = Data(#"{"_type":"location","lat":91,"lon":4.3,"tst":1795159860}"#.utf8)
        #expect(try server.post(wrong, to: "/in/\(token)/owntracks").status == 200)
        #expect(try process.run("refused", "--format", "json").lines.count == 1)
    }

    @Test func `a stream ends with the session of the page that follows it`() throws {
        let server = try ServedLedger()
        let isAtOnce = try Scene.played { () -> Bool? in
            let cookie = try Self.session(server)
            let stream = try Self.begin(server, "/v1/stream", "Cookie: \(cookie)")
            _ = try stream.answer(upTo: "retry: 3000")
            let start = ContinuousClock.now
            let left = try server.get(
                "/session",
                method: "DELETE",
                "Cookie: \(cookie)",
                "Sec-Fetch-Site: same-origin"
            )
            #expect(left.status == 204)
            _ = try stream.answer()
            return ContinuousClock.now - start < Self.patience ? true : nil
        }
        #expect(isAtOnce)
    }

    /// Lets a browser in, and returns its cookie.
    private static func session(_ server: ServedLedger) throws -> Substring {
        let made = try server.process.run("token", "new", "eva", "--page", "--format", "json")
        let code = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let session = try server.post(
            Data(#"{"code":"\#(code)"}"#.utf8),
            as: "application/json",
            to: "/session",
            "Sec-Fetch-Site: same-origin"
        )
        return try #require(session.head.firstMatch(of: #/Set-Cookie: ([^;]+)/#)?.1)
    }
}
