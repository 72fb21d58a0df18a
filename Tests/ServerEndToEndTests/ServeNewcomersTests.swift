import Foundation
import TestSupport
import Testing

/// Connections on which no token is shown, and those who deliver beside them.
@Suite struct ServeNewcomersTests {
    /// Serves a ledger with so few files that 128 connections are all there may be, of which 64
    /// have shown no token.
    private static func served() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        return try ServedLedger(process, openFiles: 200)
    }

    /// What became of those who only connect, and of those who deliver.
    private struct Outcome {
        var deliveries: [Int]
        var oldest: String
        var latest: String
        var told: String
    }

    private static func outcome() throws -> Outcome {
        let server = try served()
        let token = try server.token("phone")
        let reading = try server.token("page", "--scope", "read")
        let stream = try server.connect()
        let lines = ["GET /v1/stream HTTP/1.1", "Host: localhost:\(server.port)"]
        let field = "Authorization: Bearer \(reading)"
        try stream.send((lines + [field, "", ""]).joined(separator: "\r\n"))
        _ = try stream.answer(upTo: "retry: 3000")
        let fix = Data(#"{"_type":"location","lat":51.9,"lon":4.3,"tst":1795159860}"#.utf8)
        // More than there are places, some with a head that goes on for ever.
        var silent: [ServedLedger.Connection] = []
        for number in 0..<160 {
            let connection = try server.connect()
            if number.isMultiple(of: 2) { try connection.send("GET / HTTP/1.1\r\nX-A: b") }
            silent.append(connection)
        }
        let deliveries = try (0..<5)
            .map { _ in try server.post(fix, to: "/in/\(token)/owntracks").status }
        let oldest = try silent[1].answer()
        try silent[159].send("GET / HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
        let latest = try silent[159].answer(upTo: "\r\n\r\n")
        #expect(try server.process.run("go", "--source", "button").exitCode == 0)
        return Outcome(
            deliveries: deliveries,
            oldest: oldest,
            latest: latest,
            told: try stream.answer(upTo: "button")
        )
    }

    @Test func `who only connects leaves places for those who deliver`() throws {
        // One that says nothing for 30 s is ended in any case.
        let outcome = try Scene.played(within: .seconds(28)) { try Self.outcome() }
        #expect(outcome.deliveries == Array(repeating: 200, count: 5))
        // The oldest are over, the latest are not, and nothing is taken from who has a token.
        #expect(outcome.oldest == "")
        #expect(outcome.latest.hasPrefix("HTTP/1.1 200 "))
        #expect(outcome.told.contains("button"))
    }
}
