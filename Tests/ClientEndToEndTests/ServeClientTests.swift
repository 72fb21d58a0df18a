import Foundation
import TestSupport
import Testing

/// The feed client creates, changes, deletes and reads: `/api/v1/…`.
@Suite struct ServeClientTests {
    private typealias Client = FeedClientApp

    private static func id(_ number: Int) -> String {
        "019a9f30-5c10-7a11-8e00-" + String(format: "%012d", number)
    }

    private static func event(_ number: Int, _ more: [String: Any] = [:]) -> [String: Any] {
        [
            "id": id(number), "event_type_id": id(900), "timestamp": "2025-11-20T07:30:00Z",
            "is_all_day": false, "source_type": "manual", "properties": [String: Any](),
        ]
        .merging(more) { $1 }
    }

    @Test func `an event is a trip, with what no trip has beside it`() throws {
        let client = try Client()
        let place: [String: Any] = [
            "location_latitude": 51.9, "location_longitude": 4.3, "location_name": "Depot",
            "external_id": "cal-1", "is_all_day": true, "source_type": "calendar",
            "original_title": "Visit", "notes": "Two\nlines", "end_date": "2025-11-20T08:00:00Z",
            "properties": [
                "distance_km": ["type": "number", "value": 12.5],
                "purpose": ["type": "text", "value": "Roof"],
                "steps": ["type": "number", "value": 800],
            ],
        ]
        let made = try client.object("POST", "events", Self.event(1, place), status: 201)
        for (member, value) in Self.event(1, place) {
            #expect(made[member] as? NSObject == value as? NSObject, "\(member)")
        }
        #expect(made["user_id"] as? String == "book")
        let read = try client.object("GET", "events/\(Self.id(1))")
        #expect(read as NSDictionary == made as NSDictionary)
        let found = try client.list("events?external_id=cal-1")
        #expect(found.map { $0["id"] as? String } == [Self.id(1)])
        #expect(try client.list("events?external_id=cal-2").isEmpty)
        let trips = try client.server.process.run("trips", "--format", "json").text
        for part in [
            #""distance_m":12500"#, #""purpose":"Roof""#, #""title":"Visit""#,
            #""started_at":"2025-11-20T08:30:00.000+01:00"#,
        ] {
            #expect(trips.contains(part), "\(part) in \(trips)")
        }
        // A cleared detail is sent as null, and an unchanged one makes no decision.
        var change = made
        change["notes"] = NSNull()
        change["location_name"] = NSNull()
        change["properties"] = [
            "distance_km": ["type": "number", "value": 13],
            "purpose": ["type": "text", "value": "Roof"],
        ]
        let changed = try client.object("PUT", "events/\(Self.id(1))", change)
        #expect(changed["notes"] == nil && changed["location_name"] == nil)
        #expect(changed["properties"] as? NSDictionary == change["properties"] as? NSDictionary)
        #expect(changed["external_id"] as? String == "cal-1")
        #expect(
            try client.types() == ["trip_reported", "details_edited", "distance_adjusted"]
        )
        _ = try client.object("PUT", "events/\(Self.id(1))", change)
        #expect(try client.types().count == 3)
        #expect(try client.ask("DELETE", "events/\(Self.id(1))").status == 204)
        #expect(try client.ask("DELETE", "events/\(Self.id(1))").status == 204)
        #expect(try client.ask("GET", "events/\(Self.id(1))").status == 404)
        #expect(try client.ask("DELETE", "events/\(Self.id(2))").status == 404)
        #expect(try client.types().last == "trip_voided" && client.types().count == 4)
        #expect(try client.list("events").isEmpty)
        #expect(try client.server.process.run("verify").exitCode == 0)
    }

    @Test func `an event whose time is changed is reported anew, under the same id`() throws {
        let client = try Client()
        _ = try client.object("POST", "events", Self.event(1, ["notes": "Old"]), status: 201)
        let (_, cursor) = try client.changes()
        for hour in ["08", "09"] {
            let time = "2025-11-20T\(hour):00:00Z"
            let changed = try client.object(
                "PUT",
                "events/\(Self.id(1))",
                ["timestamp": time, "notes": "At \(hour)"]
            )
            #expect(changed["id"] as? String == Self.id(1))
            #expect(changed["timestamp"] as? String == time)
            #expect(changed["notes"] as? String == "At \(hour)")
        }
        let events = try client.list("events")
        #expect(events.map { $0["id"] as? String } == [Self.id(1)])
        #expect(events[0]["timestamp"] as? String == "2025-11-20T09:00:00Z")
        let items = try client.changes(since: cursor).items
        #expect(!items.isEmpty)
        for item in items {
            #expect(item["entity_id"] as? String == Self.id(1))
            #expect(item["operation"] as? String != "delete", "\(item)")
            #expect(item["data"] as? NSDictionary == events[0] as NSDictionary)
        }
        #expect(try client.ask("DELETE", "events/\(Self.id(1))").status == 204)
        let gone = try client.changes(since: cursor).items
        #expect(gone.allSatisfy { $0["operation"] as? String == "delete" } && !gone.isEmpty)
    }

    @Test func `a type that was deleted is answered whole when it is made again`() throws {
        let client = try Client()
        let type = ["id": Self.id(900), "name": "Site visit", "icon": "hammer"]
        let made = try client.object("POST", "event-types", type, status: 201)
        _ = try client.ask("DELETE", "event-types/\(Self.id(900))")
        let again = try client.object("POST", "event-types", type)
        #expect(again as NSDictionary == made as NSDictionary)
    }

    @Test func `a trip that was measured is shown, described and deleted, and its times stay`()
        throws
    {
        let client = try Client()
        let lines = DriveLines.mixed(seed: 1)
        try client.server.process.append(DriveLines.data(lines))
        let events = try client.list("events?limit=1000")
        let trips = try client.server.process.run("trips", "--format", "json").lines.count
        #expect(events.count == trips && trips > 3)
        let pages = try (0..<events.count)
            .flatMap { try client.list("events?limit=1&offset=\($0)") }
        #expect(pages as NSArray == events as NSArray)
        let ended = try #require(events.first { $0["end_date"] != nil })
        let id = try #require(ended["id"] as? String)
        #expect(ended["event_type_id"] as? String == "trip")
        #expect(ended["source_type"] as? String == "geofence")
        let changed = try client.object("PUT", "events/\(id)", ["notes": "Seen"])
        #expect(changed["notes"] as? String == "Seen")
        let refused = try client.ask(
            "PUT",
            "events/\(id)",
            ["timestamp": "2024-01-01T00:00:00Z"]
        )
        #expect(refused.status == 400 && refused.body.contains("it was measured"), "\(refused)")
        #expect(try client.ask("DELETE", "events/\(id)").status == 204)
        #expect(try client.list("events?limit=1000").count == trips - 1)
        let shown = try client.list("event-types").map { $0["id"] as? String }
        #expect(shown == ["trip"])
    }

    @Test func `a type is a routine, which keeps its id when it is called otherwise`() throws {
        let client = try Client()
        let type: [String: Any] = [
            "id": Self.id(900), "name": "Visits", "color": "#FF0000", "icon": "house",
        ]
        let made = try client.object("POST", "event-types", type, status: 201)
        let again = try client.ask("POST", "event-types", type)
        #expect(again.status == 200 && again.head.contains("X-Idempotency-Replayed: true"))
        let renamed = type.merging(["name": "Other"]) { $1 }
        let other = try client.ask("POST", "event-types", renamed, key: Self.id(900))
        #expect(other.status == 422 && other.body.contains(#""fields":["name"]"#), "\(other)")
        #expect(
            try client.list("event-types").map { $0["id"] as? String } == [Self.id(900), "trip"]
        )
        _ = try client.server.process.run("routine", "save", "Visits", "--client", "Roofs Ltd")
        let event = try client.object("POST", "events", Self.event(1), status: 201)
        #expect(event["event_type_id"] as? String == Self.id(900))
        let trips = try client.server.process.run("trips", "--format", "json").text
        #expect(trips.contains(#""client":"Roofs Ltd""#) && trips.contains(#""routine":"Visits""#))
        let (_, cursor) = try client.changes()
        let changed = try client.object(
            "PUT",
            "event-types/\(Self.id(900))",
            ["name": "Calls", "color": "#00FF00", "icon": NSNull()]
        )
        #expect(changed["name"] as? String == "Calls" && changed["icon"] as? String == "house")
        #expect(changed["color"] as? String == "#00FF00")
        #expect(changed["created_at"] as? String == made["created_at"] as? String)
        let told = try client.changes(since: cursor).items
            .filter { $0["entity_type"] as? String == "event_type" }
        #expect(!told.isEmpty)
        for item in told {
            #expect(item["entity_id"] as? String == Self.id(900))
            #expect(item["data"] as? NSDictionary == changed as NSDictionary)
        }
        #expect(
            try client.object("GET", "events/\(Self.id(1))")["event_type_id"] as? String
                == Self.id(900)
        )
        // A color alone is told too, though no routine has one.
        let (_, second) = try client.changes()
        _ = try client.object("PUT", "event-types/\(Self.id(900))", ["color": "#0000FF"])
        #expect(try client.changes(since: second).items.count == 1)
        // A routine that was made elsewhere has an id that can stand in an address.
        _ = try client.server.process.run("routine", "save", "To work/home", "--purpose", "Work")
        let ids = try client.list("event-types").compactMap { $0["id"] as? String }
        #expect(ids == [Self.id(900), "To%20work%2Fhome", "trip"])
        #expect(
            try client.object("GET", "event-types/To%20work%2Fhome")["name"] as? String
                == "To work/home"
        )
        #expect(try client.ask("DELETE", "event-types/\(Self.id(900))").status == 204)
        #expect(try client.ask("GET", "event-types/\(Self.id(900))").status == 404)
        #expect(try client.ask("DELETE", "event-types/trip").status == 400)
        let last = try client.changes(since: second).items
            .last { item in
                item["entity_id"] as? String == Self.id(900)
            }
        #expect(last?["operation"] as? String == "delete")
    }

    @Test func `a geofence is a place, and one that is not active tells nothing`() throws {
        let client = try Client()
        let fence: [String: Any] = [
            "id": Self.id(1), "name": "Gym", "latitude": 51.9, "longitude": 4.3, "radius": 80,
            "event_type_entry_id": Self.id(900), "is_active": true, "notify_on_entry": true,
            "notify_on_exit": false,
        ]
        let made = try client.object("POST", "geofences", fence, status: 201)
        for (member, value) in fence {
            #expect(made[member] as? NSObject == value as? NSObject, "\(member)")
        }
        let again = try client.ask("POST", "geofences", fence)
        #expect(again.status == 200 && again.head.contains("X-Idempotency-Replayed: true"))
        let wider = fence.merging(["radius": 90]) { $1 }
        let other = try client.ask("POST", "geofences", wider, key: Self.id(1))
        #expect(other.status == 422 && other.body.contains(#""fields":["radius"]"#), "\(other)")
        var change: [String: Any] = ["name": "Pool", "is_active": false]
        let quiet = try client.object("PUT", "geofences/\(Self.id(1))", change)
        #expect(quiet["name"] as? String == "Pool" && quiet["is_active"] as? Bool == false)
        #expect(quiet["notify_on_entry"] as? Bool == true && quiet["radius"] as? Double == 80)
        let list = try client.server.process.run("place", "list", "--format", "json").text
        #expect(list.contains(#""label":"Pool""#) && list.contains(#""notify_on_entry":false"#))
        #expect(try client.list("geofences?active=true").isEmpty)
        let count = try client.types().count
        _ = try client.object("PUT", "geofences/\(Self.id(1))", change)
        #expect(try client.types().count == count)
        change = ["is_active": true, "event_type_entry_id": NSNull()]
        let loud = try client.object("PUT", "geofences/\(Self.id(1))", change)
        #expect(loud["event_type_entry_id"] == nil && loud["notify_on_entry"] as? Bool == true)
        _ = try client.server.process.run(
            ["place", "save", "home", "--label", "Home", "--lat", "51", "--lon", "4"]
        )
        #expect(try client.list("geofences").map { $0["id"] as? String } == [Self.id(1), "home"])
        let far = try client.ask("POST", "geofences", ["name": "Moon", "latitude": 91])
        #expect(far.status == 400 && far.body.contains("91 is out of range (-90 to 90)"), "\(far)")
        for _ in 0..<2 { #expect(try client.ask("DELETE", "geofences/home").status == 204) }
        #expect(try client.ask("DELETE", "geofences/moon").status == 404)
        let told = try client.changes().items
            .map {
                [$0["entity_id"] as? String, $0["operation"] as? String]
            }
        #expect(told == [[Self.id(1), "update"], ["home", "delete"]])
    }

    @Test func `a definition is a field, which several types may share`() throws {
        let client = try Client()
        let mood: [String: Any] = [
            "id": Self.id(1), "event_type_id": Self.id(900), "key": "mood", "label": "Mood",
            "property_type": "select", "options": ["good", "bad"], "default_value": "good",
            "display_order": 2,
        ]
        let path = "event-types/\(Self.id(900))/properties"
        let made = try client.object("POST", path, mood, status: 201)
        for (member, value) in mood {
            #expect(made[member] as? NSObject == value as? NSObject, "\(member)")
        }
        #expect(try client.ask("POST", path, mood).status == 200)
        let second = mood.merging(["id": Self.id(2), "event_type_id": Self.id(901)]) { $1 }
        _ = try client.object(
            "POST",
            "event-types/\(Self.id(901))/properties",
            second,
            status: 201
        )
        #expect(try client.list(path).map { $0["id"] as? String } == [Self.id(1)])
        let wrong = try client.ask(
            "POST",
            path,
            mood.merging(["id": Self.id(3), "property_type": "number"]) { $1 }
        )
        #expect(wrong.status == 400 && wrong.body.contains("type select already"), "\(wrong)")
        // A value that the field takes is one of the trip; what else the app measured is kept.
        let properties: [String: Any] = [
            "mood": ["type": "select", "value": "good"],
            "pulse": ["type": "number", "value": 61.5],
        ]
        let event = try client.object(
            "POST",
            "events",
            Self.event(1, ["properties": properties, "source_type": "healthkit"]),
            status: 201
        )
        #expect(event["properties"] as? NSDictionary == properties as NSDictionary)
        let trips = try client.server.process.run("trips", "--format", "json").text
        #expect(trips.contains(#""fields":{"mood":"good"}"#), "\(trips)")
        let changed = try client.object(
            "PUT",
            "property-definitions/\(Self.id(1))",
            ["label": "How it was", "default_value": NSNull()]
        )
        #expect(changed["label"] as? String == "How it was" && changed["default_value"] == nil)
        #expect(try client.ask("DELETE", "property-definitions/\(Self.id(1))").status == 204)
        #expect(try client.ask("DELETE", "property-definitions/\(Self.id(1))").status == 204)
        #expect(try client.list(path).isEmpty)
        #expect(try client.object("GET", "property-definitions/\(Self.id(2))")["key"] != nil)
        let told = try client.changes().items
            .filter { $0["entity_type"] as? String == "property_definition" }
            .map { [$0["entity_id"] as? String, $0["operation"] as? String] }
        #expect(told == [[Self.id(1), "delete"], [Self.id(2), "update"]])
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `answers have the forms of their schemas`() throws {
        let client = try Client()
        try client.server.process.append(DriveLines.data(DriveLines.mixed(seed: 2)))
        _ = try client.server.process.run("place", "save", "Home", "--lat", "51.9", "--lon", "4.3")
        _ = try client.server.process.run("routine", "save", "Work", "--purpose", "Work")
        _ = try client.server.process.run(
            ["field", "define", "order", "--label", "Order", "--type", "text"]
        )
        let batch = try client.ask(
            "POST",
            "events/batch",
            ["events": [Self.event(1), ["id": "x"]]]
        )
        #expect(batch.status == 207)
        _ = try client.ask("DELETE", "events/\(Self.id(1))")
        let changes = try ["changes?limit=500", "changes/latest-cursor"]
            .map { try client.ask("GET", $0).body }
        #expect(
            try JSONSchemaValidator.complaints(about: changes, schema: "client-changes")
                == ["", ""]
        )
        func bodies(_ objects: [[String: Any]]) throws -> [String] {
            try objects.map {
                String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
            }
        }
        let events = try bodies(client.list("events?limit=1000")) + [batch.body]
        #expect(
            try JSONSchemaValidator.complaints(about: events, schema: "client-event")
                == events.map { _ in "" }
        )
        let settings = try bodies(
            client.list("event-types") + client.list("geofences")
                + client.list("event-types/trip/properties")
        )
        #expect(settings.count >= 4)
        #expect(
            try JSONSchemaValidator.complaints(about: settings, schema: "client-setting")
                == settings.map { _ in "" }
        )
    }

    @Test func `no message is taken for that of a repeat`() throws {
        let client = try Client()
        _ = try client.object("POST", "events", Self.event(1), status: 201)
        let late = Self.event(1, ["timestamp": "2025-01-01T00:00:00Z"])
        let reused = try client.ask("POST", "events", late, key: Self.id(1))
        #expect(reused.status == 422 && !reused.body.contains("duplicate"), "\(reused)")
        let outcomes: [(String, String, Any?, Int)] = [
            ("POST", "events", Self.event(2, ["timestamp": 5]), 400),
            ("POST", "events", Self.event(2, ["id": "two"]), 400),
            ("POST", "events", Self.event(2, ["end_date": "2024-01-01T00:00:00Z"]), 400),
            ("POST", "events", Self.event(2, ["notes": "a\u{1}b"]), 400),
            ("POST", "events", [1], 400), ("POST", "events/batch", ["events": [Any]()], 400),
            ("POST", "event-types", ["color": "red"], 400),
            ("POST", "event-types/trip/properties", ["key": "notes"], 400),
            ("GET", "events/none", nil, 404),
            ("GET", "changes?since=-1", nil, 400), ("GET", "changes?since=x", nil, 400),
            ("GET", "changes?since=9000000000000000", nil, 410), ("GET", "insights", nil, 404),
            ("PATCH", "events", nil, 405), ("PUT", "event-types/trip", ["name": "A"], 400),
        ]
        for (method, path, body, status) in outcomes {
            let answer = try client.ask(method, path, body)
            #expect(answer.status == status, "\(method) \(path): \(answer)")
            let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
            let error = try #require((value as? [String: Any])?["error"] as? String, "\(answer)")
            #expect(!error.lowercased().contains("duplicate"), "\(error)")
            #expect(!error.lowercased().contains("unique"), "\(error)")
        }
        let twice = Data(#"{"id":"a","id":"b"}"#.utf8)
        let answer = try client.server.post(
            twice,
            as: "application/json",
            to: "/api/v1/events",
            "Authorization: Bearer \(client.token)"
        )
        #expect(answer.status == 400 && !answer.body.lowercased().contains("duplicate"))
        #expect(try client.types() == ["trip_reported"])
        let reader = try client.server.token("page", "--scope", "read")
        let refused = try client.server.post(
            Data("{}".utf8),
            as: "application/json",
            to: "/api/v1/geofences",
            "Authorization: Bearer \(reader)"
        )
        #expect(refused.status == 403 && refused.body.contains(#""error":"#))
    }

    @Test func `who may not read is shown no event by making or changing one`() throws {
        let client = try Client()
        let server = client.server
        let event = Self.event(1, ["notes": "Secret"])
        _ = try client.object("POST", "events", event, status: 201)
        let edit = "Authorization: Bearer \(try server.token("editor", "--scope", "edit"))"
        func ask(_ method: String, _ path: String, _ body: Any) throws -> ServedLedger.Answer {
            let text = String(
                decoding: try JSONSerialization.data(withJSONObject: body),
                as: UTF8.self
            )
            let answer = try server.ask(
                "\(method) /api/v1/\(path) HTTP/1.1",
                "Host: localhost:\(server.port)",
                edit,
                "Content-Type: application/json",
                "Content-Length: \(text.utf8.count)",
                body: text
            )
            return try ServedLedger.Answer(answer)
        }
        let size = try server.process.run("log", "--format", "json").lines.count
        let requests: [(String, String, Any)] = [
            ("PUT", "events/\(Self.id(1))", [String: Any]()), ("POST", "events", event),
            ("POST", "events", Self.event(1, ["notes": "x"])), ("POST", "events", Self.event(2)),
            ("POST", "events/batch", ["events": [event]]),
        ]
        for (method, path, body) in requests {
            let answer = try ask(method, path, body)
            #expect(answer.status == 403 && !answer.body.contains("Secret"), "\(answer)")
        }
        #expect(try server.process.run("log", "--format", "json").lines.count == size)
        // What is deleted tells nothing.
        let deleted = try ask("DELETE", "events/\(Self.id(1))", [String: Any]())
        #expect(deleted.status == 204 && deleted.body.isEmpty, "\(deleted)")
    }
}
