import DriveSimulation
import Foundation
import TestSupport
import Testing

/// The messages of `ledger serve` to its followers, and its words about itself.
@Suite struct ServeStreamTests {
    /// Begins to follow, and returns the connection once the head of the answer is there.
    private static func follow(
        _ server: ServedLedger,
        _ fields: String...
    ) throws -> ServedLedger.Connection {
        let connection = try server.connect()
        let lines = ["GET /v1/stream HTTP/1.1", "Host: localhost"] + fields + ["", ""]
        try connection.send(lines.joined(separator: "\r\n"))
        let head = try connection.answer(upTo: "retry: 3000")
        #expect(head.hasPrefix("HTTP/1.1 200 OK"), "\(head)")
        #expect(head.contains("Content-Type: text/event-stream"))
        #expect(head.contains("Cache-Control: no-store"))
        #expect(head.contains("X-Accel-Buffering: no"))
        return connection
    }

    private static let go = Data(#"{"type":"go_pressed","source":"button"}"#.utf8)

    @Test func `what happens is told as it happens, and gone on with after an id`() throws {
        let server = try ServedLedger.onSocket()
        let connection = try Self.follow(server)
        #expect(try server.post(Self.go, as: "application/json").status == 200)
        let text = try connection.answer(upTo: #""operation":"put""#)
        #expect(text.contains("event: change\ndata: {\"cursor\":"), "\(text)")
        let id = try #require(text.firstMatch(of: #/id: ([0-9a-f]+-[0-9]+)\n/#)?.1)
        #expect(text.contains("event: status\ndata: {\"source\":\"button\""), "\(text)")
        #expect(text.contains(#""phase":"arming""#), "\(text)")
        #expect(
            try server.process.run("place", "save", "Home", "--lat", "51", "--lon", "4").exitCode
                == 0
        )
        let other = try Self.follow(server, "Last-Event-ID: \(id)")
        let later = try other.answer(upTo: #""key":"Home""#)
        #expect(!later.contains(#""kind":"trip""#), "what is known is not told again: \(later)")
        #expect(server.end(with: SIGTERM).exitCode == 0)
        _ = try connection.answer()
    }

    @Test func `who is too slow or too long away is told to read the changes`() throws {
        let server = try ServedLedger.onSocket()
        let latest = try server.get("/v1/changes/latest-cursor").body
        let id = try #require(latest.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
        try server.process.append(
            DriveLines.data(
                DriveLines.lines(DriveSimulator.drives(seed: 1, count: 70, fixesPerDrive: 20...30))
            )
        )
        for id in [String(id), "1-1"] {
            let text = try Self.follow(server, "Last-Event-ID: \(id)")
                .answer(upTo: "event: resync\ndata: {")
            #expect(!text.contains("event: change"), "\(text)")
        }
        let wrong = try server.get("/v1/stream", "Last-Event-ID: x")
        #expect(wrong.status == 400)
    }

    @Test func `news of trips and places are told to those who follow`() throws {
        let server = try ServedLedger.onSocket()
        let connection = try Self.follow(server)
        #expect(try server.process.run("go", "--source", "first").exitCode == 0)
        // The first look for news is what to begin with, and it may be that of the first trip. Who
        // is told of the status has been looked for already.
        _ = try connection.answer(upTo: #""source":"first""#)
        #expect(try server.post(Self.go, as: "application/json").status == 200)
        let text = try connection.answer(upTo: #"{"notification":"trip_started""#)
        #expect(text.contains("event: notification\ndata: "))
    }

    @Test func `who has made a geofence hears that it is entered and left`() throws {
        let server = try ServedLedger.onSocket()
        let fence =
            #"{"name":"Gym","latitude":51.9,"longitude":4.3,"radius":100,"is_active":true,"#
            + #""notify_on_entry":true,"notify_on_exit":true}"#
        let made = try server.post(
            Data(fence.utf8),
            as: "application/json",
            to: "/api/v1/geofences"
        )
        #expect(made.status == 201, "\(made)")
        let connection = try Self.follow(server)
        let now = Date()
        func fixes(_ seconds: [Double], at latitude: Double) -> Data {
            DriveLines.data(
                seconds.map { second in
                    let time = now.addingTimeInterval(second).ISO8601Format()
                    return #"{"type":"fix_recorded","source":"phone","occurred_at":"\#(time)","#
                        + #""lat":\#(latitude),"lon":4.3,"accuracy":5}"#
                }
            )
        }
        #expect(try server.post(fixes([-600, -540], at: 51.95)).status == 200)
        // The first look for news is what to begin with. Who is told of the status has been looked
        // for already.
        _ = try connection.answer(upTo: #""source":"phone""#)
        #expect(try server.post(fixes([-360, -300, -240], at: 51.9)).status == 200)
        let entered = try connection.answer(upTo: #"{"notification":"place_entered""#)
        #expect(entered.contains("event: notification\ndata: "))
        #expect(try server.post(fixes([-60, -30], at: 51.95)).status == 200)
        _ = try connection.answer(upTo: #"{"notification":"place_left""#)
    }

    @Test func `512 may follow at a time, 64 with one token, beside others`() throws {
        let server = try ServedLedger.onSocket()
        let fields = try (1...8)
            .map { number in
                "Authorization: Bearer \(try server.token("wall \(number)", "--scope", "read"))"
            }
        var connections = try (0..<64).map { _ in try Self.follow(server, fields[0]) }
        #expect(try server.get("/v1/stream", fields[0]).status == 503)
        connections.append(try Self.follow(server))
        for field in fields.dropFirst() {
            let count = min(64, 512 - connections.count)
            connections += try (0..<count).map { _ in try Self.follow(server, field) }
        }
        #expect(try server.get("/v1/stream").status == 503)
        #expect(try server.get("/metrics").body.contains("\nledger_subscribers 512\n"))
        connections.removeLast()
        var status = 503
        while status == 503 {
            let connection = try server.connect()
            try connection.send("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let head = try connection.answer(upTo: "\r\n\r\n")
            status = Int(head.dropFirst(9).prefix(3)) ?? 0
        }
        #expect(status == 200)
        #expect(server.end(with: SIGTERM).exitCode == 0)
    }

    @Test func `a token for the present alone learns of no trips that are over`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(process)
        let field = "Authorization: Bearer \(try server.token("page", "--scope", "live"))"
        let connection = try server.connect()
        try connection.send(
            "GET /v1/stream HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(field)\r\n\r\n"
        )
        #expect(try process.run("go", "--source", "button").exitCode == 0)
        let text = try connection.answer(upTo: #""phase":"arming""#)
        #expect(!text.contains("event: change"))
        #expect(try server.get("/v1/changes", field).status == 403)
    }

    @Test func `a token for the present sees where a source is while it is on a trip`() throws {
        let server = try ServedLedger.onSocket()
        let live = "Authorization: Bearer \(try server.token("page", "--scope", "live"))"
        let read = "Authorization: Bearer \(try server.token("reader", "--scope", "read"))"
        func drive(_ seconds: Range<Int>) throws {
            let now = Date()
            let lines = seconds.map { second in
                let time = now.addingTimeInterval(Double(second)).ISO8601Format()
                return #"{"type":"fix_recorded","source":"phone","occurred_at":"\#(time)","#
                    + #""lat":51.\#(9_000 + second),"lon":4.3,"accuracy":5}"#
            }
            #expect(try server.post(DriveLines.data(lines)).status == 200)
        }
        func stop() throws {
            let press = Data(#"{"source":"phone"}"#.utf8)
            let answer = try server.post(press, as: "application/json", to: "/v1/stop")
            #expect(answer.status == 200)
        }
        let started = Date().addingTimeInterval(-120).ISO8601Format()
        let go = #"{"type":"go_pressed","source":"phone","occurred_at":"\#(started)"}"#
        #expect(try server.post(Data(go.utf8)).status == 200)
        try drive(-110 ..< -10)
        for field in [live, read] {
            let status = try server.get("/v1/status", field).body
            #expect(status.contains(#""last_position":{"lat":51.8989"#), "\(status)")
        }
        func follow(_ field: String) throws -> ServedLedger.Connection {
            let connection = try server.connect()
            try connection.send("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
            return connection
        }
        let follower = try follow(live)
        _ = try follower.answer(upTo: #""last_position":{"lat":51.8989"#)
        try stop()
        #expect(try server.get("/v1/status", read).body.contains("last_position_at"))
        #expect(try server.get("/v1/status", live).body.contains(#""sources":[]"#))
        func told(_ connection: ServedLedger.Connection, _ phase: String) throws -> String {
            try connection.answer(upTo: #""phase":"\#(phase)""#)
                + connection.answer(upTo: "\n\n")
        }
        #expect(try told(follow(read), "details").contains("last_position"))
        // A follower who saw the trip is told that it goes on no more, and nothing of its figures.
        let end = try told(follower, "idle").components(separatedBy: "event: status").last ?? ""
        #expect(!end.contains("last_position") && !end.contains("ended_trip"), "\(end)")
    }

    @Test func `every path of the description is answered, and every answer is counted`() throws {
        let server = try ServedLedger.onSocket()
        let signed = try server.process.shell(
            "ledger key new --name ledger.example/book && ledger head --sign"
        )
        #expect(signed.exitCode == 0, "\(signed.errors)")
        let text = try server.get("/openapi.json").body
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: Any]])
        for path in [
            "/health", "/v1/events", "/v1/go", "/v1/stop", "/v1/status", "/v1/trips",
            "/v1/trips/{trip}/track", "/v1/changes", "/v1/stream", "/v1/log", "/metrics",
            "/openapi.json", "/log/checkpoint", "/log/tile/{path}",
        ] {
            #expect(paths[path] != nil, "\(path)")
        }
        for (path, methods) in paths {
            let post = methods["post"] as? [String: Any]
            // A press has no body, as its token stands in its path, and a backup needs none.
            let isPress = path.hasPrefix("/press/")
            let hasNone = isPress || path == "/v1/backups"
            #expect(hasNone || (post == nil) == (post?["requestBody"] == nil), "\(path)")
            let asked = path.replacingOccurrences(of: "{path}", with: "9/000")
                .replacing(#/{[a-z]+}/#, with: "ffffffff")
            for method in methods.keys {
                let word = method == "get" ? "HEAD" : method.uppercased()
                let answer = try server.get(asked, method: word)
                #expect(answer.status != 405, "\(path)")
                // A body is looked at before what it is about, and a list may be empty.
                guard ["get", "delete"].contains(method), !path.hasSuffix("/properties") else {
                    continue
                }
                let isMissing = isPress ? answer.status == 401 : answer.status == 404
                #expect(isMissing == path.contains("{"), "\(path): \(answer)")
            }
            let other = try server.get(asked, method: "PATCH")
            #expect(other.status == 405, "\(path)")
        }
        for (path, field) in [
            ("/v1/sync", "X-Ledger"), ("/v1/events", "Idempotency-Key"),
            ("/v1/stream", "Last-Event-ID"),
        ] {
            let operation = try #require(paths[path]?.values.first as? [String: Any])
            let parameters = try #require(operation["parameters"] as? [[String: Any]])
            #expect(parameters.contains { $0["name"] as? String == field }, "\(path)")
        }
        let metrics = try server.get("/metrics").body
        #expect(metrics.contains(#"ledger_requests_total{route="/health",status="200"} 1"#))
        #expect(
            metrics.contains(#"ledger_requests_total{route="/v1/trips/{trip}",status="404"} 1"#)
        )
    }

    @Test func `the description ends with the paths of apps that know another server`() throws {
        let server = try ServedLedger.onSocket()
        let text = try server.get("/openapi.json").body
        let paths = text.matches(of: #/"(/[^"]*)":{"(?:get|post|put|delete)":/#)
            .map { String($0.1) }
        let isOthers = { (path: String) in
            path.hasPrefix("/api/v1/") || path.hasPrefix("/webhook/")
        }
        #expect(paths.first == "/v1/events" && paths.last == "/openapi.json")
        let others = paths.dropLast().drop { !isOthers($0) }
        #expect(others.count > 10 && others.allSatisfy(isOthers), "\(others)")
    }

    @Test func `buttons press, and what they may not say is refused`() throws {
        let server = try ServedLedger.onSocket()
        let went = try server.post(Data(), as: "application/json", to: "/v1/go")
        #expect(went.status == 200, "\(went)")
        #expect(went.body.contains(#""receipt":"appended""#))
        let stop = Data(#"{"source":"button","vehicle":"Van"}"#.utf8)
        #expect(try server.post(stop, as: "", to: "/v1/stop").status == 200)
        let log = try server.process.run("log", "--format", "json").text
        #expect(log.contains(#""type":"go_pressed""#) && log.contains(#""type":"stop_pressed""#))
        for body in [#"{"type":"place_saved"}"#, "x", "[]", #"{"lat":1}"#] {
            let answer = try server.post(Data(body.utf8), as: "application/json", to: "/v1/go")
            #expect(answer.status == 400, "\(body): \(answer)")
        }
        let metrics = try server.get("/metrics").body
        #expect(metrics.contains("\nledger_events_appended_total 2\n"), "\(metrics)")
        #expect(metrics.contains("\nledger_commit_seconds_count 2\n"))
    }

    @Test func `the log is answered as the command prints it, page by page`() throws {
        let server = try ServedLedger.onSocket()
        try server.process.append(DriveLines.data(DriveLines.mixed(seed: 2)))
        let all = try server.process.run("log", "--format", "json").lines
        let head = try server.process.run("head", "--format", "json").text
        var lines: [String] = []
        var next = 0
        while true {
            let answer = try server.get("/v1/log?from=\(next)&limit=700")
            #expect(answer.head.contains("Content-Type: application/x-ndjson"))
            lines += answer.lines.dropLast()
            let end = try #require(answer.lines.last)
            let root = try #require(end.firstMatch(of: #/"root":"([0-9a-f]{64})"/#)?.1)
            #expect(head.contains(root))
            next = try #require(end.firstMatch(of: #/"next":(\d+)/#).flatMap { Int($0.1) })
            guard end.contains(#""has_more":true"#) else { break }
        }
        #expect(lines == all)
        #expect(next == all.count)
        let beyond = try server.get("/v1/log?from=\(next + 5)").lines
        #expect(beyond.count == 1)
    }
}
