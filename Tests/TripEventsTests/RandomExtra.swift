import DriveSimulation

@testable import TripEvents

/// Makes up what senders say beyond the catalogue.
extension RandomEvents {
    /// Returns one to five members of any value, each with another name.
    mutating func extraMembers(named name: String) -> [(name: String, value: String)] {
        (1...Int.random(in: 1...5, using: &generator))
            .map { ("\(name)\($0)", jsonValue(depth: 3)) }
    }

    /// Returns a value of JSON.
    mutating func jsonValue(depth: Int) -> String {
        let plain = [
            "null", "true", "false", "0", "-0.0", "1.50", "1e400", "-12345678901234567890.10",
            #""""#, #""text""#, #""\"\\ é \ud83d\ude97 \u001b\u009f""#, "\"\u{7F}\u{85}\"",
        ]
        guard depth > 0, Int.random(in: 0..<3, using: &generator) == 0 else {
            return plain.randomElement(using: &generator) ?? "0"
        }
        let count = Int.random(in: 0...3, using: &generator)
        guard Bool.random(using: &generator) else {
            let elements = (0..<count).map { _ in jsonValue(depth: depth - 1) }
            return "[ " + elements.joined(separator: " ,") + "]"
        }
        let members = (0..<count).map { "\"k\($0)\" : \(jsonValue(depth: depth - 1))" }
        return "{" + members.joined(separator: ", ") + " }"
    }

    /// Returns what a sender may say beyond the catalogue of an event with this content.
    mutating func supplement(of body: EventBody) -> EventSupplement {
        var supplement = EventSupplement()
        let times =
            (body.payload?.fields.all ?? [])
            .filter { field in
                guard case .time = field.value else { return false }
                return true
            }
        for member in times.map(\.name.rawValue) + [EnvelopeName.occurredAt.rawValue]
        where Bool.random(using: &generator) {
            let nanoseconds = ([1, 999, 1_000, 123_000, 999_999] as [UInt32])
                .randomElement(using: &generator)
            supplement.setNanoseconds(nanoseconds ?? 0, of: member)
        }
        if Bool.random(using: &generator) {
            let members = extraMembers(named: "extra member ")
                .map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
            supplement.extra = ExtraMembers(json: "{\(members)}")
        }
        if Bool.random(using: &generator) {
            let members = extraMembers(named: "unread member ")
                .map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
            supplement.unread = ExtraMembers(json: "{\(members)}")
        }
        return supplement
    }
}
