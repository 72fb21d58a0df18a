import Foundation
import LedgerTestSupport
import Testing

/// What the holder of one token does, and those of others who go on beside it.
@Suite struct ServeNeighboursTests {
    private static let fix =
        #"{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"tst":1795159860,"topic":"o/e/p"}"#

    private static func deliver(_ server: ServedLedger, _ token: String) throws -> Int {
        try server.post(Data(fix.utf8), to: "/in/\(token)/owntracks").status
    }

    @Test func `bodies that are held back with some tokens leave room for those of others`() throws
    {
        let server = try ServedLedger()
        let phone = try server.token("phone")
        let byteCount = 16 << 20
        var connections: [ServedLedger.Connection] = []
        for name in ["first", "second"] {
            let token = try server.token(name)
            let connection = try server.connect()
            try connection.send(
                "POST /in/\(token)/owntracks HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
                    + "Content-Length: \(byteCount)\r\n\r\n"
            )
            try connection.send(Data(count: byteCount - 1))
            connections.append(connection)
        }
        // Meanwhile all of both is read.
        for _ in 0..<100 { #expect(try Self.deliver(server, phone) == 200) }
        // What was held back is answered as ever.
        try connections[0].send("x")
        #expect(try connections[0].answer(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `who waits for changes with one token leaves places for those of others`() throws {
        let server = try ServedLedger()
        let field = "Authorization: Bearer \(try server.token("wall", "--scope", "read"))"
        let other = "Authorization: Bearer \(try server.token("page", "--scope", "read"))"
        let latest = try server.get("/v1/changes/latest-cursor", field).body
        let cursor = try #require(latest.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
        let path = "/v1/changes?wait=30&cursor=\(cursor)"
        let waiting = try (0..<64)
            .map { _ in
                let connection = try server.connect()
                let lines = ["GET \(path) HTTP/1.1", "Host: localhost:\(server.port)", field]
                try connection.send((lines + ["", ""]).joined(separator: "\r\n"))
                return connection
            }
        while try !server.get("/metrics", other).body.contains("ledger_subscribers 64\n") {}
        #expect(try server.get(path, field).status == 503)
        let now = "/v1/changes?cursor=\(cursor)"
        #expect(try server.get(now, field).status == 200)
        #expect(try server.get(now + "&wait=1", other).status == 200)
        #expect(waiting.count == 64)
    }
}
