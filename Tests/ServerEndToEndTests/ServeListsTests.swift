import Foundation
import TestSupport
import Testing

/// Lists of what stands in a ledger beside trips, page by page, and the devices that deliver.
@Suite struct ServeListsTests {
    /// A page of a list, whose items are compared as text.
    private struct Page {
        var items: [NSDictionary]
        var next: String?

        init(_ answer: ServedLedger.Answer) throws {
            #expect(answer.status == 200, "\(answer)")
            let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
            let object = try #require(value as? [String: Any])
            items = try #require(object["items"] as? [NSDictionary])
            next = object["next_cursor"] as? String
            #expect(object["has_more"] as? Bool == (next != nil))
        }
    }

    private static func all(_ server: ServedLedger, _ path: String, limit: Int) throws -> [Page] {
        var pages: [Page] = []
        var cursor = ""
        repeat {
            let mark = path.contains("?") ? "&" : "?"
            let page = try Page(server.get("\(path)\(mark)limit=\(limit)\(cursor)"))
            #expect(page.items.count <= limit)
            pages.append(page)
            cursor = page.next.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        return pages
    }

    /// A ledger with trips and five of each kind of thing, whose names are of all kinds.
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        let names = ["Home", "Zoë's", "a/b c", "office", "Äpple"]
        for (number, name) in names.enumerated() {
            let commands = [
                ["place", "save", name, "--lat", "51.\(number)", "--lon", "4.3"],
                ["vehicle", "register", name], ["routine", "save", name, "--purpose", "Work"],
                ["field", "define", "f\(number)", "--label", name, "--order", "\(9 - number)"],
            ]
            for command in commands {
                let outcome = try process.run(command)
                try #require(outcome.exitCode == 0, "\(outcome.errors)")
            }
        }
        try process.append(DriveLines.data(DriveLines.mixed(seed: 5)))
    }

    private static func serve() throws -> ServedLedger {
        try ServedLedger(onSocketOf: fixture.copy())
    }

    @Test(arguments: [1, 2, 3, 100])
    func `pages of a list are the list`(limit: Int) throws {
        let server = try Self.serve()
        for path in [
            "/v1/places", "/v1/vehicles", "/v1/routines", "/v1/fields", "/v1/totals?by=day",
            "/v1/totals?by=class",
        ] {
            let whole = try Page(server.get(path))
            #expect(whole.next == nil && whole.items.count > 1, "\(path)")
            let pages = try Self.all(server, path, limit: limit)
            #expect(pages.flatMap(\.items) == whole.items, "\(path) by \(limit)")
            #expect(pages.count == (whole.items.count + limit - 1) / limit)
        }
        #expect(try server.get("/v1/places?cursor=x").status == 400)
        #expect(try server.get("/v1/places?limit=0").status == 400)
    }

    @Test func `expenses are those of the command, and can be chosen`() throws {
        let server = try Self.serve()
        let trip = try #require(server.process.run("trips", "--format", "ids").lines.first)
        for (number, kind) in ["toll", "parking", "fuel", "fuel", "other"].enumerated() {
            let day = "2025-03-0\(number + 1)"
            let more = number == 0 ? ["--trip", trip] : ["--vehicle", "office"]
            let added = try server.process.run(
                ["expense", "add", kind, "\(number).50", "EUR", "--day", day] + more
            )
            try #require(added.exitCode == 0, "\(added.errors)")
        }
        let listed = try server.process.run("expense", "list", "--format", "json").lines
        let ids = listed.map { String($0.dropFirst(12).prefix(32)) }
        _ = try server.process.run("expense", "void", ids[4], "--why", "Entered twice")
        func found(_ query: String) throws -> [String] {
            try Page(server.get("/v1/expenses?\(query)")).items
                .compactMap { $0["expense"] as? String }
        }
        let standing = Array(ids[..<4].reversed())
        #expect(try found("") == standing)
        #expect(try found("voided=yes") == ids.reversed())
        #expect(try found("from=2025-03-02&to=2025-03-03") == [ids[2], ids[1]])
        #expect(try found("kind=fuel") == [ids[3], ids[2]])
        #expect(try found("trip=\(trip)") == [ids[0]])
        #expect(try found("vehicle=office").count == 3)
        #expect(try Self.all(server, "/v1/expenses", limit: 3).map(\.items.count) == [3, 1])
        let command = try server.process.run("expense", "list", "--format", "json").lines
        let page = try server.get("/v1/expenses").body
        for line in command { #expect(page.contains(line), "\(line)") }
        for (query, status) in [("kind=wash", 400), ("trip=00000000", 404), ("trip=x", 404)] {
            #expect(try server.get("/v1/expenses?\(query)").status == status, "\(query)")
        }
    }

    @Test func `rows added or removed between pages make no page skip a row`() throws {
        let server = try Self.serve()
        let first = try Page(server.get("/v1/places?limit=2"))
        let cursor = try #require(first.next)
        #expect(first.items.map { $0["place"] as? String } == ["Home", "Zoë's"])
        _ = try server.process.run("place", "save", "Aaa", "--lat", "52", "--lon", "4")
        let second = try Page(server.get("/v1/places?cursor=\(cursor)"))
        #expect(
            second.items.map { $0["place"] as? String } == ["a/b c", "day-care", "office", "Äpple"]
        )
        _ = try server.process.run("place", "remove", "Zoë's")
        _ = try server.process.run("place", "remove", "Aaa")
        let third = try Page(server.get("/v1/places?cursor=\(cursor)"))
        #expect(
            third.items.map { $0["place"] as? String } == ["a/b c", "day-care", "office", "Äpple"]
        )
    }

    @Test func `devices are known by their tokens while the server runs`() throws {
        let server = try ServedLedger()
        let phone = try server.token("phone")
        let button = try server.token("button", "--source", "desk")
        let reader = "Authorization: Bearer \(try server.token("page", "--scope", "read"))"
        // What never delivered is there too.
        let silent = try Page(server.get("/v1/devices", reader)).items
        #expect(silent.map { $0["last_contact"] is NSNull } == [true, true])
        let locations = [
            #"{"_type":"location","lat":51.9,"lon":4.3,"tst":1763623800,"batt":83}"#,
            #"{"_type":"location","lat":91,"lon":4.3,"tst":1763623801}"#,
        ]
        for body in locations {
            let answer = try server.post(
                Data(body.utf8),
                as: "application/json",
                to: "/in/\(phone)/owntracks",
                "User-Agent: Owntracks/2.5"
            )
            #expect(answer.status == 200, "\(answer)")
        }
        #expect(
            try server
                .post(
                    Data(),
                    as: "application/json",
                    to: "/v1/go",
                    "Authorization: Bearer \(button)"
                )
                .status == 200
        )
        let answer = try server.get("/v1/devices", reader)
        let items = try Page(answer).items
        #expect(items.map { $0["token"] as? String } == ["button", "phone"])
        #expect(items[0]["door"] as? String == "/v1/go" && items[0]["app"] is NSNull)
        #expect(items[0]["sources"] as? [String] == ["desk"])
        #expect(items[1]["app"] as? String == "Owntracks/2.5")
        #expect(items[1]["battery_percent"] as? Int == 83)
        #expect(items[1]["deliveries"] as? Int == 2 && items[1]["refused"] as? Int == 1)
        let pages = try (0..<2)
            .map { index in
                try Page(
                    server.get(
                        "/v1/devices?limit=1" + (index == 0 ? "" : "&cursor=\(Self.cursor)"),
                        reader
                    )
                )
            }
        #expect(pages.map { $0.items.count } == [1, 1])
        if JSONSchemaValidator.isPresent {
            let lines = try items.map {
                String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
            }
            #expect(
                try JSONSchemaValidator.complaints(about: lines, schema: "device") == ["", ""]
            )
        }
        let refused = try server.get("/v1/devices", "Authorization: Bearer \(phone)")
        #expect(refused.status == 403)
    }

    @Test func `two devices that deliver with one token are told apart by their names`() throws {
        let server = try ServedLedger()
        let reader = "Authorization: Bearer \(try server.token("page", "--scope", "read"))"
        let tokens = (shared: try server.token("shared"), own: try server.token("own"))
        func deliver(_ token: String, as id: String, north: Double, at second: Int) throws {
            let query = "id=\(id)&lat=\(north)&lon=4.3&timestamp=\(1_764_345_000 + second)"
            let answer = try server.post(
                Data(),
                as: "text/plain",
                to: "/in/\(token)/osmand?\(query)"
            )
            #expect(answer.status == 200, "\(answer)")
        }
        for index in 0..<8 {
            let way = Double(index) * 0.001
            try deliver(tokens.shared, as: "bob", north: 52.1 + way, at: index * 10)
            try deliver(tokens.shared, as: "anna", north: 52.5 + way, at: index * 10 + 5)
            // A phone that gets another name is one phone.
            let name = index < 4 ? "old" : "new"
            try deliver(tokens.own, as: name, north: 52.1 + way, at: index * 10)
        }
        let answer = try server.get("/v1/devices", reader)
        let items = try Page(answer).items
        #expect(items.map { $0["token"] as? String } == ["own", "shared"])
        #expect(items.map { $0["device_ids"] as? [String] } == [[], ["anna", "bob"]])
        let verdicts = answer.body.matches(of: #/"verdict":"([a-z]+)"/#).map { String($0.1) }
        #expect(verdicts == ["good", "jumping"])
        // The doctor reads views, and brings none up to date.
        _ = try server.process.run("trips")
        let advice = try server.process.run("doctor").lines.filter { $0.hasPrefix("- Most fixes") }
        #expect(advice.count == 1 && advice[0].contains("of shared are"), "\(advice)")
    }

    /// The cursor after the first device, which is called "button".
    private static let cursor =
        "31-" + "button".utf8.map { String($0, radix: 16) }.joined()
}
