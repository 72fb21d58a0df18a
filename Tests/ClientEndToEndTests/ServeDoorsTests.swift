import Foundation
import TestSupport
import Testing

/// The doors through which apps deliver: what they keep, what they set aside, and that no app is
/// ever told to throw something away.
@Suite struct ServeDoorsTests {
    private static let fix =
        #"{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"tst":1795159860,"topic":"o/e/p"}"#

    /// The second of the first of many fixes.
    private static let start = 1_795_159_860

    private static func data(_ text: String) -> Data { Data(text.utf8) }

    private static let doors = [
        "owntracks", "overland", "osmand", "gpslogger", "colota", "phonetrack", "homeassistant",
        "traccar-forward",
    ]

    @Test(arguments: doors)
    func `nonsense is taken and set aside, and never refused`(door: String) throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let bodies = [
            "", "{", "[", "nonsense", "null", "7", #"{"a":1}"#, "[[[]]]", "\u{0}\u{1}", "lat=&lon=",
            #"{"locations":7,"points":{}}"#, "lat=91&lon=4.3&timestamp=1795159860",
            #"{"_type":"location","lat":91,"lon":4.3,"tst":1795159860}"#,
            #"{"locations":[1,"2",null,{}]}"#, #"{"points":[1,[],[91,4.3,1795159860]]}"#,
            String(repeating: "[", count: 100_000), String(repeating: "x", count: 2_000_000),
        ]
        for body in bodies {
            let path = "/in/\(token)/\(door)"
            for mediaType in ["application/json", "application/x-www-form-urlencoded", "a/b"] {
                let answer = try server.post(Self.data(body), as: mediaType, to: path)
                #expect(answer.status == 200, "\(body.prefix(60)): \(answer)")
            }
        }
        #expect(try server.process.run("log", "--format", "json").lines.count == 1)
        let refused = try server.process.run("refused", "--format", "json").lines
        #expect(refused.count > 2)
        // The same bytes are set aside once.
        let contents = refused.compactMap { $0.firstMatch(of: #/"content.*/#)?.0 }
        #expect(Set(contents).count == refused.count)
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors == "", "\(end.errors)")
    }

    @Test func `what can be no event is kept with its reason, and the rest is stored`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let wrong = Self.fix.replacingOccurrences(of: "51.9", with: "91.5")
        let answer = try server.post(
            Self.data("[\(wrong),\(Self.fix),{\"_type\":\"location\"}]"),
            as: "application/json",
            to: "/in/\(token)/owntracks"
        )
        #expect(answer.status == 200 && answer.body == "[]")
        let log = try server.process.run("log", "--format", "json").lines
        // With the rules that the ledger adopts, and the source of decisions.
        #expect(log.count == 5 && log[2].contains(#""lat":51.9"#))
        let refused = try server.process.run("refused", "--format", "json").lines
        #expect(refused.count == 2)
        #expect(refused.contains { $0.contains("91.5") && $0.contains("out_of_range") })
        #expect(refused.contains { $0.contains(#""code":"missing_field""#) })
        #expect(refused.allSatisfy { $0.contains(#""source":"phone""#) })
    }

    @Test func `all are from the token's source, whatever an app says of itself`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone", "--source", "Eva's phone")
        for path in ["/in/\(token)/osmand?id=van&lat=51.9&lon=4.3&timestamp=1795159860"] {
            #expect(try server.ask("GET \(path) HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
        }
        let log = try server.process.run("log", "--format", "json").lines
        let fixes = log.filter { $0.contains("fix_recorded") }
        #expect(fixes.map { $0.contains(#""source":"Eva's phone""#) } == [true])
        #expect(log.last?.contains(#""applies_to":"Eva's phone""#) == true)
        #expect(log.count == 5)
    }

    @Test func `a state of motion that goes on begins no trip after STOP`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        func deliver(_ seconds: [Int], _ state: String, _ host: String) throws -> String {
            let messages = seconds.map { second in
                #"{"_type":"location","lat":\#(51 + Double(second) / 10_000),"lon":4.3,"acc":5,"#
                    + #""vel":40,"tst":\#(Self.start + second),"motionactivities":["\#(state)"]}"#
            }
            let body = "[\(messages.joined(separator: ","))]"
            return try server.ask(
                "POST /in/\(token)/owntracks HTTP/1.1",
                "Host: \(host)",
                "Content-Length: \(body.utf8.count)",
                body: body
            )
        }
        let own = "localhost:\(server.port)"
        func motions() throws -> Int {
            try server.process.run("log", "--format", "json").lines
                .count { $0.contains("motion_changed") }
        }
        // A message that was not stored does not count as said.
        #expect(try deliver([0], "automotive", "elsewhere").hasPrefix("HTTP/1.1 503"))
        for second in stride(from: 0, to: 600, by: 10) {
            #expect(try deliver([second], "automotive", own).hasPrefix("HTTP/1.1 200"))
            if second == 300 {
                let stop =
                    #"{"type":"stop_pressed","source":"phone","#
                    + #""occurred_at":"2026-11-20T07:36:02Z"}"#
                #expect(try server.process.run("append", input: Self.data(stop)).exitCode == 0)
            }
        }
        #expect(try motions() == 1)
        #expect(try server.process.run("trips", "--format", "json").lines.count == 1)
        // Another state, the same in a later delivery, and the same after a long silence.
        _ = try deliver([600, 610], "stationary", own)
        _ = try deliver([620], "stationary", own)
        #expect(try motions() == 2)
        _ = try deliver([1_000], "stationary", own)
        #expect(try motions() == 3)
    }

    @Test func `places and rules of an app are its owner's to decide`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let place =
            #"{"_type":"waypoint","desc":"Home","lat":51.9,"lon":4.3,"rad":75,"tst":1795159860}"#
        let answer = try server.post(Self.data(place), to: "/in/\(token)/owntracks")
        #expect(answer.status == 200)
        #expect(try server.process.run("log", "--format", "json").lines.count == 1)
        #expect(try server.process.run("refused", "--format", "json").lines == [])
    }

    @Test func `an app with a dead token keeps its queue, unless its owner drops it`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let reader = try server.token("page", "--scope", "read")
        let editor = try server.token("tablet", "--scope", "ingest", "--scope", "edit")
        let path = { (token: String) in "/in/\(token)/owntracks" }
        func post(_ path: String, _ field: String = "X: y") throws -> ServedLedger.Answer {
            try server.post(Self.data(Self.fix), as: "application/json", to: path, field)
        }
        #expect(try post(path(token)).status == 200)
        for token in ["", "x", String(token.dropLast()), reader, editor] {
            let address = token.isEmpty ? "/in/owntracks" : path(token)
            let answer = try post(address)
            #expect(answer.status == 503, "\(answer)")
            #expect(answer.head.contains("Retry-After: 300"))
            #expect(token.isEmpty || !"\(answer)".contains(token))
        }
        // In the head it is read by no others.
        #expect(try post("/in/owntracks", "Authorization: Bearer \(editor)").status == 200)
        _ = try server.process.run("token", "revoke", "phone")
        #expect(try post(path(token)).status == 503)
        _ = try server.process.run("token", "revoke", "phone", "--drop")
        let size = try server.process.run("log", "--format", "json").lines.count
        let dropped = try server.post(
            Self.data(Self.fix.replacingOccurrences(of: "51.9", with: "52")),
            to: path(token)
        )
        #expect(dropped.status == 200 && dropped.body == "[]")
        #expect(try server.process.run("log", "--format", "json").lines.count == size)
    }

    @Test func `only a path that is none and a body that is too large are refused`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        #expect(try server.post(Self.data(Self.fix), to: "/in/\(token)/other").status == 404)
        let long = try server.ask(
            "POST /in/\(token)/overland HTTP/1.1",
            "Host: localhost:\(server.port)",
            "Content-Length: 16777217"
        )
        #expect(long.hasPrefix("HTTP/1.1 413 "))
        // An iPhone deletes what is answered by 4xx.
        let host = try server.ask(
            "POST /in/\(token)/owntracks HTTP/1.1",
            "Host: other.example",
            "Content-Length: 0"
        )
        #expect(host.hasPrefix("HTTP/1.1 503 ") && host.contains("urn:ledger:unknown-host"))
        // It cannot be read, so it must not be taken for stored.
        let compressed = try server.post(
            Self.data(Self.fix),
            to: "/in/\(token)/owntracks",
            "Content-Encoding: gzip"
        )
        #expect(compressed.status == 503 && compressed.body.contains("urn:ledger:unknown-media"))
        let method = try server.ask("DELETE /in/\(token)/owntracks HTTP/1.1")
        #expect(method.hasPrefix("HTTP/1.1 503 "))
        let head = try server.ask(
            "HEAD /in/\(token)/osmand?lat=51.9&lon=4.3&timestamp=1795159860 HTTP/1.1"
        )
        #expect(head.hasPrefix("HTTP/1.1 200 OK") && head.hasSuffix("\r\n\r\n"))
        #expect(try server.process.run("log", "--format", "json").lines.count == 1)
    }

    @Test func `a body may come in chunks, and hold what an app kept for a month`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let count = 20_001
        let messages = (0..<count)
            .map { number in
                #"{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"tst":\#(Self.start + number)}"#
            }
        let body = Self.data("[" + messages.joined(separator: ",") + "]")
        for _ in 0..<2 {
            let connection = try server.connect()
            try connection.send(
                "POST /in/\(token)/owntracks HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
                    + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            )
            for start in stride(from: 0, to: body.count, by: 70_000) {
                let piece = body[start..<min(start + 70_000, body.count)]
                try connection.send(Self.data("\(String(piece.count, radix: 16))\r\n"))
                try connection.send(piece + Self.data("\r\n"))
            }
            try connection.send("0\r\n\r\n")
            #expect(try ServedLedger.Answer(connection.answer()).status == 200)
        }
        #expect(try server.process.run("log", "--format", "json").lines.count == count + 4)
        #expect(try server.process.run("verify").exitCode == 0)
    }

    @Test func `Dawarich's own door takes points, and bodies without a time the server's`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let point =
            #"{"locations":[{"type":"Feature","geometry":{"type":"Point","#
            + #""coordinates":[4.3,51.9]},"properties":{"timestamp":"2026-11-20T07:31:00Z","#
            + #""speed":"fast"}}]}"#
        let answer = try server.post(
            Self.data(point),
            as: "application/json",
            to: "/api/v1/points?api_key=\(token)"
        )
        #expect(answer.status == 201, "\(answer)")
        let form = try server.post(
            Self.data("latitude=51.9&longitude=4.3"),
            as: "application/x-www-form-urlencoded",
            to: "/in/\(token)/gpslogger"
        )
        #expect(form.status == 200, "\(form)")
        let log = try server.process.run("log", "--format", "json").lines
        #expect(log.contains { $0.contains(#""unread":{"speed":"fast"}"#) }, "\(log)")
        #expect(log.contains { $0.contains(#""time_from":"receipt""#) }, "\(log)")
        #expect(try server.process.run("refused", "--format", "json").lines.isEmpty)
    }

    @Test func `the same body without a time, sent again at once, is the same fix`() throws {
        // At once is within five seconds.
        let server = try Scene.played {
            let server = try ServedLedger()
            let token = try server.token("phone")
            let start = ContinuousClock.now
            for body in ["lat=51.9&lon=4.3", "lat=51.9&lon=4.3", "lat=51.8&lon=4.3"] {
                let answer = try server.post(
                    Self.data(body),
                    as: "application/x-www-form-urlencoded",
                    to: "/in/\(token)/osmand"
                )
                #expect(answer.status == 200, "\(answer)")
            }
            return ContinuousClock.now - start < .seconds(4) ? server : nil
        }
        let fixes = try server.process.run("log", "--format", "json").lines
            .filter { $0.contains("fix_recorded") }
        #expect(fixes.count == 2, "\(fixes)")
    }

    @Test func `a position at the server's root is told that no door is there`() throws {
        let server = try ServedLedger()
        for query in [
            "?id=7&lat=51.9&lon=4.3&timestamp=1795159860", "?deviceid=7", "?lat=51.9",
        ] {
            let answer = try server.get("/" + query)
            #expect(answer.status == 404 && answer.body.contains("/in/TOKEN/osmand"), "\(answer)")
        }
        #expect(try server.get("/").status == 200)
    }

    @Test func `a token in an address is kept nowhere`() throws {
        let server = try ServedLedger()
        let token = try server.token("phone")
        let path = "/api/v1/traccar/points?id=1&api_key=\(token)&lat=91&lon=4&timestamp=1"
        #expect(try server.ask("GET \(path) HTTP/1.1").hasPrefix("HTTP/1.1 200 OK"))
        let refused = try server.process.run("refused", "--format", "json").lines
        #expect(refused.count == 1 && refused[0].contains("lat=91"))
        let end = server.end(with: SIGTERM)
        #expect(end.errors == "")
        let found = try server.process.shell("grep -rl \(token.suffix(30)) . || true")
        #expect(found.lines == [])
    }
}
