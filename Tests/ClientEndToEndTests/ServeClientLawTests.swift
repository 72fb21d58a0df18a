import DriveSimulation
import Foundation
import TestSupport
import Testing

/// A model of the feed client, while replies are lost: it makes events in batches, edits and
/// deletes them, asks again what was not answered, and follows changes by their number.
@Suite struct ServeClientLawTests {
    /// The rows that the app has, and those that it has not delivered yet.
    private struct Model {
        /// A request that is sent until it is answered.
        struct Pending {
            var method: String
            var path: String
            var body: Any?
            var key: String?
        }

        let client: FeedClientApp
        var random: SplitMix64

        /// The rows by kind and id.
        var rows: [String: NSDictionary] = [:]
        var cursor = 0
        var requestCount = 0
        var repeatCount = 0

        /// Sends a request until its reply has come through.
        mutating func send(_ request: Pending) throws -> ServedLedger.Answer {
            while true {
                requestCount += 1
                let answer = try client.ask(
                    request.method,
                    request.path,
                    request.body,
                    key: request.key
                )
                // One reply in three is lost.
                if Int.random(in: 0..<3, using: &random) > 0 { return answer }
                repeatCount += 1
            }
        }

        /// Reads changes until there are no more.
        mutating func pull() throws {
            var hasMore = true
            while hasMore {
                let limit = Int.random(in: 1...40, using: &random)
                let page = try client.object("GET", "changes?since=\(cursor)&limit=\(limit)")
                requestCount += 1
                // The reply to a page is lost, too, and then it is asked for again.
                if Int.random(in: 0..<4, using: &random) == 0 { continue }
                for change in try #require(page["changes"] as? [[String: Any]]) {
                    let kind = try #require(change["entity_type"] as? String)
                    let id = try #require(change["entity_id"] as? String)
                    rows["\(kind) \(id)"] = change["data"] as? NSDictionary
                }
                cursor = try #require(page["next_cursor"] as? Int)
                hasMore = try #require(page["has_more"] as? Bool)
            }
        }

        mutating func uuid() -> String {
            let bits = [random.next(), random.next()].map { String(format: "%016lx", $0) }.joined()
            let digits = Array(bits)
            return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
                .map { String(digits[$0]) }.joined(separator: "-")
        }

        mutating func time() -> String {
            let second = Int.random(in: 0..<86_400, using: &random)
            return String(
                format: "2025-11-%02dT%02d:%02d:%02dZ",
                Int.random(in: 1...28, using: &random),
                second / 3_600,
                second / 60 % 60,
                second % 60
            )
        }

        mutating func event(ofTypes types: [String]) -> [String: Any] {
            var event: [String: Any] = [
                "id": uuid(), "event_type_id": types.randomElement(using: &random) ?? "trip",
                "timestamp": time(), "is_all_day": Bool.random(using: &random),
                "source_type": "manual", "properties": [String: Any](),
            ]
            if Bool.random(using: &random) {
                // "steps" is not defined: the app has counted them.
                event["source_type"] = "healthkit"
                event["properties"] = [
                    "distance_km": ["type": "number", "value": 1.5],
                    "steps": ["type": "number", "value": Int.random(in: 0...9, using: &random)],
                ]
            }
            if Bool.random(using: &random) { event["notes"] = "Note \(event.count)" }
            return event
        }

        /// The ids of rows of a kind, in an order that a seed always gives.
        func ids(_ kind: String) -> [String] {
            rows.keys.filter { $0.hasPrefix("\(kind) ") }
                .map { String($0.dropFirst(kind.count + 1)) }.sorted()
        }

        /// Makes, edits and deletes something.
        mutating func act(_ types: [String]) throws {
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let batch = (0..<50).map { _ in event(ofTypes: types) }
                let answer = try send(
                    Pending(method: "POST", path: "events/batch", body: ["events": batch])
                )
                #expect(answer.status == 201, "\(answer.body.suffix(300))")
            }
            let one = event(ofTypes: types)
            let made = try send(
                Pending(method: "POST", path: "events", body: one, key: one["id"] as? String)
            )
            #expect([200, 201].contains(made.status), "\(made)")
            for id in ids("event").shuffled(using: &random).prefix(5) {
                let isReport = id.contains("-")
                var change: [String: Any] = ["notes": "Edited \(requestCount)"]
                if isReport, Bool.random(using: &random) { change["timestamp"] = time() }
                if isReport { change["end_date"] = NSNull() }
                let answer = try send(
                    Pending(method: "PUT", path: "events/\(id)", body: change)
                )
                // Another one may have deleted it.
                #expect([200, 404].contains(answer.status), "\(answer)")
            }
            for id in ids("event").shuffled(using: &random).prefix(3) {
                let answer = try send(Pending(method: "DELETE", path: "events/\(id)"))
                #expect(answer.status == 204, "\(answer)")
            }
        }
    }

    /// Returns a row without the name of a place, which changes with the place.
    private static func said(of row: NSDictionary?) -> NSDictionary? {
        let row = row?.mutableCopy() as? NSMutableDictionary
        row?.removeObject(forKey: "location_name")
        return row
    }

    /// Does what others do beside the app: the owner, and another app.
    private static func disturb(
        _ client: FeedClientApp,
        _ types: [String],
        _ round: Int
    ) throws {
        if round == 1 {
            let outcome = try client.server.process.shell(
                """
                set -e
                ledger place save Home --lat 51.92 --lon 4.36
                ledger routine save Office --purpose Work
                ledger field define order --label Order --type text
                ledger edit last --notes "By the owner"
                """
            )
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
        if round == 2 {
            _ = try client.server.process.run("routine", "remove", "Office")
            _ = try client.ask("PUT", "event-types/\(types[1])", ["name": "Call"])
        }
    }

    /// Returns all rows of the server by kind and id.
    private static func rows(of client: FeedClientApp) throws -> [String: NSDictionary] {
        var rows: [String: NSDictionary] = [:]
        func add(_ kind: String, _ path: String) throws -> Int {
            let list = try client.list(path)
            for row in list { rows["\(kind) \(row["id"] as? String ?? "")"] = row as NSDictionary }
            return list.count
        }
        var offset = 0
        while case let count = try add("event", "events?limit=100&offset=\(offset)"), count > 0 {
            offset += count
        }
        _ = try add("event_type", "event-types")
        _ = try add("geofence", "geofences")
        _ = try add("property_definition", "event-types/trip/properties")
        return rows
    }

    @Test(arguments: Seeds.fresh(1))
    func `who pulls until there is no more has exactly the rows of the server`(
        seed: UInt64
    ) throws {
        let client = try FeedClientApp()
        var model = Model(client: client, random: SplitMix64(seed: seed))
        var types: [String] = ["trip"]
        for name in ["Visit", "Delivery"] {
            let id = model.uuid()
            types.append(id)
            let answer = try model.send(
                Model.Pending(
                    method: "POST",
                    path: "event-types",
                    body: ["id": id, "name": name, "color": "#123456", "icon": "car"],
                    key: id
                )
            )
            #expect([200, 201].contains(answer.status), "\(answer)")
        }
        let drives = DriveLines.mixed(seed: seed).shuffled(using: &model.random)
        var rest = drives[...]
        for round in 0..<4 {
            try model.act(types)
            // Others append beside it: a phone, and the owner.
            let part = rest.prefix(drives.count / 4)
            rest = rest.dropFirst(part.count)
            try client.server.process.append(DriveLines.data(part))
            try Self.disturb(client, types, round)
            if Bool.random(using: &model.random) { try model.pull() }
        }
        try client.server.process.append(DriveLines.data(rest))
        try model.pull()
        var server = try Self.rows(of: client)
        // The type of trips without a routine is no row that changes.
        server["event_type trip"] = nil
        #expect(Set(model.rows.keys) == Set(server.keys), "seed \(seed)")
        for (name, row) in server {
            let (told, found) = (Self.said(of: model.rows[name]), Self.said(of: row))
            #expect(told == found, "seed \(seed): \(name)")
        }
        #expect(server.count > 100)
        #expect(try client.server.process.run("verify").exitCode == 0)
        #expect(try client.server.process.run("project", "--check").exitCode == 0)
        print(
            "seed \(seed): \(server.count) rows, \(model.requestCount) requests, "
                + "\(model.repeatCount) of them again"
        )
    }
}
