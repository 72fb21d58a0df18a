import DriveSimulation
import Foundation
import Synchronization
import TestSupport
import Testing

/// The changes that `ledger serve` sends to followers.
@Suite struct ServeChangesTests {
    /// A page of changes.
    private struct Page: Decodable {
        struct Item: Decodable {
            var cursor: String
            var kind: String
            var operation: String
            var key: String
        }

        var items: [Item]
        var next: String
        var hasMore: Bool

        private enum CodingKeys: String, CodingKey {
            case items
            case next = "next_cursor"
            case hasMore = "has_more"
        }
    }

    private static func page(_ server: ServedLedger, _ query: String) throws -> Page {
        let answer = try server.get("/v1/changes?\(query)")
        try #require(answer.status == 200, "\(answer)")
        return try JSONDecoder().decode(Page.self, from: Data(answer.body.utf8))
    }

    private static func latest(_ server: ServedLedger) throws -> String {
        let body = try server.get("/v1/changes/latest-cursor").body
        return try #require(body.firstMatch(of: #/"cursor":"([^"]+)"/#).map { String($0.1) })
    }

    /// Names places, a vehicle, a routine and a field.
    private static func nameThings(in server: ServedLedger) throws {
        let outcome = try server.process.shell(
            """
            set -e
            ledger place save Home --lat 51.92 --lon 4.36
            ledger place save Work --lat 51.90 --lon 4.40
            ledger place remove Work
            ledger vehicle register Van
            ledger routine save Office --purpose Work
            ledger field define order --label Order --type text
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `who follows has all rows in the end, whoever appends`(seed: UInt64) throws {
        let server = try ServedLedger.onSocket()
        var random = SplitMix64(seed: seed)
        var rows: [String: Set<String>] = [:]
        var cursor = ""
        func read() throws -> Bool {
            let limit = UInt64.random(in: 1...9, using: &random)
            let page = try Self.page(server, "limit=\(limit)\(cursor)")
            #expect(page.items.count <= limit)
            for item in page.items {
                if item.operation == "put" {
                    rows[item.kind, default: []].insert(item.key)
                } else {
                    rows[item.kind]?.remove(item.key)
                }
            }
            cursor = "&cursor=\(page.next)"
            return page.hasMore
        }
        var lines = DriveLines.mixed(seed: seed).shuffled(using: &random)[...]
        while !lines.isEmpty {
            let part = lines.prefix(Int.random(in: 1...600, using: &random))
            lines = lines.dropFirst(part.count)
            if Bool.random(using: &random) {
                #expect(try server.post(DriveLines.data(part)).status == 200)
            } else {
                try server.process.append(DriveLines.data(part))
            }
            _ = try read()
        }
        try Self.nameThings(in: server)
        while try read() {}
        let all = try server.process.run("trips", "--all", "--format", "json").text
        let ids = all.matches(of: #/\{"id":"([0-9a-f]{32})"/#).map { String($0.1) }
        #expect(rows["trip"] == Set(ids), "seed \(seed)")
        #expect(!ids.isEmpty)
        let places = try server.process.run("place", "list", "--format", "json").text
            .matches(of: #/\{"place":"([^"]+)"/#).map { String($0.1) }
        #expect(rows["place"] == Set(places) && places.contains("Home"))
        let visits = try server.process.run("visits", "--format", "json").lines.count
        #expect(rows["visit", default: []].count == visits, "seed \(seed)")
        #expect(rows["vehicle"] == ["Van"])
        #expect(rows["routine"] == ["Office"])
        #expect(rows["field"] == ["order"])
        #expect(try server.process.run("project", "--check").exitCode == 0)
        #expect(try server.process.run("project", "--rebuild").exitCode == 0)
        let page = try Self.page(server, "limit=9\(cursor)")
        #expect(page.items.isEmpty && !page.hasMore, "views that are made anew are no changes")
        #expect(try server.process.run("verify").exitCode == 0)
    }

    @Test func `kinds, and the newest cursor, leave out what is not asked for`() throws {
        let server = try ServedLedger.onSocket()
        try server.process.append(DriveLines.data(DriveLines.mixed(seed: 3)))
        _ = try server.process.run("place", "save", "Home", "--lat", "51.9", "--lon", "4.3")
        let places = try Self.page(server, "kinds=place,field&limit=1000")
        #expect(places.items.contains { $0.key == "Home" })
        #expect(places.items.allSatisfy { $0.kind == "place" })
        #expect(!places.hasMore)
        #expect(try places.next == Self.latest(server))
        #expect(try Self.page(server, "cursor=\(Self.latest(server))").items.isEmpty)
        let answer = try server.get("/v1/changes?kinds=place,moon")
        #expect(answer.status == 400)
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `changes have the forms of their schemas`() throws {
        let server = try ServedLedger.onSocket()
        try server.process.append(DriveLines.data(DriveLines.mixed(seed: 3)))
        _ = try server.process.run("place", "save", "Home", "--lat", "51.9", "--lon", "4.3")
        _ = try server.process.run("place", "remove", "Home")
        let page = try server.get("/v1/changes?limit=1000").body
        #expect(try JSONSchemaValidator.complaints(about: [page], schema: "page") == [""])
        let object = try JSONSerialization.jsonObject(with: Data(page.utf8)) as? [String: Any]
        let items = try #require(object?["items"] as? [[String: Any]])
        let lines = try items.map { item in
            String(
                decoding: try JSONSerialization.data(withJSONObject: item),
                as: UTF8.self
            )
        }
        #expect(
            try JSONSchemaValidator.complaints(about: lines, schema: "change")
                == lines.map { _ in "" }
        )
        let rows = try items.filter { $0["kind"] as? String == "trip" }
            .compactMap { item in
                try item["row"]
                    .map {
                        String(
                            decoding: try JSONSerialization.data(withJSONObject: $0),
                            as: UTF8.self
                        )
                    }
            }
        #expect(!rows.isEmpty)
        #expect(
            try JSONSchemaValidator.complaints(about: rows, schema: "trip") == rows.map { _ in "" }
        )
        let latest = try server.get("/v1/changes/latest-cursor").body
        #expect(
            try JSONSchemaValidator.complaints(about: [latest], schema: "latest-cursor") == [""]
        )
    }

    @Test(arguments: [true, false])
    func `who waits is told when something is appended, by the server or not`(
        isPosted: Bool
    ) throws {
        // Long before the wait is over.
        let answer = try Scene.played(within: .seconds(20)) {
            let server = try ServedLedger.onSocket()
            let cursor = try Self.latest(server)
            let connection = try server.connect()
            try connection.send(
                "GET /v1/changes?wait=30&cursor=\(cursor) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Connection: close\r\n\r\n"
            )
            let line = #"{"type":"go_pressed","source":"button"}"#
            if isPosted {
                #expect(try server.post(Data(line.utf8), as: "application/json").status == 200)
            } else {
                #expect(try server.process.run("go", "--source", "button").exitCode == 0)
            }
            return try ServedLedger.Answer(connection.answer())
        }
        #expect(answer.body.contains(#""kind":"trip""#), "\(answer)")
    }

    @Test func `who waits for nothing gets an empty page, also when the server ends`() throws {
        let server = try ServedLedger.onSocket()
        let cursor = try Self.latest(server)
        let empty = try Self.page(server, "wait=1&cursor=\(cursor)")
        #expect(empty.items.isEmpty && empty.next == cursor)
        // Long before the wait is over.
        let (end, answer) = try Scene.played(within: .seconds(20)) {
            let server = try ServedLedger.onSocket()
            let cursor = try Self.latest(server)
            let connection = try server.connect()
            try connection.send(
                "GET /v1/changes?wait=30&cursor=\(cursor) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            try server.waitForFollowers(1, until: .now + .seconds(20))
            return (server.end(with: SIGTERM), try ServedLedger.Answer(connection.answer()))
        }
        #expect(end.exitCode == 0, "\(end.errors)")
        #expect(answer.status == 200)
    }

    @Test func `a cursor of another feed is gone, and other text is refused`() throws {
        let server = try ServedLedger.onSocket()
        let cursor = try Self.latest(server)
        let parts = cursor.split(separator: "-")
        let newer = "\(parts[0])-\((UInt64(parts[1]) ?? 0) + 1)"
        for gone in ["1-\(parts[1])", newer] {
            let answer = try server.get("/v1/changes?cursor=\(gone)")
            #expect(answer.status == 410, "\(answer)")
            #expect(answer.body.contains("urn:ledger:cursor-gone"))
        }
        for wrong in ["x", "1", "1-x", "-1", "zz-1"] {
            #expect(try server.get("/v1/changes?cursor=\(wrong)").status == 400)
        }
        #expect(try server.get("/v1/changes?wait=31").status == 400)
    }
}
