import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// The requests and answers of `POST /v1/events`.
@Suite struct ServeEventsTests {
    private static let fix = #""type":"fix_recorded","lat":51.9,"lon":4.3,"accuracy":5"#
    private static let time = #""occurred_at":"2026-11-20T08:30:00+01:00""#

    private static func data(_ text: String) -> Data { Data(text.utf8) }

    @Test func `lines are answered one by one, with what they come to`() throws {
        let server = try ServedLedger.onSocket()
        let line = #"{"source":"phone",\#(Self.fix),\#(Self.time)}"#
        let answer = try server.post(
            Self.data("\(line)\n\n{\"type\":\"fix_recorded\"}\nnonsense\n\(line)")
        )
        #expect(answer.status == 200)
        #expect(answer.head.contains("Content-Type: application/x-ndjson"))
        #expect(answer.head.contains("Ledger-Position: 3"))
        #expect(answer.lines.count == 5)
        #expect(answer.lines[0] == #"{"line":1,"receipt":"appended","position":2}"#)
        #expect(
            answer.lines[1].hasPrefix(#"{"line":3,"receipt":"rejected","code":"missing_field""#)
        )
        #expect(answer.lines[2].hasPrefix(#"{"line":4,"receipt":"rejected","code":"invalid_json""#))
        #expect(answer.lines[3] == #"{"line":5,"receipt":"duplicate","of":2}"#)
        let summary = try JSONDecoder()
            .decode(LedgerProcess.Summary.self, from: Self.data(answer.lines[4]))
        #expect(summary.read == 5 && summary.appended == 1 && summary.duplicate == 1)
        #expect(summary.size == 3)
        let head = try server.process.run("head", "--format", "json").lines.joined()
        #expect(head.contains(summary.root))
    }

    @Test(arguments: ["timestamp", "time", "ocurred_at"])
    func `a time under another name is not replaced by that of its arrival`(name: String) throws {
        let server = try ServedLedger.onSocket()
        let line = #"{"source":"phone",\#(Self.fix),"\#(name)":"2025-07-01T08:00:00+02:00"}"#
        for fields in [[], ["Idempotency-Key: k"]] {
            let answer = try server.connect().post(Self.data(line), 0, fields)
            #expect(answer.lines[0].contains(#""code":"missing_field""#), "\(answer)")
            #expect(answer.lines[0].contains(name), "\(answer)")
        }
        // An event that says nothing of its time happens as it arrives.
        let now = try server.post(Self.data(#"{"source":"phone",\#(Self.fix)}"#))
        #expect(now.lines[0].contains(#""receipt":"appended""#), "\(now)")
    }

    @Test(arguments: [
        ("application/json", #"{"source":"phone",FIX,TIME}"#, 1),
        ("application/json; charset=utf-8", "{\n  \"source\": \"phone\",\n  FIX,\n  TIME\n}\n", 1),
        (
            "application/json",
            #"{"events":[{"source":"phone",FIX,TIME},{"source":"a",FIX,TIME}]}"#, 2
        ),
        ("application/json", #"[{"source":"phone",FIX,TIME}]"#, 1),
        (
            "application/cloudevents-batch+json",
            #"[{"specversion":"1.0","id":"1","source":"urn:ledger:source:phone","#
                + #""type":"fix_recorded","time":"2026-11-20T07:30:00Z","#
                + #""data":{"lat":51.9,"lon":4.3,"accuracy":5}}]"#, 1
        ),
        ("application/x-ndjson", #"{FIX}"#, 1),
        ("application/x-ndjson", #"{"source":"phone",FIX,TIME,"id":"own"}"#, 1),
    ])
    func `each form of body is stored`(mediaType: String, body: String, count: Int) throws {
        let server = try ServedLedger.onSocket()
        let body = body.replacingOccurrences(of: "FIX", with: Self.fix)
            .replacingOccurrences(of: "TIME", with: Self.time)
        for outcome in ["appended", "duplicate"] {
            let answer = try server.post(Self.data(body), as: mediaType, "Idempotency-Key: \"k 1\"")
            #expect(answer.status == 200, "\(answer)")
            #expect(
                answer.body.components(separatedBy: #""receipt":"\#(outcome)""#).count == count + 1
            )
            #expect(
                answer.head.contains("X-Idempotency-Replayed: true") == (outcome == "duplicate")
            )
        }
        let stored = try server.process.run("log", "--format", "json").lines
            .filter { $0.contains("fix_recorded") }
        #expect(stored.count == count)
        #expect(try server.process.run("verify").exitCode == 0)
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `answers have the forms of their schemas`() throws {
        let server = try ServedLedger.onSocket()
        let body = Self.data(#"{"events":[{\#(Self.fix)},{"type":"go_pressed"},{"type":"x"},7]}"#)
        let answer = try server.post(body, as: "application/json", "Idempotency-Key: a")
        #expect(
            try JSONSchemaValidator.complaints(about: [answer.body], schema: "events-answer") == [
                ""
            ]
        )
        let lines = try server.post(Self.data("{\(Self.fix)}\n{}\n")).lines
        #expect(
            try JSONSchemaValidator.complaints(about: lines.dropLast(), schema: "receipt") == [
                "", "",
            ]
        )
        #expect(
            try JSONSchemaValidator.complaints(about: lines.suffix(1), schema: "summary") == [""]
        )
        let health = try server.ask("GET /health HTTP/1.1", "Host: localhost")
        let problems = try [
            server.post(Self.data("x"), as: "text/plain").body,
            server.post(Self.data("{\(Self.fix)}"), to: "/v1/events?expect-size=0").body,
            server.post(Self.data("{\(Self.fix)}"), to: "/v1/events?expect-size=x").body,
            server.post(Self.data("{\(Self.fix)}"), to: "/v2").body,
            server.post(
                Self.data(#"{"type":"go_pressed","id":"key:a/1","lat":1}"#),
                as: "application/json"
            )
            .body,
        ]
        #expect(
            try JSONSchemaValidator.complaints(about: problems, schema: "problem")
                == problems.map { _ in "" },
            "\(problems)"
        )
        let status = health.components(separatedBy: "\r\n\r\n").suffix(1)
        #expect(try JSONSchemaValidator.complaints(about: Array(status), schema: "serving") == [""])
    }

    @Test func `a key that was used for something else is refused`() throws {
        let server = try ServedLedger.onSocket()
        let key = "Idempotency-Key: 019a9f30-5c10"
        let first = try server.post(Self.data("{\(Self.fix)}"), as: "application/json", key)
        #expect(first.status == 200)
        let other = Self.fix.replacingOccurrences(of: "51.9", with: "51.8")
        let second = try server.post(Self.data("{\(other)}"), as: "application/json", key)
        #expect(second.status == 422)
        #expect(second.body.contains(#""type":"urn:ledger:key-reused""#))
        #expect(second.body.contains(#"[{"field":"lat","code":"differs"}]"#))
        #expect(!second.body.contains("occurred_at"), "\(second.body)")
        let own = #"{\#(Self.fix),"id":"a"}"#
        #expect(try server.post(Self.data(own), as: "application/json").status == 200)
        #expect(try server.post(Self.data(own), as: "application/json").status == 200)
        let changed = own.replacingOccurrences(of: "51.9", with: "51.8")
        #expect(try server.post(Self.data(changed), as: "application/json").status == 409)
    }

    @Test func `no client gives the id of a request with a name, and none keeps it from its own`()
        throws
    {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(process)
        func field(_ name: String, _ scope: String) throws -> String {
            let token =
                scope == "ingest"
                ? try server.token(name, "--source", "phone")
                : try server.token(name, "--scope", scope)
            return "Authorization: Bearer \(token)"
        }
        let (phone, tag) = (try field("phone", "ingest"), try field("tag", "ingest"))
        let (editor, other) = (try field("editor", "edit"), try field("other", "sync"))
        let press = #"{"type":"go_pressed","source":"phone",\#(Self.time)"#
        let given = press + #","id":"key:5:phone:k"}"#
        let cloud =
            #"{"specversion":"1.0","id":"key:5:phone:k","source":"phone","type":"go_pressed","#
            + #""time":"2026-11-20T07:30:00Z","data":{}}"#
        let json = "application/json"
        let refused = try [
            server.post(Self.data(given), tag), server.post(Self.data(given), as: json, tag),
            server.post(Self.data(given), as: json, tag, "Idempotency-Key: mine"),
            server.post(Self.data(cloud), as: "application/cloudevents+json", tag),
            server.post(
                Self.data(#"{"type":"place_removed","name":"Home","id":"key:5:phone:k"}"#),
                as: json,
                to: "/v1/decisions",
                editor
            ),
        ]
        for answer in refused {
            #expect(answer.status == 400 && answer.body.contains("Idempotency-Key"), "\(answer)")
            #expect(answer.body.contains(#""field":"id""#), "\(answer)")
        }
        // Each token's own name of the same words is another one.
        for sender in [phone, tag] {
            let minute = sender == phone ? "30" : "31"
            let body = Self.data((press + "}").replacing(":30:", with: ":\(minute):"))
            let answer = try server.post(body, as: json, sender, "Idempotency-Key: k")
            #expect(answer.status == 200 && answer.body.contains("appended"), "\(answer)")
        }
        // The log of another ledger has such ids.
        let foreign = given.replacing("phone:k", with: "watch:k")
        #expect(try server.post(Self.data(foreign), as: json, other).body.contains("appended"))
        let ids = ["key:5:phone:k", "key:3:tag:k", "key:5:watch:k"]
        #expect(try Self.ids("go_pressed", in: process) == ids)
        let lines = try process.run("log", "--type", "go_pressed", "--format", "json").lines
        let copy = try LedgerProcess()
        try copy.begin()
        try copy.append(Self.data(lines.joined(separator: "\n") + "\n"))
        #expect(try Self.ids("go_pressed", in: copy) == ids)
    }

    /// Returns the ids of the events of a type, in the order of the log.
    private static func ids(_ type: String, in process: LedgerProcess) throws -> [String] {
        try process.run("log", "--type", type, "--format", "json").lines
            .compactMap { $0.firstMatch(of: #/"id":"([^"]+)"/#).map { String($0.1) } }
    }

    @Test func `the owner's name of a request is taken for that of no token`() throws {
        let server = try ServedLedger.onSocket()
        for key in ["k", "3:tag:k"] {
            let answer = try server.post(
                Self.data("{\(Self.fix)}"),
                as: "application/json",
                "Idempotency-Key: \(key)"
            )
            #expect(answer.status == 200, "\(answer)")
        }
        let ids = try Self.ids("fix_recorded", in: server.process)
        #expect(ids == ["key:k", "key:0::3:tag:k"])
    }

    @Test func `a trip that was changed meanwhile is left as it is`() throws {
        let server = try ServedLedger.onSocket()
        let event = { (type: String, minute: Int, more: String) in
            let time = "2026-11-20T08:\(minute):00Z"
            return #"{"type":"\#(type)","source":"phone","occurred_at":"\#(time)"\#(more)}"#
        }
        let fixes = (31...45)
            .map { event("fix_recorded", $0, #","lat":51.9\#($0),"lon":4.3,"accuracy":5"#) }
        let drive = [event("go_pressed", 30, "")] + fixes + [event("stop_pressed", 46, "")]
        #expect(try server.post(Self.data(drive.joined(separator: "\n"))).status == 200)
        let list = try server.get("/v1/trips?limit=1").body
        let trip = try #require(list.firstMatch(of: #/"id":"([0-9a-f]{32})"/#)?.1)
        let read = try server.get("/v1/trips/\(trip)")
        let tag = try #require(read.head.firstMatch(of: #/ETag: ("\d+")/#)?.1)
        let edit = { (purpose: String) in
            #"{"type":"details_edited","trip":"\#(trip)","purpose":"\#(purpose)"}"#
        }
        let json = "application/json"
        // Events of others do not concern this trip.
        #expect(try server.post(Self.data("{\(Self.fix)}"), as: json).status == 200)
        let first = try server.post(Self.data(edit("one")), as: json, "If-Match: \(tag)")
        #expect(first.status == 200)
        let position = try #require(first.body.firstMatch(of: #/"position":(\d+)/#)?.1)
        let second = try server.post(Self.data(edit("two")), as: json, "If-Match: \(tag)")
        #expect(second.status == 412)
        #expect(second.head.contains("ETag: \"\(position)\""))
        #expect(second.body.contains(#""type":"urn:ledger:changed""#))
        #expect(second.body.contains(#""position":\#(position)"#))
        #expect(try server.get("/v1/trips/\(trip)").body.contains(#""purpose":"one""#))
        let newer = "If-Match: \"\(position)\""
        #expect(try server.post(Self.data(edit("two")), as: json, newer).status == 200)
        #expect(try server.get("/v1/trips/\(trip)").body.contains(#""purpose":"two""#))
        // Nothing is guessed.
        #expect(try server.post(Self.data(edit("three")), as: json, "If-Match: *").status == 400)
        #expect(try server.post(Self.data("{\(Self.fix)}"), as: json, newer).status == 400)
    }

    @Test func `it is all or nothing, or only for a ledger of a size, if that is asked for`() throws
    {
        let server = try ServedLedger.onSocket()
        let lines = Self.data("{\(Self.fix)}\nnonsense\n")
        let refused = try server.post(lines, to: "/v1/events?all-or-nothing=true")
        #expect(refused.lines.first == #"{"line":1,"receipt":"held_back"}"#)
        #expect(try server.post(lines, to: "/v1/events?expect-size=7").status == 412)
        #expect(try server.post(lines, to: "/v1/events?expect-size=x").status == 400)
        #expect(try server.post(lines, to: "/v1/events?expect-size=1").status == 200)
    }

    @Test(arguments: [
        (415, "text/plain", "x"), (415, "", "x"), (400, "application/json", ""),
        (400, "application/json", #"{"events":[]}"#), (400, "application/x-ndjson", ""),
        (413, "application/x-ndjson", String(repeating: "\n", count: 10_001)),
        (413, "application/json", "[" + String(repeating: "0,", count: 100_000) + "0]"),
    ])
    func `what holds no events, or too many, is refused`(
        status: Int,
        mediaType: String,
        body: String
    ) throws {
        let server = try ServedLedger.onSocket()
        let answer = try server.post(Self.data(body), as: mediaType)
        #expect(answer.status == status, "\(answer)")
        #expect(answer.head.contains("Content-Type: application/problem+json"))
    }

    @Test func `a compressed body is refused`() throws {
        let server = try ServedLedger.onSocket()
        let answer = try server.post(Self.data("{\(Self.fix)}"), "Content-Encoding: gzip")
        #expect(answer.status == 415)
    }

    @Test func `a body that is too large is refused, said or not`() throws {
        let server = try ServedLedger.onSocket()
        let said = try server.ask(
            "POST /v1/events HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/x-ndjson",
            "Content-Length: 16777217"
        )
        #expect(said.hasPrefix("HTTP/1.1 413 "))
        let connection = try server.connect()
        try connection.send(
            "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                + "Content-Type: application/x-ndjson\r\n\r\n"
        )
        let chunk = "100000\r\n" + String(repeating: " ", count: 1 << 20) + "\r\n"
        for _ in 0..<17 where (try? connection.send(chunk)) == nil { break }
        #expect(try connection.answer().hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `bodies of many requests do not fill the memory`() throws {
        let server = try ServedLedger.onSocket()
        _ = try Self.holdBodies(8, server)
        let status = try String(
            contentsOfFile: "/proc/\(server.processIdentifier)/status",
            encoding: .utf8
        )
        let peak = try #require(status.firstMatch(of: #/VmHWM:\s+(\d+) kB/#).flatMap { Int($0.1) })
        // Two of the largest, and what the program itself and its buffers need.
        #expect(peak < 160_000, "\(peak) kB")
        #expect(try server.ask("GET /health HTTP/1.1", "Host: localhost").contains("200 OK"))
        // What is sent fills the room once the server has read it, which takes a busy machine some
        // time, and a body of which nothing more comes is given up after some: so both are tried
        // more than once.
        let refused = try (1...10)
            .contains { _ in
                let held = try Self.holdBodies(2, server)
                return try withExtendedLifetime(held) {
                    try (1...20)
                        .contains { _ in
                            try server.post(Self.data("{\(Self.fix)}")).status == 503
                        }
                }
            }
        #expect(refused)
        while try server.post(Self.data("{\(Self.fix)}")).status == 503 {}
        #expect(server.end(with: SIGTERM).exitCode == 0)
    }

    /// Returns connections on each of which half of the largest body came, so that none is answered
    /// for what is in it.
    private static func holdBodies(
        _ count: Int,
        _ server: ServedLedger
    ) throws -> [ServedLedger.Connection] {
        let part = Data(repeating: UInt8(ascii: " "), count: 8 << 20)
        return try (0..<count)
            .map { _ in
                let connection = try server.connect()
                try connection.send(
                    "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777216\r\n"
                        + "Content-Type: application/x-ndjson\r\n\r\n"
                )
                try? connection.send(part)
                return connection
            }
    }

    @Test func `only the owner may open the socket, and others get in by no port`() throws {
        let server = try ServedLedger.onSocket()
        let path = try #require(server.socket)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let second = try server.process.run("serve", "--socket", path)
        #expect(second.exitCode == 74)
        #expect(second.errors.contains("another program listens there"))
        #expect(server.end(with: SIGTERM).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        let other = try ServedLedger(server.process)
        let answer = try other.post(Self.data("{\(Self.fix)}"))
        #expect(answer.status == 401)
        #expect(answer.head.contains("WWW-Authenticate: Bearer"))
    }

    @Test func `a ledger that cannot be written is said once, and events can be sent again`() throws
    {
        let process = try LedgerProcess()
        try process.begin()
        // Files of this process and of those that it becomes cannot grow.
        let command = "ulimit -f 1; exec ledger serve --socket served.sock"
        let shell = process.process(["-c", command])
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let server = try FollowedProcess(shell)
        _ = server.nextLine()
        let socket = process.directory.path("served.sock")
        for _ in 0..<3 {
            let answer = try ServedLedger.Connection(socket: socket)
                .post(Self.data("{\(Self.fix)}"), as: "application/json")
            #expect(answer.status == 503, "\(answer)")
            #expect(answer.head.contains("Retry-After: 10"))
            #expect(answer.body.contains(#""type":"urn:ledger:not-stored""#))
        }
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0)
        #expect(
            end.errors.components(separatedBy: "ledger-serve: error:").count == 2,
            "\(end.errors)"
        )
        #expect(try process.run("log", "--format", "json").lines.count == 1)
    }

    @Test func `a full disk is told from other troubles, and what was sent is stored later`() throws
    {
        let process = try LedgerProcess()
        try process.begin()
        let drives = Self.data(
            try process.run("simulate", "bulk", "--drives", "3").lines.joined(separator: "\n")
        )
        // Files can grow by less than the events take, so that a write ends early.
        let shell = process.process([
            "-c", "ulimit -f 100; exec ledger serve --socket served.sock",
        ])
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let full = try FollowedProcess(shell)
        _ = full.nextLine()
        let socket = process.directory.path("served.sock")
        for _ in 0..<2 {
            let answer = try ServedLedger.Connection(socket: socket)
                .post(drives, as: "application/x-ndjson")
            #expect(answer.status == 503, "\(answer)")
            #expect(answer.head.contains("Retry-After: 60"))
            #expect(answer.body.contains(#""type":"urn:ledger:disk-full""#))
        }
        let end = full.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors.contains("Make room on the disk"), "\(end)")
        let healthy = try FollowedProcess(process.process(["serve", "--socket", "served.sock"]))
        _ = healthy.nextLine()
        let answer = try ServedLedger.Connection(socket: socket)
            .post(drives, as: "application/x-ndjson")
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""conflict":0,"rejected":0"#))
        #expect(healthy.end(with: SIGTERM).exitCode == 0)
    }
}
