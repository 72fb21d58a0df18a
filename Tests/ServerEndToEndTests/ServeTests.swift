import Foundation
import TestSupport
import Testing

/// The answers of `ledger serve`, and how it begins and ends.
@Suite struct ServeTests {
    @Test func `it says that it is well, and ends well by a signal`() throws {
        let server = try ServedLedger()
        #expect(try server.ask("GET /health HTTP/1.1").hasSuffix("\r\n\r\n{\"status\":\"ok\"}"))
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0, "\(end.errors)")
        #expect(end.errors == "")
    }

    @Test func `a request that has begun is answered although it is to end`() throws {
        let body = #"{"type":"go_pressed","source":"phone"}"#
        // A body of which nothing comes for 15 s is given up.
        let (server, answer) = try Scene.played(within: .seconds(14)) {
            let server = try ServedLedger.onSocket()
            let connection = try server.connect()
            try connection.send(
                "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
            )
            // The server has read the head when it asks for the body.
            _ = try connection.answer(upTo: "\r\n\r\n")
            kill(server.processIdentifier, SIGTERM)
            // It has got the signal when it takes no more connections.
            while (try? server.connect()) != nil {}
            try connection.send(body)
            return (server, try connection.answer())
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains(#""receipt":"appended","position":2"#))
        #expect(server.end(with: nil).exitCode == 0)
        #expect(try server.process.run("log", "--format", "json").lines.count == 3)
    }

    @Test(arguments: [
        ("Host: evil.example", true), ("Host: 127.0.0.1:PORT.evil.example", true),
        ("Host: 127.0.0.1:1", true), ("Host: 127.0.0.1", true), ("Host: localhost:1", true),
        ("Host:", true), ("X: y", true), ("Host: localhost:PORT\r\nHost: localhost:PORT", true),
        ("Host: localhost:PORT", false), ("Host: LOCALHOST:PORT", false),
        ("Host: [::1]:PORT", false), ("Host: ledger.example.org", false),
        ("Host: ledger.example.org:443", false), ("Host: other.example.org:8443", false),
        ("Host: other.example.org", true),
    ])
    func `only its own names are answered`(field: String, isRefused: Bool) throws {
        let server = try ServedLedger(
            "--host-name",
            "ledger.example.org",
            "--host-name",
            "other.example.org:8443"
        )
        let field = field.replacingOccurrences(of: "PORT", with: "\(server.port)")
        let answer = try server.ask("GET /health HTTP/1.1", field)
        #expect(
            answer.hasPrefix(
                isRefused ? "HTTP/1.1 421 Misdirected Request\r\n" : "HTTP/1.1 200 OK"
            ),
            "\(answer)"
        )
        #expect(answer.contains("\"type\":\"urn:ledger:unknown-host\"") == isRefused)
    }

    @Test func `a target that names another host is refused whatever the field Host says`() throws {
        let server = try ServedLedger()
        let own = "localhost:\(server.port)"
        let others = [
            "http://evil.example", "http://localhost:1", "HTTP://evil.example",
            "http://evil.example@\(own)",
        ]
        for prefix in others {
            let answer = try server.ask("GET \(prefix)/health HTTP/1.1", "Host: \(own)")
            #expect(answer.hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"), "\(answer)")
        }
        let answer = try server.ask("GET http://\(own)/health HTTP/1.1", "Host: \(own)")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
    }

    @Test func `what is not there, and other methods, are refused with a problem`() throws {
        let server = try ServedLedger()
        let missing = try server.ask("GET /secret/tl1_in_x HTTP/1.1")
        #expect(missing.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(missing.contains("Content-Type: application/problem+json\r\n"))
        let deleted = try server.ask("DELETE /health HTTP/1.1")
        #expect(deleted.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(deleted.contains("Allow: GET, HEAD\r\n"))
        #expect(try server.ask("HEAD /health HTTP/1.1").hasSuffix("\r\n\r\n"))
        let end = server.end(with: SIGINT)
        #expect(end.exitCode == 0)
        #expect(end.errors == "", "no path is logged")
    }

    @Test(arguments: [
        "A: \(String(repeating: "x", count: 9_000))",
        (0..<70).map { "A\($0): x" }.joined(separator: "\r\n"),
        (0..<5).map { "A\($0): \(String(repeating: "x", count: 4_000))" }.joined(separator: "\r\n"),
    ])
    func `heads that are too large are refused`(fields: String) throws {
        let server = try ServedLedger()
        let answer = try server.ask(
            "GET /health HTTP/1.1",
            "Host: localhost:\(server.port)",
            fields
        )
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
        #expect(try server.ask("GET /health HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
    }

    @Test func `a body that is answered before its end is not read to its end`() throws {
        let server = try ServedLedger()
        let connection = try server.connect()
        try connection.send(
            "POST /health HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
                + "Content-Length: 100000000\r\n\r\n"
        )
        var sent = 0
        let piece = String(repeating: "x", count: 1 << 16)
        while sent < 100_000_000, (try? connection.send(piece)) != nil { sent += piece.utf8.count }
        // The buffers of the two systems hold a few megabytes.
        #expect(sent < 50_000_000)
        #expect(try server.ask("GET /health HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
    }

    @Test func `a body that does not go on after its answer ends the connection`() throws {
        let server = try ServedLedger()
        let connection = try server.connect()
        try connection.send(
            "POST /health HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
                + "Content-Length: 1000\r\n\r\nx"
        )
        #expect(try connection.answer().hasPrefix("HTTP/1.1 405 "))
    }

    @Test func `a client that waits with its body is told to send it, and one answer follows`()
        throws
    {
        let server = try ServedLedger.onSocket()
        let body = #"{"type":"go_pressed","source":"phone"}"#
        func post(_ path: String, _ length: Int, _ version: String = "1.1") -> String {
            "POST \(path) HTTP/\(version)\r\nHost: localhost\r\nExpect: 100-Continue\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(length)\r\n"
        }
        let waiting = try server.connect()
        try waiting.send(post("/v1/events", body.utf8.count) + "Connection: close\r\n\r\n")
        #expect(try waiting.answer(upTo: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try waiting.send(body)
        let answer = try waiting.answer()
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        #expect(answer.contains(#""receipt":"appended""#), "\(answer)")
        // In the middle of nothing: the answer before it is complete.
        let second = try server.connect()
        try second.send(
            "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + post("/v1/events", body.utf8.count)
                + "Connection: close\r\n\r\n"
        )
        let first = try second.answer(upTo: "{\"status\":\"ok\"}")
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(first)")
        #expect(try second.answer(upTo: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try second.send(body)
        #expect(try second.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
        // One that is too large, none, and one of a protocol that knows no such thing.
        for (head, status) in [
            (post("/v1/events", 100_000_000), "HTTP/1.1 413"), (post("/health", 0), "HTTP/1.1 405"),
            (post("/health", 1, "1.0"), "HTTP/1."),
        ] {
            let refused = try server.connect()
            try refused.send(head + "Connection: close\r\n\r\n")
            let answer = try refused.answer()
            #expect(answer.hasPrefix(status) && !answer.contains("100 Continue"), "\(answer)")
        }
        #expect(try server.process.run("log", "--format", "json").lines.count == 4)
    }

    @Test func `two requests at once are answered one after the other`() throws {
        let server = try ServedLedger()
        let connection = try server.connect()
        let head = "GET /health HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
        try connection.send("\(head)\r\n\(head)\r\n\(head)Connection: close\r\n\r\n")
        #expect(try connection.answer().components(separatedBy: "HTTP/1.1 200 OK").count == 4)
    }

    @Test func `a port that is taken, and a ledger that is not there, are said`() throws {
        let server = try ServedLedger()
        let second = try server.process.run("serve", "--port", "\(server.port)")
        #expect(second.exitCode == 74)
        #expect(second.errors.contains("--port"), "\(second.errors)")
        let missing = try LedgerProcess().run("serve", "--port", "0")
        #expect(missing.exitCode == 65)
        #expect(missing.errors.contains("there is no ledger here"), "\(missing.errors)")
    }
}
