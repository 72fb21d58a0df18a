/// What differs between two events with one id, for the receipt of a conflict.
public struct EventDifference: Hashable, Sendable {
    /// The names of the members that differ, in the order in which JSON is written; the id, which
    /// is the same, is never among them.
    public let names: [String]

    /// The name of the member that says when an event happened.
    public static let occurredAt = EnvelopeName.occurredAt.jsonName

    /// Compares two events, text byte by byte.
    public init(_ left: TripEvent, _ right: TripEvent) {
        let leftMembers = Self.members(of: left)
        let rightMembers = Self.members(of: right)
        let order =
            EnvelopeName.allCases.map(\.jsonName) + FieldName.allCases.map(\.jsonName)
            + ["kind", "form", "payload"]
        names = order.filter { leftMembers[$0] != rightMembers[$0] }
    }

    /// Returns the bytes of each member.
    private static func members(of event: TripEvent) -> [String: [UInt8]] {
        var members: [String: [UInt8]] = [:]
        members[EnvelopeName.type.jsonName] = Array((event.body.kind?.name ?? "").utf8)
        members[EnvelopeName.source.jsonName] = Array(event.source.utf8)
        members[EnvelopeName.occurredAt.jsonName] = Array(
            RFC3339.text(event.occurredAt, utcOffset: event.utcOffset).utf8
        )
        members[EnvelopeName.sequence.jsonName] = event.sequence.map { Array(String($0).utf8) }
        members[EnvelopeName.actor.jsonName] = event.actor.map { Array($0.utf8) }
        for field in event.body.payload?.fields.all ?? [] {
            var bytes: [UInt8] = []
            JSONWriter.append(field.value, to: &bytes)
            members[field.name.jsonName] = bytes
        }
        if case .unknown(let unknown) = event.body {
            members["kind"] = [unknown.kind]
            members["form"] = [unknown.form]
            members["payload"] = unknown.payload
        }
        return members
    }
}
