import Foundation
import Testing

/// An app that is a feed client, and the server that it talks to.
package struct FeedClientApp {
    package let server: ServedLedger
    package let token: String

    package init(_ server: ServedLedger) throws {
        self.server = server
        token = try server.token("Eva", "--scope", "read", "--scope", "edit", "--scope", "admin")
    }

    package init() throws { try self.init(ServedLedger()) }

    package func ask(
        _ method: String,
        _ path: String,
        _ body: Any? = nil,
        key: String? = nil
    ) throws -> ServedLedger.Answer {
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let head = [
            "\(method) /api/v1/\(path) HTTP/1.1", "Host: localhost:\(server.port)",
            "Authorization: Bearer \(token)", "Content-Type: application/json",
            "Content-Length: \(data.count)", "Connection: close",
        ]
        let connection = try server.connect()
        let fields = key.map { ["Idempotency-Key: \($0)"] } ?? []
        let lines = head + fields + ["", ""]
        try connection.send(Data(lines.joined(separator: "\r\n").utf8) + data)
        let answer = try ServedLedger.Answer(connection.answer())
        DescribedAnswers.check(answer, to: method, "/api/v1/\(path)")
        return answer
    }

    package func object(
        _ method: String,
        _ path: String,
        _ body: Any? = nil,
        status: Int = 200
    ) throws -> [String: Any] {
        let answer = try ask(method, path, body)
        #expect(answer.status == status, "\(method) \(path): \(answer)")
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return try #require(value as? [String: Any], "\(answer)")
    }

    package func list(_ path: String) throws -> [[String: Any]] {
        let answer = try ask("GET", path)
        #expect(answer.status == 200, "\(path): \(answer)")
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return try #require(value as? [[String: Any]], "\(answer)")
    }

    /// Reads all changes after a number, and returns the last number too.
    package func changes(since: Int = 0) throws -> (items: [[String: Any]], cursor: Int) {
        var (items, cursor): ([[String: Any]], Int) = ([], since)
        while true {
            let page = try object("GET", "changes?since=\(cursor)&limit=3")
            items += try #require(page["changes"] as? [[String: Any]])
            cursor = try #require(page["next_cursor"] as? Int)
            if page["has_more"] as? Bool == false { return (items, cursor) }
        }
    }

    package func types() throws -> [String] {
        try server.process.run("log", "--format", "json").lines
            .compactMap { $0.firstMatch(of: #/"type":"([a-z_]+)"/#).map { String($0.1) } }
            .filter { !["ledger_created", "source_registered"].contains($0) }
    }
}
