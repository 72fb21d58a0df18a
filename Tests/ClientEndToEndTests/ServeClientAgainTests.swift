import DriveSimulation
import Foundation
import TestSupport
import Testing

/// The feed client says things again: under a known id, under another id, in another order.
@Suite struct ServeClientAgainTests {
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

    private static func type(_ number: Int, _ name: String) -> [String: Any] {
        ["id": id(number), "name": name, "color": "#FF0000", "icon": "house"]
    }

    /// Makes events in one request, and returns those that are answered.
    private static func batch(
        _ client: Client,
        _ events: [[String: Any]]
    ) throws -> [[String: Any]] {
        let made = try client.object("POST", "events/batch", ["events": events], status: 201)
        #expect(made["success"] as? Int == events.count)
        return try #require(made["created"] as? [[String: Any]])
    }

    @Test func `a second type of a name is a duplicate, and the first one stays`() throws {
        let client = try Client()
        _ = try client.object("POST", "event-types", Self.type(900, "Visits"), status: 201)
        _ = try client.object("POST", "events", Self.event(1), status: 201)
        let count = try client.types().count
        let second = try client.ask("POST", "event-types", Self.type(901, "Visits"))
        #expect(second.status == 409 && second.body.contains("urn:ledger:duplicate"), "\(second)")
        #expect(try client.types().count == count)
        #expect(try client.ask("GET", "event-types/\(Self.id(901))").status == 404)
        let first = try client.object("GET", "event-types/\(Self.id(900))")
        #expect(first["name"] as? String == "Visits")
        let event = try client.object("GET", "events/\(Self.id(1))")
        #expect(event["event_type_id"] as? String == Self.id(900))
        // Neither is the name of a routine of the owner taken over, nor by a change of name.
        _ = try client.server.process.run("routine", "save", "Office", "--purpose", "Work")
        let third = try client.ask("POST", "event-types", Self.type(902, "Office"))
        #expect(third.status == 409, "\(third)")
        let path = "event-types/\(Self.id(900))"
        #expect(try client.ask("PUT", path, ["name": "Office"]).status == 409)
        #expect(try client.ask("PUT", path, ["name": "Visits", "icon": "car"]).status == 200)
        // The name of one that was deleted is free.
        #expect(try client.ask("DELETE", path).status == 204)
        _ = try client.object("POST", "event-types", Self.type(901, "Visits"), status: 201)
    }

    @Test func `a type that comes after its trips binds them, once`() throws {
        let client = try Client()
        for number in 1...3 {
            let type = number == 3 ? "trip" : Self.id(900)
            let event = Self.event(number, ["event_type_id": type, "notes": "Roof \(number)"])
            _ = try client.object("POST", "events", event, status: 201)
        }
        let trips = { try client.server.process.run("trips", "--format", "json").lines }
        #expect(try trips().allSatisfy { !$0.contains(#""routine""#) })
        for status in [201, 200] {
            let type = Self.type(900, "Visits")
            _ = try client.object("POST", "event-types", type, status: status)
            #expect(try client.types().filter { $0 == "routine_applied" }.count == 2)
        }
        let bound = try trips().filter { $0.contains(#""routine":"Visits""#) }
        #expect(bound.count == 2 && bound.allSatisfy { $0.contains(#""notes":"Roof"#) })
        for number in 1...3 {
            let event = try client.object("GET", "events/\(Self.id(number))")
            let type = number == 3 ? "trip" : Self.id(900)
            #expect(event["event_type_id"] as? String == type)
            #expect(event["notes"] as? String == "Roof \(number)")
        }
    }

    @Test func `what is made again under a known id is changed, and by the same key refused`()
        throws
    {
        let client = try Client()
        let made = try client.object("POST", "events", Self.event(1), status: 201)
        let said = ["notes": "Second", "end_date": "2025-11-20T09:00:00Z"]
        let changed = try client.object("POST", "events", Self.event(1, said))
        #expect(changed["notes"] as? String == "Second")
        #expect(changed["end_date"] as? String == "2025-11-20T09:00:00Z")
        #expect(changed["created_at"] as? String == made["created_at"] as? String)
        let count = try client.types().count
        let again = try client.object("POST", "events", Self.event(1, said))
        #expect(again as NSDictionary == changed as NSDictionary)
        #expect(try client.types().count == count)
        let third = try Self.batch(client, [Self.event(1, ["notes": "Third"]), Self.event(2)])
        #expect(third.map { $0["notes"] as? String } == ["Third", nil])
        #expect(try client.list("events").count == 2)
        let other = Self.event(1, ["notes": "Fourth"])
        #expect(try client.ask("POST", "events", other, key: Self.id(1)).status == 422)
        #expect(try client.ask("POST", "events", other, key: Self.id(77)).status == 200)
        // One that was deleted is there again.
        #expect(try client.ask("DELETE", "events/\(Self.id(1))").status == 204)
        _ = try client.object("POST", "events", Self.event(1, ["notes": "Fifth"]))
        #expect(try client.list("events").count == 2)

        _ = try client.object("POST", "event-types", Self.type(901, "Calls"), status: 201)
        let type = try client.object("POST", "event-types", Self.type(901, "Talks"))
        #expect(type["name"] as? String == "Talks")
        #expect(try client.list("event-types").count == 2)
        let fence: [String: Any] = [
            "id": Self.id(3), "name": "Gym", "latitude": 51.9, "longitude": 4.3, "radius": 80,
        ]
        _ = try client.object("POST", "geofences", fence, status: 201)
        let wider = try client.object("POST", "geofences", fence.merging(["radius": 90]) { $1 })
        #expect(wider["radius"] as? Double == 90)
        #expect(try client.list("geofences").count == 1)
        let path = "event-types/\(Self.id(901))/properties"
        let field: [String: Any] = [
            "id": Self.id(4), "key": "mood", "label": "Mood", "property_type": "text",
        ]
        _ = try client.object("POST", path, field, status: 201)
        let named = try client.object("POST", path, field.merging(["label": "Temper"]) { $1 })
        #expect(named["label"] as? String == "Temper")
        #expect(try client.list(path).count == 1)
        #expect(try client.server.process.run("verify").exitCode == 0)
    }

    @Test func `a sample of HealthKit is one event, whatever it is called`() throws {
        let client = try Client()
        func sample(_ number: Int, _ name: String, _ notes: String) -> [String: Any] {
            let more = ["healthkit_sample_id": name, "notes": notes, "source_type": "healthkit"]
            return Self.event(number, more)
        }
        let made = try client.object("POST", "events", sample(1, "run", "First"), status: 201)
        let again = try client.object("POST", "events", sample(2, "run", "Second"))
        #expect(again["id"] as? String == made["id"] as? String)
        #expect(again["notes"] as? String == "Second")
        let batch = try Self.batch(
            client,
            [
                sample(3, "run", "Third"), sample(4, "walk", "One"), sample(5, "walk", "Two"),
                sample(6, "swim", "One"),
            ]
        )
        #expect(
            batch.map { $0["id"] as? String } == [1, 4, 4, 6].map { Self.id($0) }
        )
        let notes = batch.map { $0["notes"] as? String }
        #expect(notes == ["Third", "Two", "Two", "One"])
        #expect(try client.list("events").count == 3)
        // A repeat of the request stores nothing.
        let count = try client.types().count
        _ = try client.object("POST", "events", sample(6, "swim", "One"))
        #expect(try client.types().count == count)
        // One that was deleted may be made again.
        #expect(try client.ask("DELETE", "events/\(Self.id(6))").status == 204)
        let new = try client.object("POST", "events", sample(7, "swim", "Anew"), status: 201)
        #expect(new["id"] as? String == Self.id(7))
    }

    /// Law: however often and in whatever order types and events are said, and under whatever new
    /// ids samples are, there is one event of each sample, and each trip of a type has its routine.
    @Test(arguments: Seeds.fresh(1))
    func `types and samples in any order, again and again, come to the same`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let client = try Client()
        let samples = 6
        var requests: [(String, [String: Any])] = (0..<2)
            .map { ("event-types", Self.type(900 + $0, "Type \($0)")) }
        for number in 0..<samples * 3 {
            let sample = number % samples
            let more: [String: Any] = [
                "event_type_id": Self.id(900 + sample % 2), "source_type": "healthkit",
                "healthkit_sample_id": "sample \(sample)",
                "timestamp": "2025-11-2\(sample)T07:30:00Z",
            ]
            requests.append(("events", Self.event(number, more)))
        }
        requests.shuffle(using: &random)
        for (path, body) in requests + requests.prefix(8) {
            let answer = try client.ask("POST", path, body)
            #expect([200, 201].contains(answer.status), "seed \(seed): \(answer)")
        }
        let events = try client.list("events")
        let names = events.compactMap { $0["healthkit_sample_id"] as? String }
        #expect(Set(names).count == samples && names.count == samples, "seed \(seed)")
        let trips = try client.server.process.run("trips", "--format", "json").lines
        for type in 0..<2 {
            let bound = trips.filter { $0.contains(#""routine":"Type \#(type)""#) }
            #expect(bound.count == samples / 2, "seed \(seed): \(trips)")
        }
    }
}
