import Foundation
import TestSupport
import Testing

/// An app that has a button and a position, and no clock: `/webhook/…`.
@Suite struct ServeWebhookTests {
    /// A server, and what an app of it sends.
    private struct App {
        let server: ServedLedger
        let token: String

        init(
            _ server: ServedLedger,
            named name: String = "Eva's phone",
            _ options: [String] = ["--source", "phone"]
        ) throws {
            self.server = server
            let made = try server.process.run(
                ["token", "new", name, "--format", "json"] + options
            )
            let text = made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1
            token = String(try #require(text))
        }

        func post(_ path: String, _ body: String = "") throws -> ServedLedger.Answer {
            try server.post(
                Data(body.utf8),
                as: "application/json",
                to: "/webhook/\(path)",
                "Authorization: Bearer \(token)"
            )
        }

        func ping(_ latitude: Double, _ path: String = "ping?user=eva") throws -> [String: Any] {
            let answer = try post(path, #"{"lat":\#(latitude),"lng":4.3}"#)
            #expect(answer.status == 200, "\(answer)")
            return try ServeWebhookTests.object(answer)
        }

        func status() throws -> [String: Any] {
            let answer = try server.get("/webhook/status", "Authorization: Bearer \(token)")
            #expect(answer.status == 200, "\(answer)")
            return try ServeWebhookTests.object(answer)
        }

        /// The stored events, without those that the ledger adds itself.
        func log() throws -> [[String: Any]] {
            try server.process.run("log", "--format", "json").lines
                .compactMap {
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }
                .filter {
                    !["ledger_created", "source_registered"].contains($0["type"] as? String)
                }
        }

        func types() throws -> [String] { try log().compactMap { $0["type"] as? String } }
    }

    private static func object(_ answer: ServedLedger.Answer) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return try #require(value as? [String: Any], "\(answer)")
    }

    @Test func `a drive is begun, followed and ended by pings`() throws {
        // One that rests for a minute waits.
        let (app, states) = try Scene.played(within: .seconds(45)) {
            let scopes = ["--source", "phone", "--scope", "ingest", "--scope", "live"]
            let app = try App(try ServedLedger(), scopes)
            #expect(try app.status() as NSDictionary == ["active": false])
            // 30 m a second: the clock is the server's.
            let states = try (0..<6)
                .map { step in
                    let answer = try app.ping(52.0 + Double(step) * 0.00027)
                    #expect(answer["user"] as? String == "eva")
                    Thread.sleep(forTimeInterval: 1)
                    return try #require(answer["status"] as? String)
                }
            return (app, states)
        }
        #expect(states == ["trip_started"] + Array(repeating: "moving", count: 5))
        let status = try app.status()
        #expect(status["active"] as? Bool == true)
        #expect(status["start_odo"] as? Double == 0)
        #expect(status["gps_count"] as? Int == 6)
        let way = try #require(status["last_odo"] as? Double)
        #expect(way > 0.1 && way < 0.2, "\(status)")
        let last = try #require(status["last_gps"] as? [String: Any])
        #expect(last["lat"] as? Double == 52.00135 && last["lng"] as? Double == 4.3)
        let times = [
            status["start_time"], status["last_odo_change"], last["timestamp"],
            (status["first_gps"] as? [String: Any])?["timestamp"],
        ]
        for time in times {
            let text = try #require(time as? String)
            #expect(text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil, "\(text)")
        }
        // The status while it goes on shows it, too.
        let glance = try app.server.get("/v1/status", "Authorization: Bearer \(app.token)").body
        for member in ["distance_m", "minutes", "average_speed_kmh"] {
            #expect(glance.contains(#""\#(member)":"#), "\(member) in \(glance)")
        }
        #expect(glance.contains(#""phase":"tracking""#))
        let end = try app.ping(52.00162, "end?user=eva")
        #expect(end["status"] as? String == "finalized")
        let trips = try app.server.process.run("trips", "--format", "json").text
        let meters = try #require(trips.firstMatch(of: #/"distance_m":([0-9.]+)/#)?.1)
        let kilometers = try #require(end["distance_km"] as? Double)
        #expect(abs(kilometers - (Double(meters) ?? 0) / 1_000) < 0.000_51, "\(end) \(trips)")
        #expect(try app.status() as NSDictionary == ["active": false])
        let ignored = try app.ping(52.00163, "end?user=eva")
        #expect(
            ignored as NSDictionary
                == ["status": "ignored", "user": "eva", "reason": "no_active_trip"]
        )
        let log = try app.log()
        #expect(
            log.map { $0["type"] as? String } == ["go_pressed"]
                + Array(repeating: "fix_recorded", count: 7) + ["stop_pressed"]
        )
        #expect(log.allSatisfy { $0["source"] as? String == "phone" })
        #expect(log.dropFirst().dropLast().allSatisfy { $0["provider"] as? String == "webhook" })
        #expect(try app.server.process.run("verify").exitCode == 0)
    }

    @Test func `the same ping within five seconds is one ping, answered alike`() throws {
        let (app, twice, atOnce) = try Scene.played { try Self.repeated() }
        #expect(twice.map(\.body) == twice.map { _ in #"{"status":"trip_started","user":"eva"}"# })
        #expect(Set(atOnce.map(\.body)).count == 1 && atOnce.allSatisfy { $0.status == 200 })
        #expect(try app.types() == ["go_pressed", "fix_recorded", "fix_recorded"])
        #expect(try app.post("finalize").body.contains(#""status":"finalized""#))
        Thread.sleep(forTimeInterval: 5.1)
        #expect(try app.ping(51.91, "ping")["status"] as? String == "trip_started")
        #expect(
            try app.types() == [
                "go_pressed", "fix_recorded", "fix_recorded", "stop_pressed", "go_pressed",
                "fix_recorded",
            ]
        )
    }

    /// Has a ping sent twice, and another one eight times at once, when they take turns; returns
    /// `nil` if that took about five seconds.
    private static func repeated() throws -> (
        app: App, twice: [ServedLedger.Answer], atOnce: [ServedLedger.Answer]
    )? {
        let app = try App(try ServedLedger())
        let body = #"{"lat":51.9,"lng":4.3}"#
        let start = ContinuousClock.now
        let twice = try (0..<2).map { _ in try app.post("ping?user=eva", body) }
        let other = Data(#"{"lat":51.91,"lng":4.3}"#.utf8)
        let connections = try (0..<8).map { _ in try app.server.connect() }
        for connection in connections {
            try connection.send(
                "POST /webhook/ping HTTP/1.1\r\nHost: localhost:\(app.server.port)\r\n"
                    + "Authorization: Bearer \(app.token)\r\nContent-Length: \(other.count)\r\n"
                    + "Connection: close\r\n\r\n" + String(decoding: other, as: UTF8.self)
            )
        }
        let atOnce = try connections.map { try ServedLedger.Answer($0.answer()) }
        return ContinuousClock.now - start < .seconds(4) ? (app, twice, atOnce) : nil
    }

    /// Plays a scene on a server of its own until it takes less than about five seconds, without
    /// the time that the server takes to start.
    private static func playedOnServer(
        _ scene: (App) throws -> [String]
    ) throws -> (app: App, answers: [String]) {
        try Scene.played {
            let app = try App(try ServedLedger())
            let start = ContinuousClock.now
            let outcome = Result { try scene(app) }
            guard ContinuousClock.now - start < .seconds(4) else { return nil }
            return (app, try outcome.get())
        }
    }

    @Test func `who starts and cancels twice within five seconds leaves no trip behind`() throws {
        let body = #"{"lat":51.9,"lng":4.3}"#
        let (app, answers) = try Self.playedOnServer { app in
            // A repeat is one while nothing came after what it repeats.
            let paths = ["start", "start", "cancel", "cancel"]
            return try (paths + paths)
                .map { path in
                    try app.post(path, path == "start" ? body : "").body
                }
        }
        let once = ["trip_started", "trip_started", "cancelled", "cancelled"]
        #expect(answers == (once + once).map { #"{"status":"\#($0)"}"# })
        #expect(try app.status() as NSDictionary == ["active": false])
        let stored = ["go_pressed", "fix_recorded", "trip_voided", "stop_pressed"]
        #expect(try app.types() == stored + stored)
    }

    @Test func `a trip that is stopped at another door is begun anew by the same start`() throws {
        let body = #"{"lat":51.9,"lng":4.3}"#
        let (app, answers) = try Self.playedOnServer { app in
            let first = try app.post("start", body).body
            let stop = try app.server.post(
                Data(),
                as: "application/json",
                to: "/v1/stop",
                "Authorization: Bearer \(app.token)"
            )
            return [first, "\(stop.status)", try app.post("start", body).body]
        }
        let started = #"{"status":"trip_started"}"#
        #expect(answers == [started, "200", started])
        #expect(try app.status()["active"] as? Bool == true)
        #expect(try app.types().filter { $0 == "go_pressed" }.count == 2)
    }

    @Test func `a trip that is cancelled was none, and can be brought back`() throws {
        let app = try App(try ServedLedger())
        _ = try app.ping(51.9, "start?user=eva&car_id=Van&device_id=A1")
        let cancelled = try app.post("cancel?user=eva")
        #expect(cancelled.body == #"{"status":"cancelled","user":"eva"}"#)
        #expect(try app.status() as NSDictionary == ["active": false])
        let again = try app.post("cancel")
        #expect(again.body == #"{"status":"cancelled"}"#)
        let log = try app.log()
        #expect(
            log.map { $0["type"] as? String }
                == ["go_pressed", "fix_recorded", "trip_voided", "stop_pressed"]
        )
        #expect(log[0]["extra"] as? NSDictionary == ["car_id": "Van", "device_id": "A1"])
        #expect(log[2]["actor"] as? String == "Eva's phone")
        #expect(log[2]["source"] as? String == "manual")
        let trip = try #require(log[2]["trip"] as? String)
        let row = try app.server.process.run("trips", "--all", "--format", "json").text
        #expect(row.contains(#""id":"\#(trip)""#) && row.contains(#""status":"voided""#), "\(row)")
        #expect(try app.server.process.run("restore", trip).exitCode == 0)
        // Another trip comes next, with a vehicle that is known now.
        _ = try app.server.process.run("vehicle", "register", "Van")
        #expect(try app.ping(51.9, "ping?car_id=Van")["status"] as? String == "trip_started")
        let go = try #require(try app.log().last { $0["type"] as? String == "go_pressed" })
        #expect(go["vehicle"] as? String == "Van" && go["extra"] == nil)
    }

    @Test func `what cannot be done is said as the app reads it, and stores nothing`() throws {
        let app = try App(try ServedLedger())
        let anonymous = try app.server.post(Data(), as: "application/json", to: "/webhook/ping")
        #expect(anonymous.status == 401)
        #expect(anonymous.body == #"{"detail":"Bearer token required"}"#)
        #expect(anonymous.head.contains("\r\nWWW-Authenticate: Bearer\r\n"), "\(anonymous.head)")
        let outcomes: [(String, String, Int)] = [
            ("ping", "", 422), ("ping", #"{"lat":"51","lng":4}"#, 422),
            ("ping", #"{"lat":91,"lng":4.3}"#, 422), ("end", "{}", 422),
            ("ping?speed=5", #"{"lat":51,"lng":4}"#, 400), ("fly", "", 404),
            ("ping", #"{"lat":51,"lng":4,"x":"\#(String(repeating: "x", count: 5_000))"}"#, 413),
        ]
        for (path, body, status) in outcomes {
            let answer = try app.post(path, body)
            #expect(answer.status == status, "\(path) \(body.prefix(30)): \(answer)")
            #expect(try Self.object(answer)["detail"] is String)
        }
        let reader = try App(app.server, named: "Page", ["--scope", "read", "--source", "tablet"])
        #expect(try reader.post("ping", #"{"lat":51,"lng":4}"#).status == 403)
        #expect(try reader.status() as NSDictionary == ["active": false])
        #expect(try app.types().isEmpty)
    }
}
