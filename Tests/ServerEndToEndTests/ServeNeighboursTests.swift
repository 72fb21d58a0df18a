import Foundation
import TestSupport
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
        // Not quite the most: a delivery that was just answered may still have its room.
        let byteCount = (16 << 20) - (64 << 10)
        let deliveries = 100
        // A body that takes a minute is given up.
        let (statuses, answer) = try Scene.played(within: .seconds(50)) {
            let server = try ServedLedger()
            let phone = try server.token("phone")
            var connections: [ServedLedger.Connection] = []
            for name in ["first", "second"] {
                let token = try server.token(name)
                let connection = try server.connect()
                try connection.send(
                    "POST /in/\(token)/owntracks HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
                        + "Content-Length: \(byteCount)\r\n\r\n"
                )
                try connection.send(Data(count: byteCount - deliveries - 1))
                connections.append(connection)
            }
            // Meanwhile all of both is read, but for what comes byte by byte: one of which nothing
            // comes is given up, too.
            let statuses = try (0..<deliveries)
                .map { _ in
                    for connection in connections { try connection.send(" ") }
                    return try Self.deliver(server, phone)
                }
            // What was held back is answered as ever.
            try connections[0].send("x")
            return (statuses, try connections[0].answer(upTo: "\r\n\r\n"))
        }
        #expect(statuses == Array(repeating: 200, count: deliveries))
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `who waits for changes with one token leaves places for those of others`() throws {
        let server = try ServedLedger()
        let field = "Authorization: Bearer \(try server.token("wall", "--scope", "read"))"
        let other = "Authorization: Bearer \(try server.token("page", "--scope", "read"))"
        let latest = try server.get("/v1/changes/latest-cursor", field).body
        let cursor = try #require(latest.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
        let path = "/v1/changes?wait=30&cursor=\(cursor)"
        let now = "/v1/changes?cursor=\(cursor)"
        // Before the first of them has waited to its end.
        let statuses = try Scene.played(within: .seconds(27)) {
            let waiting = try (0..<64)
                .map { _ in
                    let connection = try server.connect()
                    let lines = ["GET \(path) HTTP/1.1", "Host: localhost:\(server.port)", field]
                    try connection.send((lines + ["", ""]).joined(separator: "\r\n"))
                    return connection
                }
            return try withExtendedLifetime(waiting) {
                try server.waitForFollowers(64, until: .now + .seconds(27), other)
                return try [
                    server.get(path, field), server.get(now, field),
                    server.get(now + "&wait=1", other),
                ]
                .map(\.status)
            }
        }
        #expect(statuses == [503, 200, 200])
    }
}
