import Foundation
import TestSupport
import Testing

/// How often a token may ask `ledger serve`.
@Suite struct ServeQuotaTests {
    private static func field(_ name: String, of answer: ServedLedger.Answer) -> String? {
        for line in answer.head.components(separatedBy: "\r\n") {
            let parts = line.components(separatedBy: ": ")
            if parts[0] == name { return parts.dropFirst().joined(separator: ": ") }
        }
        return nil
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// What a server answers to one who asks often.
    private struct Answers {
        var taken: [Int]
        var refused: [ServedLedger.Answer]
        var others: [Int]
        var writes: [ServedLedger.Answer]
        var metrics: String
    }

    private static func answers() throws -> Answers {
        let server = try ServedLedger("--reads-per-minute", "3", "--writes-per-minute", "2")
        let token = try server.token("page", "--scope", "read", "--scope", "edit")
        let other = "Authorization: Bearer " + (try server.token("wall", "--scope", "read"))
        let field = "Authorization: Bearer \(token)"
        let saving = Data(#"{"type":"routine_saved","routine":"commute"}"#.utf8)
        return Answers(
            taken: try ["places", "vehicles", "places"]
                .map { try server.get("/v1/" + $0, field).status },
            refused: try (0..<3).map { _ in try server.get("/v1/places", field) },
            others: try [server.get("/v1/places", other), server.get("/health", field)]
                .map(\.status),
            writes: try (0..<3)
                .map { _ in
                    try server.post(saving, as: "application/json", to: "/v1/decisions", field)
                },
            metrics: try server.get("/metrics", other).body
        )
    }

    @Test func `who reads too often is told when to come back, and may write all the same`() throws
    {
        // Within the minute in which requests are counted.
        let answers = try Scene.played(within: .seconds(50)) { try Self.answers() }
        #expect(answers.taken == [200, 200, 200])
        for answer in answers.refused {
            #expect(answer.status == 429, "\(answer)")
            #expect(Self.field("RateLimit-Policy", of: answer) == #""reads";q=3;w=60"#)
            let wait = try #require(Self.field("Retry-After", of: answer).flatMap { Int($0) })
            #expect((1...60).contains(wait))
            #expect(Self.field("RateLimit", of: answer) == #""reads";r=0;t=\#(wait)"#)
            let problem = try Self.object(answer.body)
            #expect(problem["retry_after"] as? Int == wait)
            if JSONSchemaValidator.isPresent {
                #expect(
                    try JSONSchemaValidator.complaints(about: [answer.body], schema: "problem")
                        == [""]
                )
            }
        }
        #expect(answers.others == [200, 200])
        #expect(answers.writes.map(\.status) == [200, 200, 429], "\(answers.writes)")
        #expect(Self.field("RateLimit-Policy", of: answers.writes[2]) == #""writes";q=2;w=60"#)
        let metrics = answers.metrics
        #expect(metrics.contains(#"{route="/v1/places",status="429"} 3"#), "\(metrics)")
    }

    @Test
    func
        `who verifies the log takes nothing from other reads, and not more than ten times as many`()
        throws
    {
        // Within the minute in which requests are counted.
        let (server, tiles, reads) = try Scene.played(within: .seconds(50)) {
            let server = try ServedLedger("--reads-per-minute", "2")
            let field = "Authorization: Bearer " + (try server.token("page", "--scope", "admin"))
            let tiles = try (0..<21).map { _ in try server.get("/log/tile/0/000", field) }
            let reads = try ["/log/checkpoint", "/v1/places", "/v1/places"]
                .map { try server.get($0, field).status }
            return (server, tiles, reads)
        }
        // No head was signed, so there is no tile; they are counted all the same.
        #expect(tiles.map(\.status) == Array(repeating: 404, count: 20) + [429])
        #expect(Self.field("RateLimit-Policy", of: tiles[20]) == #""tiles";q=20;w=60"#)
        #expect(reads == [404, 200, 429])
        // A token without a right to them is told nothing, and uses up nothing.
        let other = "Authorization: Bearer " + (try server.token("wall", "--scope", "read"))
        for _ in 0..<30 { #expect(try server.get("/log/tile/0/000", other).status == 404) }
    }

    @Test func `phones, auditors, other ledgers and the owner have no quota`() throws {
        let server = try ServedLedger("--reads-per-minute", "1", "--writes-per-minute", "1")
        let phone = try server.token("phone")
        let whole = try server.token("auditor", "--scope", "audit", "--scope", "sync")
        let query = "lat=51.9&lon=4.3&accuracy=5&timestamp=17000000"
        for index in 0..<4 {
            let door = try server.get("/in/\(phone)/osmand?\(query)0\(index)")
            #expect(door.status == 200, "\(door)")
            for path in ["/v1/log", "/log/tile/0/000", "/v1/trips/ffffffff/proof"] {
                let answer = try server.get(path, "Authorization: Bearer \(whole)")
                #expect(answer.status == (path == "/v1/log" ? 200 : 404), "\(answer)")
            }
            let greeting = try server.get(
                "/v1/sync",
                "Authorization: Bearer \(whole)",
                "X-Ledger: 0123456789abcdef0123456789abcdef"
            )
            #expect(greeting.status != 429, "\(greeting)")
        }
        // The same path has a quota for those who only read.
        var pages = 0
        let statuses = try Scene.played(within: .seconds(50)) {
            pages += 1
            let token = try server.token("page \(pages)", "--scope", "read")
            return try (0..<2)
                .map { _ in
                    try server.get("/v1/trips/ffffffff/proof", "Authorization: Bearer \(token)")
                        .status
                }
        }
        #expect(statuses == [404, 429])
        let process = try LedgerProcess()
        try process.begin()
        let socket = try ServedLedger(onSocketOf: process, ["--reads-per-minute", "1"])
        for _ in 0..<3 { #expect(try socket.get("/v1/places").status == 200) }
        let open = try ServedLedger("--reads-per-minute", "0")
        let field = "Authorization: Bearer " + (try open.token("page", "--scope", "read"))
        for _ in 0..<3 { #expect(try open.get("/v1/places", field).status == 200) }
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `the answer is the one of the samples`() throws {
        let answer = try Scene.played(within: .seconds(50)) {
            let server = try ServedLedger("--reads-per-minute", "2")
            let field = "Authorization: Bearer " + (try server.token("page", "--scope", "read"))
            for _ in 0..<2 { _ = try server.get("/v1/places", field) }
            return try server.get("/v1/places", field)
        }
        let path = "server/samples/feed-client/13-too-often.response.http"
        let text = String(decoding: try SharedData.data(path), as: UTF8.self)
        let sample = try ServedLedger.Answer(text)
        #expect(answer.status == sample.status)
        for name in ["Content-Type", "Retry-After", "RateLimit-Policy", "RateLimit"] {
            let digits = #/(^|=)\d+/#
            let ours = try #require(Self.field(name, of: answer), "\(name)")
            let theirs = try #require(Self.field(name, of: sample), "\(name)")
            #expect(ours.replacing(digits, with: "N") == theirs.replacing(digits, with: "N"))
        }
        let (ours, theirs) = (try Self.object(answer.body), try Self.object(sample.body))
        #expect(Set(ours.keys) == Set(theirs.keys))
        for name in ["type", "title", "status", "error"] {
            #expect(ours[name] as? NSObject == theirs[name] as? NSObject, "\(name)")
        }
        let detail = try #require(theirs["detail"] as? String)
        #expect(ours["detail"] as? String == detail.replacingOccurrences(of: "600", with: "2"))
    }
}
