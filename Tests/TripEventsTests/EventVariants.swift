@testable import TripEvents

/// An event's line, and what becomes of it when one member is taken away, renamed or changed.
enum EventVariants {
    private static let otherValues = [
        "null", "true", "17", "-1", "\"\"", "\"x\"", "[]", "{}", "[\"x\"]", "{\"a\":{}}", "1.5",
        "\"2026-03-14\"", "\"2026-03-14T08:15:00Z\"",
    ]

    /// Returns the line of an event and its variants.
    static func lines(of event: TripEvent) -> [String] {
        let members = members(of: event)
        var lines = [line(members), line(members + [("extra", "1")])]
        for index in members.indices {
            var without = members
            without.remove(at: index)
            lines.append(line(without))
            var renamed = members
            renamed[index].name = "Lat"
            lines.append(line(renamed))
            for value in otherValues {
                var changed = members
                changed[index].value = value
                lines.append(line(changed))
            }
        }
        return lines
    }

    private static func members(of event: TripEvent) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        func add(_ name: String, _ value: FieldValue) {
            var bytes: [UInt8] = []
            JSONWriter.append(value, to: &bytes)
            members.append((name, String(decoding: bytes, as: UTF8.self)))
        }
        add("type", .text(event.body.kind?.name ?? ""))
        add("source", .text(event.source))
        add("occurred_at", .time(EventTime(event.occurredAt, utcOffset: event.utcOffset)))
        if let id = event.id { add("id", .text(id)) }
        if let sequence = event.sequence { add("sequence", .integer(sequence)) }
        if let actor = event.actor { add("actor", .text(actor)) }
        for field in event.body.payload?.fields.all ?? [] {
            add(field.name.jsonName, field.value)
        }
        return members
    }

    private static func line(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}
