import Foundation
import TestSupport
import Testing

/// GO and STOP by an address alone, as automations of phones and cars press them.
@Suite struct ServePressesTests {
    /// A served ledger with a token that presses for the source `phone`.
    private struct Car {
        let server: ServedLedger
        let go: String
        let stop: String

        /// Makes the token of a button, on the server of another one if there is one.
        init(_ name: String = "golf", beside other: Car? = nil) throws {
            server = try other?.server ?? ServedLedger()
            let made = try server.process.run(
                "token",
                "new",
                name,
                "--press",
                "--vehicle",
                "golf",
                "--source",
                "phone",
                "--url",
                "http://localhost",
                "--format",
                "json"
            )
            #expect(made.exitCode == 0, "\(made.errors)")
            let line = made.lines.joined()
            go = String(try #require(line.firstMatch(of: #/"go":"http:\/\/localhost([^"]+)"/#)?.1))
            stop = String(
                try #require(line.firstMatch(of: #/"stop":"http:\/\/localhost([^"]+)"/#)?.1)
            )
        }

        /// The presses in the log, by their types.
        func presses() throws -> [String] {
            try server.process.run("log", "--format", "json").lines
                .filter { $0.contains(#"_pressed""#) }
        }
    }

    @Test func `the same press again at once is one, unless another one came between`() throws {
        // At once is within ten seconds.
        let car = try Scene.played {
            let car = try Car()
            let start = ContinuousClock.now
            for path in [car.go, car.go, car.stop, car.stop, car.go] {
                let answer = try car.server.get(path)
                #expect(answer.status == 200, "\(answer)")
                #expect(answer.body == (path == car.go ? "GO" : "STOP") + " was pressed.\n")
            }
            return ContinuousClock.now - start < .seconds(9) ? car : nil
        }
        let presses = try car.presses()
        let kinds = presses.map { $0.contains("go_pressed") ? "go" : "stop" }
        #expect(kinds == ["go", "stop", "go"])
        #expect(presses.allSatisfy { $0.contains(#""source":"phone""#) })
        #expect(presses.map { $0.contains(#""vehicle":"golf""#) } == [true, false, true])
    }

    @Test func `a press at another button of the source came between`() throws {
        let car = try Scene.played {
            let car = try Car()
            let other = try Car("tag", beside: car)
            let start = ContinuousClock.now
            for path in [car.go, other.stop, car.go] {
                #expect(try car.server.get(path).status == 200)
            }
            return ContinuousClock.now - start < .seconds(9) ? car : nil
        }
        let kinds = try car.presses().map { $0.contains("go_pressed") ? "go" : "stop" }
        #expect(kinds == ["go", "stop", "go"])
    }

    /// Where the other button is pressed.
    enum OtherDoor: CaseIterable {
        case press, event, command
    }

    private static func press(
        _ kind: String,
        at door: OtherDoor,
        of server: ServedLedger,
        with token: String
    ) throws {
        let (path, body) =
            switch door {
            case .press: ("/v1/\(kind)", #"{"source":"phone"}"#)
            case .event: ("/v1/events", #"{"type":"\#(kind)_pressed","source":"phone"}"#)
            case .command: ("", "")
            }
        if path.isEmpty {
            let done = try server.process.run(kind, "--source", "phone")
            #expect(done.exitCode == 0, "\(done.errors)")
        } else {
            let field = "Authorization: Bearer \(token)"
            let answer = try server.post(Data(body.utf8), as: "application/json", to: path, field)
            #expect(answer.status == 200, "\(answer)")
        }
    }

    @Test(arguments: OtherDoor.allCases)
    func `a press at any other door came between`(door: OtherDoor) throws {
        let car = try Scene.played {
            let car = try Car()
            let token = try car.server.token("other", "--source", "phone")
            let start = ContinuousClock.now
            #expect(try car.server.get(car.go).status == 200)
            try Self.press("stop", at: door, of: car.server, with: token)
            // From then on the same is one press again, and a GO undoes a STOP.
            for path in [car.go, car.go, car.stop, car.stop] {
                #expect(try car.server.get(path).status == 200)
            }
            try Self.press("go", at: door, of: car.server, with: token)
            #expect(try car.server.get(car.stop).status == 200)
            return ContinuousClock.now - start < .seconds(9) ? car : nil
        }
        let kinds = try car.presses().map { $0.contains("go_pressed") ? "go" : "stop" }
        #expect(kinds == ["go", "stop", "go", "stop", "go", "stop"])
    }

    @Test func `a press that comes late, from before, undoes nothing`() throws {
        let car = try Scene.played {
            let car = try Car()
            let token = try car.server.token("other", "--source", "phone")
            let start = ContinuousClock.now
            #expect(try car.server.get(car.go).status == 200)
            let late =
                #"{"type":"stop_pressed","source":"phone","occurred_at":"2026-11-20T07:30:00Z"}"#
            let field = "Authorization: Bearer \(token)"
            let json = "application/json"
            let answer = try car.server.post(Data(late.utf8), as: json, to: "/v1/events", field)
            #expect(answer.status == 200, "\(answer)")
            #expect(try car.server.get(car.go).status == 200)
            return ContinuousClock.now - start < .seconds(9) ? car : nil
        }
        let presses = try car.presses().filter { $0.contains("go_pressed") }
        #expect(presses.count == 1, "\(presses)")
    }

    @Test func `a press of another source leaves a repeat what it is`() throws {
        let car = try Scene.played {
            let car = try Car()
            let start = ContinuousClock.now
            #expect(try car.server.get(car.go).status == 200)
            #expect(try car.server.process.run("go", "--source", "van").exitCode == 0)
            #expect(try car.server.process.run("stop", "--source", "van").exitCode == 0)
            #expect(try car.server.get(car.go).status == 200)
            return ContinuousClock.now - start < .seconds(9) ? car : nil
        }
        let presses = try car.presses().filter { $0.contains(#""source":"phone""#) }
        #expect(presses.count == 1, "\(presses)")
    }

    /// A moment of nine days ago, in seconds.
    private static let past = Int(Date().timeIntervalSince1970) - 9 * 86_400

    /// A moment as RFC 3339 has it.
    private static func text(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
    }

    @Test func `a press that says when is the same whenever and however often it comes`() throws {
        let car = try Car()
        let (past, text) = (Self.past, Self.text(Self.past))
        for at in [
            "\(past)", "\(past)000", text, text.replacing(":", with: "%3A"), "\(past)",
        ] {
            #expect(try car.server.get("\(car.go)?at=\(at)", method: "POST").status == 200)
        }
        // Lost, and sent again after the server was started anew, late and after what came later.
        #expect(try car.server.get("\(car.stop)?at=\(past + 600)").status == 200)
        #expect(car.server.end(with: SIGTERM).exitCode == 0)
        let again = try ServedLedger(car.server.process)
        for path in ["\(car.go)?at=\(past)", "\(car.stop)?at=\(past + 600)"] {
            #expect(try again.get(path).status == 200)
        }
        let presses = try car.presses()
        #expect(presses.count == 2, "\(presses)")
    }

    @Test func `a plus sign in a time may come as a space, and its offset stays`() throws {
        let car = try Car()
        let local = Self.text(Self.past + 3_600).dropLast()
        #expect(try car.server.get("\(car.go)?at=\(local)+01:00").status == 200)
        let presses = try car.presses()
        #expect(presses.count == 1)
        #expect(presses[0].contains(#""occurred_at":"\#(local).000+01:00""#))
    }

    @Test func `what is no time presses nothing`() throws {
        let car = try Car()
        let now = Int(Date().timeIntervalSince1970)
        // Times long ago, the lowest and the highest number, and after tomorrow.
        let others = [
            "0", "-1", "1999-12-31T00:00:00Z", "\(Int64.min)", "\(Int64.max)",
            "\(now - 32 * 86_400)", "\(now + 2 * 86_400)", Self.text(now - 400 * 86_400),
        ]
        for at in ["yesterday", "2026-13-01T00:00:00Z"] + others {
            let answer = try car.server.get("\(car.go)?at=\(at)")
            #expect(answer.status == 400 && answer.body.contains(#""field":"at""#), "\(answer)")
        }
        #expect(try car.server.get("\(car.go)?when=\(now)").status == 400)
        #expect(try car.presses() == [])
    }

    @Test(arguments: [
        "Sec-Fetch-Dest: document", "Accept: text/html,application/xhtml+xml",
        "Sec-Purpose: prefetch", "Purpose: prefetch", "User-Agent: TelegramBot (like TwitterBot)",
        "User-Agent: WhatsApp/2.24", "User-Agent: facebookexternalhit/1.1",
    ])
    func `what opens an address to look at it gets a button, and presses nothing`(
        field: String
    ) throws {
        let car = try Car()
        let answer = try car.server.get(car.go, field, "Accept-Language: nl-BE, en;q=0.5")
        #expect(answer.status == 200 && answer.head.contains("text/html"), "\(answer)")
        #expect(answer.head.contains("default-src 'none'") && answer.head.contains("no-store"))
        #expect(answer.body.contains(#"<form method="post"><button>Druk op GO</button></form>"#))
        #expect(try car.server.get(car.go, method: "HEAD").status == 200)
        #expect(try car.presses() == [])
        // The button of that page posts.
        let pressed = try car.server.get(car.go, method: "POST", field)
        #expect(pressed.status == 200, "\(pressed)")
        #expect(try car.presses().count == 1)
    }

    @Test func `a token that presses does nothing else, and no other one presses`() throws {
        let car = try Car()
        let token = String(try #require(car.go.split(separator: "/").dropFirst().first))
        let field = "Authorization: Bearer \(token)"
        let event = Data(#"{"type":"go_pressed","source":"phone"}"#.utf8)
        #expect(
            try car.server.post(event, as: "application/json", to: "/v1/events", field).status
                == 403
        )
        for path in ["/v1/status", "/v1/trips", "/v1/devices", "/webhook/status"] {
            #expect(try car.server.get(path, field).status == 403, "\(path)")
        }
        let fix = "/in/\(token)/osmand?lat=51.9&lon=4.3&timestamp=1795159860"
        #expect(try car.server.get(fix).status == 503)
        let phone = try car.server.token("phone")
        let all = try car.server.token("all", "--scope", "admin")
        for other in [phone, all, "x", String(token.dropLast())] {
            #expect(try car.server.get("/press/\(other)/go").status == 401, "\(other)")
        }
        _ = try car.server.process.run("token", "revoke", "golf")
        #expect(try car.server.get(car.go).status == 401)
        #expect(try car.presses() == [])
    }

    @Test func `a GO that no position follows counts no distance`() throws {
        let car = try Car()
        #expect(try car.server.get("\(car.go)?at=\(Self.past)").status == 200)
        let totals = try car.server.process.run("trips", "--all", "--format", "json").lines
        #expect(
            totals.allSatisfy { $0.firstMatch(of: #/"distance_m":[1-9]/#) == nil },
            "\(totals)"
        )
    }
}
