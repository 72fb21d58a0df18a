import Foundation
import LedgerTestSupport
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

    /// Waits until so many wait for changes.
    private static func waitForReaders(
        _ count: Int,
        of server: ServedLedger,
        _ field: String
    ) throws {
        while try !server.get("/metrics", field).body.contains("ledger_subscribers \(count)\n") {}
    }

    /// How long a test waits for what takes a second at most on a machine that does nothing else.
    private static let patience = Duration.seconds(10)

    @Test(arguments: [
        "ledger token revoke reader",
        "mv book/server away",
        "mv book/server away && cp -a before book/server",
    ])
    func `a stream and a wait end with the token that let them in`(end: String) throws {
        let process = try LedgerProcess()
        try process.begin()
        #expect(try process.run("token", "new", "other", "--scope", "read").exitCode == 0)
        // From before the token was made that is used.
        #expect(try process.shell("cp -a book/server before").exitCode == 0)
        let server = try ServedLedger(process)
        let field = "Authorization: Bearer \(try server.token("reader", "--scope", "read"))"
        let latest = try server.get("/v1/changes/latest-cursor", field).body
        let cursor = try #require(latest.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
        let stream = try Self.begin(server, "/v1/stream", field)
        _ = try stream.answer(upTo: "retry: 3000")
        let wait = try Self.begin(server, "/v1/changes?wait=30&cursor=\(cursor)", field)
        try Self.waitForReaders(2, of: server, field)
        #expect(try process.shell(end).exitCode == 0)
        let start = ContinuousClock.now
        #expect(try process.run("go", "--source", "button").exitCode == 0)
        let rest = try stream.answer()
        let answer = try ServedLedger.Answer(wait.answer())
        #expect(ContinuousClock.now - start < Self.patience)
        #expect(!rest.contains("button"), "\(rest)")
        #expect(answer.status == 401 && !answer.body.contains("trip"), "\(answer)")
        #expect(try server.get("/v1/status", field).status == 401)
        guard end.hasPrefix("mv") else { return }
        // What comes back is known again.
        let back = "rm -rf book/server && mv away book/server"
        #expect(try process.shell(back).exitCode == 0)
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
        let made = try server.process.run("token", "new", "eva", "--page", "--format", "json")
        let code = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let session = try server.post(
            Data(#"{"code":"\#(code)"}"#.utf8),
            as: "application/json",
            to: "/session",
            "Sec-Fetch-Site: same-origin"
        )
        let cookie = try #require(session.head.firstMatch(of: #/Set-Cookie: ([^;]+)/#)?.1)
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
        #expect(ContinuousClock.now - start < Self.patience)
    }
}
