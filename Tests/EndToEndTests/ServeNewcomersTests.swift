import Foundation
import LedgerTestSupport
import Testing

/// Connections on which nobody shows a token, and those who deliver beside them.
@Suite struct ServeNewcomersTests {
    /// Serves a ledger with so few files that 128 connections are all there may be, of which 64
    /// have shown no token.
    private static func served() throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        return try ServedLedger(process, openFiles: 200)
    }

    @Test func `who only connects leaves places for those who deliver`() throws {
        let server = try Self.served()
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
        for _ in 0..<5 {
            #expect(try server.post(fix, to: "/in/\(token)/owntracks").status == 200)
        }
        // The oldest are over, the latest are not, and nothing is taken from who has a token.
        #expect(try silent[1].answer() == "")
        try silent[159].send("GET / HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
        #expect(try silent[159].answer(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        #expect(try server.process.run("go", "--source", "button").exitCode == 0)
        #expect(try stream.answer(upTo: "button").contains("button"))
    }
}
