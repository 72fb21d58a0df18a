import DriveSimulation
import Foundation
import TestSupport
import Testing

/// The requests and answers of `POST /v1/decisions`.
@Suite struct ServeDecisionsTests {
    /// A ledger with two trips of a morning.
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        for hour in ["08", "10"] {
            let made = try process.shell(
                "ledger simulate tunnel --source car | sed s/T08:/T\(hour):/ | ledger append"
            )
            try #require(made.exitCode == 0)
        }
    }

    /// The same ledger, served, and the ids of its trips, the earlier one first.
    private static func served() throws -> (server: ServedLedger, trips: [String]) {
        let process = try fixture.copy()
        let trips = try process.run("trips", "--format", "json").lines
            .map { String($0.dropFirst(7).prefix(32)) }
        #expect(trips.count == 2)
        return (try ServedLedger(onSocketOf: process), trips.reversed())
    }

    @discardableResult
    private static func decide(
        _ server: ServedLedger,
        _ body: String,
        _ fields: String...
    ) throws -> ServedLedger.Answer {
        try server.connect()
            .post(Data(body.utf8), as: "application/json", to: "/v1/decisions", 0, fields)
    }

    private static func object(_ answer: ServedLedger.Answer) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return try #require(value as? [String: Any])
    }

    private static func decided(_ answer: ServedLedger.Answer) throws -> [[String: Any]] {
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(try object(answer)["decisions"] as? [[String: Any]])
    }

    @Test func `a decision is stored, answered with what it changed, and taken back`() throws {
        let (server, trips) = try Self.served()
        let answer = try Self.decide(
            server,
            #"{"type":"details_edited","trip":"last","purpose":"Roof","class":"business"}"#
        )
        let decided = try Self.decided(answer)[0]
        #expect(decided["receipt"] as? String == "appended")
        #expect(decided["trip"] as? String == trips[1])
        let changes = try #require(decided["changes"] as? [[String: Any]])
        #expect(changes.map { $0["field"] as? String } == ["purpose", "class"])
        let rows = try #require(decided["trips"] as? [[String: Any]])
        #expect(rows.map { $0["purpose"] as? String } == ["Roof"])
        let undo = try JSONSerialization.data(withJSONObject: try #require(decided["undo"]))
        let undone = try Self.decided(Self.decide(server, String(decoding: undo, as: UTF8.self)))
        #expect((undone[0]["trips"] as? [[String: Any]])?[0]["purpose"] == nil)
        #expect((undone[0]["trips"] as? [[String: Any]])?[0]["class"] as? String == "unclassified")
        #expect(try server.process.run("verify").exitCode == 0)
    }

    @Test func `an expense that is corrected or taken back is again what it was by its undo`()
        throws
    {
        let (server, trips) = try Self.served()
        func decide(_ body: String) throws -> [String: Any] {
            try Self.decided(Self.decide(server, body))[0]
        }
        func takeBack(_ decided: [String: Any]) throws -> [String: Any] {
            let undo = try JSONSerialization.data(withJSONObject: try #require(decided["undo"]))
            return try decide(String(decoding: undo, as: UTF8.self))
        }
        /// The expenses that stand, without when and by whom they were corrected.
        func listed() throws -> [NSDictionary] {
            let answer = try Self.object(server.get("/v1/expenses"))
            return try #require(answer["items"] as? [[String: Any]])
                .map { row in
                    NSDictionary(dictionary: row.filter { $0.key != "corrected_at" })
                }
        }
        let recorded = try decide(
            #"{"type":"expense_recorded","kind":"toll","amount":12.4,"currency":"EUR","#
                + #""trip":"\#(trips[0])","merchant":"Bridge","notes":"There"}"#
        )
        let id = try #require(recorded["expense"] as? String)
        let first = try listed()
        let correction =
            #"{"type":"expense_recorded","corrects_expense":"\#(id)","kind":"parking","#
            + #""amount":3,"currency":"GBP","trip":"\#(trips[1])","notes":"Elsewhere"}"#
        let void =
            #"{"type":"expense_recorded","corrects_expense":"\#(id)","void":true,"#
            + #""notes":"Entered twice"}"#
        for body in [correction, void] {
            let decided = try decide(body)
            #expect(try listed() != first, "\(body)")
            let undone = try takeBack(decided)
            #expect(try listed() == first, "\(body)")
            // That can be taken back too.
            _ = try takeBack(undone)
            #expect(try listed() != first, "\(body)")
            _ = try takeBack(decided)
            #expect(try listed() == first, "\(body)")
        }
        // A correction leaves nothing out, so what it adds cannot be taken back.
        let added =
            #"{"type":"expense_recorded","corrects_expense":"\#(id)","kind":"toll","#
            + #""amount":12.4,"currency":"EUR","place":null,"quantity":1,"quantity_unit":"l"}"#
        #expect(try decide(added)["undo"] == nil)
        #expect(try server.process.run("verify").exitCode == 0)
    }

    @Test func `an expense that is voided and brought back is what it was, by each door`() throws {
        let (server, trips) = try Self.served()
        let toll =
            #"{"type":"expense_recorded","kind":"toll","amount":12.4,"currency":"EUR","#
            + #""trip":"\#(trips[0])","merchant":"Bridge","notes":"Receipt 17"}"#
        let recorded = try Self.decided(Self.decide(server, toll))[0]
        let id = try #require(recorded["expense"] as? String)
        /// The expenses that stand, without when and by whom they were corrected.
        func listed() throws -> [NSDictionary] {
            let answer = try Self.object(server.get("/v1/expenses"))
            return try #require(answer["items"] as? [[String: Any]])
                .map { row in
                    NSDictionary(
                        dictionary: row.filter { !["corrected_at", "actor"].contains($0.key) }
                    )
                }
        }
        let first = try listed()
        let corrects = #"{"type":"expense_recorded","corrects_expense":"\#(id)","#
        let void = corrects + #""void":true,"notes":"Entered twice"}"#
        let again = corrects + #""kind":"toll","amount":12.4,"currency":"EUR"}"#
        let voiding = ["expense", "void", id, "--why", "Entered twice"]
        let adding = ["expense", "add", "toll", "12.4", "EUR", "--corrects", id]
        for doors in 0..<4 {
            let (isVoidedHere, isBackHere) = (doors < 2, doors % 2 == 0)
            // The second time gives another reason, and changes nothing else.
            for _ in 0..<2 {
                if isVoidedHere {
                    try Self.decide(server, void)
                } else {
                    #expect(try server.process.run(voiding).exitCode == 0)
                }
                #expect(try listed().isEmpty)
            }
            if isBackHere {
                try Self.decide(server, again)
            } else {
                #expect(try server.process.run(adding).exitCode == 0)
            }
            #expect(try listed() == first)
        }
        #expect(try server.process.run("verify").exitCode == 0)
    }

    @Test func `what is refused is refused in the words of the command`() throws {
        let (server, trips) = try Self.served()
        let size = try server.process.run("head", "--format", "json").lines
        #expect(try server.process.run("void", trips[0], "--why", "Ferry").exitCode == 0)
        let cases: [(String, [String])] = [
            (
                #"{"type":"trips_merged","trips":["\#(trips[0])","\#(trips[1])"]}"#,
                ["merge", trips[0], trips[1]]
            ),
            (
                #"{"type":"trip_split","trip":"last","split_at":"23:59"}"#,
                ["split", "last", "--at", "23:59"]
            ),
            (
                #"{"type":"details_edited","trip":"last","fields":{"nothing":"x"}}"#,
                ["edit", "last", "--field", "nothing=x"]
            ),
            (#"{"type":"trip_restored","trip":"ffff"}"#, ["restore", "ffff"]),
            (
                #"{"type":"routine_applied","trip":"last","routine":"None"}"#,
                ["routine", "apply", "None", "last"]
            ),
        ]
        for (body, arguments) in cases {
            let answer = try Self.decide(server, body)
            #expect(answer.status == 422, "\(body): \(answer.body)")
            let problem = try Self.object(answer)
            #expect(problem["type"] as? String == "urn:ledger:refused")
            #expect(problem["decision"] as? Int == 1)
            let outcome = try server.process.run(arguments)
            #expect(outcome.exitCode == 65 || outcome.exitCode == 1, "\(arguments)")
            let words =
                try [problem["cause"], problem["hint"]].compactMap { $0 as? String }
                + (problem["cause"] == nil ? [#require(problem["detail"] as? String)] : [])
            for word in words {
                let said = word.hasSuffix(".") ? String(word.dropLast()) : word
                #expect(outcome.errors.contains(said), "\(word)\n\(outcome.errors)")
            }
        }
        #expect(try server.process.run("head", "--format", "json").lines != size)
        let before = try server.process.run("log", "--format", "json").lines.count
        for (body, _) in cases { try Self.decide(server, body) }
        #expect(try server.process.run("log", "--format", "json").lines.count == before)
    }

    @Test func `of several decisions all are stored or none`() throws {
        let (server, trips) = try Self.served()
        let edits = trips.map { #"{"type":"details_edited","trip":"\#($0)","client":"ACME"}"# }
        let bad = #"{"type":"distance_adjusted","trip":"last","distance_m":7,"why":""}"#
        let before = try server.process.run("log", "--format", "json").lines.count
        let refused = try Self.decide(
            server,
            #"{"decisions":[\#((edits + [bad]).joined(separator: ","))]}"#
        )
        #expect(refused.status == 422)
        #expect(try Self.object(refused)["decision"] as? Int == 3)
        #expect(try server.process.run("log", "--format", "json").lines.count == before)
        let body = #"{"decisions":[\#(edits.joined(separator: ","))]}"#
        let key = "Idempotency-Key: morning"
        let decided = try Self.decided(Self.decide(server, body, key))
        #expect(decided.map { $0["receipt"] as? String } == ["appended", "appended"])
        let again = try Self.decide(server, body, key)
        #expect(again.head.contains("X-Idempotency-Replayed: true"))
        #expect(
            try Self.decided(again).map { $0["receipt"] as? String } == ["duplicate", "duplicate"]
        )
        let edited = try server.process.run("log", "--type", "details_edited", "--format", "json")
        #expect(edited.lines.count == 2)
        let other = body.replacingOccurrences(of: "ACME", with: "Other")
        #expect(try Self.decide(server, other, key).status == 422)
    }

    @Test func `a decision without a type, or of an unknown one, is told of the types`() throws {
        let (server, trips) = try Self.served()
        let untyped = try Self.decide(server, #"{"trip":"\#(trips[0])","purpose":"x"}"#)
        #expect(untyped.status == 400 && untyped.body.contains("no `type`"), "\(untyped)")
        let unknown = try Self.decide(server, #"{"type":"edit","trip":"\#(trips[0])"}"#)
        #expect(unknown.status == 422 && unknown.body.contains("details_edited"), "\(unknown)")
    }

    @Test func `a member of which nothing is known is refused, in a decision and beside all`()
        throws
    {
        let (server, trips) = try Self.served()
        let edit = #"{"type":"details_edited","trip":"\#(trips[0])","client":"ACME""#
        let beside = try Self.decide(server, #"{"decisions":[\#(edit)}],"colour":"x"}"#)
        #expect(beside.status == 400 && beside.body.contains(#""field":"colour""#), "\(beside)")
        for inside in [#"{"decisions":[\#(edit),"colour":"x"}]}"#, edit + #","colour":"x"}"#] {
            let answer = try Self.decide(server, inside)
            #expect(answer.status == 422 && answer.body.contains("unknown_field"), "\(answer)")
        }
        #expect(try server.process.run("log", "--type", "details_edited").lines.isEmpty)
    }

    @Test func `a merge that is sent again is the same, although it could not be made any more`()
        throws
    {
        let (server, trips) = try Self.served()
        let body = #"{"type":"trips_merged","trips":["\#(trips[1])","\#(trips[0])"]}"#
        let first = try Self.decided(Self.decide(server, body, "Idempotency-Key: m"))[0]
        #expect(first["receipt"] as? String == "appended")
        #expect(first["undo_takes_back"] as? [String] == ["merged"])
        let second = try Self.decided(Self.decide(server, body, "Idempotency-Key: m"))[0]
        #expect(second["receipt"] as? String == "duplicate")
        #expect(try Self.decide(server, body).status == 422)
    }

    @Test func `what is sent again under its key is stored once, and its answer takes it back`()
        throws
    {
        let (server, trips) = try Self.served()
        let expense = #"{"type":"expense_recorded","kind":"toll","amount":9.99,"currency":"EUR"}"#
        let bodies = [
            expense,
            #"{"type":"trip_reported","started_at":"2025-03-04T10:00:00Z","#
                + #""ended_at":"2025-03-04T11:00:00Z","distance_m":5000}"#,
            #"{"type":"details_edited","trip":"\#(trips[0])","purpose":"Roof"}"#,
        ]
        func log() throws -> Int {
            try server.process.run("log", "--format", "json").lines.count
        }
        for (number, body) in bodies.enumerated() {
            let key = "Idempotency-Key: \(number)"
            let first = try Self.decided(Self.decide(server, body, key))[0]
            let size = try log()
            let again = try Self.decided(Self.decide(server, body, key))[0]
            #expect(try log() == size, "\(body)")
            #expect(again["of"] as? Int == first["position"] as? Int, "\(body)")
            // The first answer may never have arrived.
            let undos = try [first, again]
                .map { try #require($0["undo"] as? [String: Any], "\(body)") }
                .map { NSDictionary(dictionary: $0) }
            #expect(undos[0] == undos[1], "\(body)")
            #expect(again["expense"] as? String == first["expense"] as? String, "\(body)")
            let undo = try JSONSerialization.data(withJSONObject: undos[1])
            _ = try Self.decided(Self.decide(server, String(decoding: undo, as: UTF8.self)))
        }
        func standing() throws -> Int? {
            let answer = try Self.object(server.get("/v1/expenses"))
            return (answer["items"] as? [[String: Any]])?.count
        }
        #expect(try standing() == 0)
        // Under another key the same is paid once more.
        for key in ["x", "y"] { try Self.decide(server, expense, "Idempotency-Key: \(key)") }
        #expect(try standing() == 2)
    }

    @Test func `If-Match leaves a trip alone that was changed meanwhile`() throws {
        let (server, trips) = try Self.served()
        let tag = try #require(
            server.get("/v1/trips/\(trips[0])").head.firstMatch(of: #/ETag: ("\d+")/#)?.1
        )
        let body = #"{"type":"details_edited","trip":"\#(trips[0].prefix(8))","client":"ACME"}"#
        #expect(try Self.decide(server, body, "If-Match: \(tag)").status == 200)
        let late = try Self.decide(server, body, "If-Match: \(tag)")
        #expect(late.status == 412)
        #expect(late.body.contains("urn:ledger:changed"))
        let other = body.replacingOccurrences(of: trips[0].prefix(8), with: trips[1].prefix(8))
        #expect(try Self.decide(server, other, "If-Match: \(tag)").status == 200)
    }

    @Test func `each scope decides what it may, and no more`() throws {
        let (server, _) = try Self.served()
        let edit = #"{"type":"details_edited","trip":"last","client":"ACME"}"#
        let place = #"{"type":"place_saved","place":"Home","lat":51.9,"lon":4.4}"#
        let reading = #"{"type":"odometer_read","vehicle":"van","value":48211}"#
        let table: [(scope: String, allowed: [String], refused: [String])] = [
            ("edit", [edit, reading], [place]), ("admin", [edit, place, reading], []),
            ("ingest", [reading], [edit, place]), ("read", [], [edit, place, reading]),
        ]
        let process = server.process
        #expect(server.end(with: SIGTERM).exitCode == 0)
        let port = try ServedLedger(process)
        for (scope, allowed, refused) in table {
            let options =
                scope == "ingest" ? ["--scope", scope, "--source", "car"] : ["--scope", scope]
            let made = try process.run(["token", "new", scope, "--format", "json"] + options)
            let token = try #require(
                made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1,
                "\(made.errors)"
            )
            let status = { (body: String) in
                try port.connect()
                    .post(
                        Data(body.utf8),
                        as: "application/json",
                        to: "/v1/decisions",
                        port.port,
                        ["Authorization: Bearer \(token)"]
                    )
            }
            for body in allowed {
                let answer = try status(body)
                #expect(answer.status == 200, "\(scope): \(answer.body)")
                let mayRead = scope == "admin"
                #expect(answer.body.contains(#""trips":["#) == (mayRead && body == edit))
            }
            for body in refused {
                let answer = try status(body)
                #expect(answer.status == 403, "\(scope): \(answer.body)")
            }
        }
        let log = try process.run("log", "--type", "details_edited", "--format", "json").lines
        #expect(log.allSatisfy { $0.contains(#""actor":"edit""#) || $0.contains("admin") })
    }

    @Test func `who may not read learns nothing of trips by what it decides`() throws {
        let (server, trips) = try Self.served()
        let process = server.process
        let said = try process.run("edit", trips[0], "--purpose", "Secret", "--client", "Secret")
        #expect(said.exitCode == 0, "\(said.errors)")
        #expect(server.end(with: SIGTERM).exitCode == 0)
        let port = try ServedLedger(process)
        let edit = "Authorization: Bearer \(try port.token("edit", "--scope", "edit"))"
        let scopes = ["--scope", "edit", "--scope", "read"]
        let made = try process.run(["token", "new", "reader", "--format", "json"] + scopes)
        let token = try #require(made.text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
        let reader = "Authorization: Bearer \(token)"
        func decide(_ body: String, _ field: String) throws -> ServedLedger.Answer {
            try port.post(Data(body.utf8), as: "application/json", to: "/v1/decisions", field)
        }
        // Every answer to what is stored is a receipt.
        for body in [
            #"{"type":"details_edited","trip":"\#(trips[0])","purpose":".","client":"."}"#,
            #"{"type":"details_edited","trip":"last","notes":"."}"#,
            #"{"type":"distance_adjusted","trip":"\#(trips[0])","distance_m":7,"why":"."}"#,
            #"{"type":"trip_voided","trip":"\#(trips[1])","why":"."}"#,
            #"{"type":"trip_restored","trip":"\#(trips[1])"}"#,
            #"{"type":"expense_recorded","trip":"\#(trips[0])","kind":"toll","amount":1,"#
                + #""currency":"EUR"}"#,
            #"{"type":"odometer_read","vehicle":"unknown","value":1,"unit":"km"}"#,
        ] {
            let decided = try Self.decided(decide(body, edit))[0]
            #expect(Set(decided.keys) == ["type", "receipt", "position"], "\(body): \(decided)")
        }
        // A refusal has its code, and the words of the command for who may read.
        let split = #"{"type":"trip_split","trip":"\#(trips[0])","split_at":"23:59"}"#
        let (blind, told) = (try decide(split, edit), try decide(split, reader))
        #expect(blind.status == 422 && told.status == 422, "\(blind) \(told)")
        let (ours, theirs) = (try Self.object(blind), try Self.object(told))
        #expect(ours["code"] as? String == theirs["code"] as? String)
        #expect(ours["cause"] as? String != theirs["cause"] as? String)
        #expect(!blind.body.contains(trips[0].prefix(8)), "\(blind)")
        // No beginning of an id tells the rest of it, or that there is one.
        for prefix in [trips[0].prefix(1), trips[0].prefix(31), "ffff"] {
            let body = #"{"type":"trip_restored","trip":"\#(prefix)"}"#
            let answer = try decide(body, edit)
            #expect(answer.status == 403 && answer.body.contains("whole id"), "\(answer)")
            #expect(!answer.body.contains(trips[0].prefix(8)), "\(answer)")
        }
        // The control: who may read as well is told what was there.
        let read = try decide(
            #"{"type":"details_edited","trip":"\#(trips[0].prefix(12))","purpose":"New"}"#,
            reader
        )
        let changes = try Self.decided(read)[0]["changes"] as? [[String: Any]]
        #expect(changes?.first?["old"] as? String == ".", "\(read)")
    }

    @Test func `who decides is who asks, and another actor is refused`() throws {
        let (server, _) = try Self.served()
        let process = server.process
        #expect(server.end(with: SIGTERM).exitCode == 0)
        let port = try ServedLedger(process)
        func field(_ name: String, _ scope: String) throws -> String {
            "Authorization: Bearer \(try port.token(name, "--scope", scope))"
        }
        let (edit, admin) = (try field("Eva", "edit"), try field("admin", "admin"))
        let sync = try field("laptop", "sync")
        func edited(by actor: String) -> Data {
            Data(#"{"type":"details_edited","trip":"last","notes":"n","actor":"\#(actor)"}"#.utf8)
        }
        func decide(_ actor: String, _ field: String) throws -> ServedLedger.Answer {
            try port.post(edited(by: actor), as: "application/json", to: "/v1/decisions", field)
        }
        let forged = try decide("Boss", edit)
        #expect(forged.status == 403 && forged.body.contains("other_actor"), "\(forged)")
        #expect(try decide("Boss", admin).status == 403)
        #expect(try decide("Eva", edit).status == 200)
        // As an event too; what another ledger says keeps what was said there.
        let line =
            #"{"type":"place_removed","place":"a","occurred_at":"2026-01-05T08:00:00Z","#
            + #""actor":"Boss"}"#
        let event = Data(line.utf8)
        #expect(try port.post(event, admin).status == 403)
        #expect(try port.post(event, sync).status == 200)
        let reading =
            #"{"type":"odometer_read","vehicle":"v","value":1,"unit":"km","actor":"Boss"}"#
        #expect(try port.post(Data(reading.utf8), try field("box", "ingest")).status == 403)
        let log = try process.run("log", "--format", "json").lines
        #expect(log.count { $0.contains(#""actor":"Boss""#) } == 1)
        #expect(log.contains { $0.contains("details_edited") && $0.contains(#""actor":"Eva""#) })
    }

    @Test func `names of requests are each token's own`() throws {
        let (server, trips) = try Self.served()
        let process = server.process
        #expect(server.end(with: SIGTERM).exitCode == 0)
        let port = try ServedLedger(process)
        let fields = try ["a", "a:b"]
            .map {
                "Authorization: Bearer \(try port.token($0, "--scope", "edit"))"
            }
        func decide(_ index: Int, _ key: String, _ notes: String) throws -> ServedLedger.Answer {
            let body = #"{"type":"details_edited","trip":"\#(trips[0])","notes":"\#(notes)"}"#
            return try port.post(
                Data(body.utf8),
                as: "application/json",
                to: "/v1/decisions",
                fields[index],
                "Idempotency-Key: \(key)"
            )
        }
        let first = try decide(0, "b:1", "one")
        #expect(first.status == 200 && !first.head.contains("X-Idempotency-Replayed"))
        for (index, key) in [(1, "b:1"), (1, "1")] {
            let other = try decide(index, key, "two \(key)")
            #expect(other.status == 200, "\(other)")
            #expect(!other.head.contains("X-Idempotency-Replayed"), "\(other)")
        }
        let again = try decide(0, "b:1", "one")
        #expect(again.status == 200 && again.head.contains("X-Idempotency-Replayed: true"))
        #expect(try decide(0, "b:1", "other").status == 422)
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `answers have the forms of their schemas`() throws {
        let (server, trips) = try Self.served()
        let bodies = [
            #"{"type":"details_edited","trip":"last","client":"ACME","vehicle":"van"}"#,
            #"{"type":"distance_adjusted","trip":"last","distance_m":7000.5,"why":"Odometer"}"#,
            #"{"type":"trip_restored","trip":"last"}"#,
            #"{"type":"trips_merged","trips":["\#(trips[0])","\#(trips[1])"]}"#,
            #"{"type":"expense_recorded","kind":"fuel","amount":61.2,"currency":"EUR","#
                + #""vehicle":"van","odometer":48211}"#,
            #"{"type":"trip_reported","started_at":"2025-03-04T10:00:00Z","#
                + #""ended_at":"2025-03-04T11:00:00Z","vehicle":"van","odometer_start":48211,"#
                + #""odometer_end":48230}"#,
            #"{"type":"field_defined","key":"project"}"#,
        ]
        let answers = try bodies.map { try Self.decide(server, $0) }
        #expect(answers.map(\.status) == bodies.map { _ in 200 }, "\(answers.map(\.body))")
        #expect(
            try JSONSchemaValidator.complaints(
                about: answers.map(\.body),
                schema: "decisions-answer"
            ) == bodies.map { _ in "" }
        )
        let undone = try answers.compactMap { try Self.decided($0)[0]["undo"] }
            .map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        #expect(undone.count == 5)
        #expect(
            try JSONSchemaValidator.complaints(about: undone, schema: "decision")
                == undone.map { _ in "" }
        )
        let problems = try ["x", "[]", #"{"type":"go_pressed"}"#, #"{"decisions":[]}"#, bodies[3]]
            .map { try Self.decide(server, $0) }
        #expect(problems.map(\.status) == [400, 400, 422, 400, 422])
        #expect(
            try JSONSchemaValidator.complaints(about: problems.map(\.body), schema: "problem")
                == problems.map { _ in "" },
            "\(problems)"
        )
    }
}
