import Projections
import TripEvents

extension StoredEvent {
    /// The entry as one JSON object (`log-entry.v1.schema.json`): what the ledger added, then the
    /// event's members.
    public var json: [UInt8] {
        var json = RowJSON()
        json.add("position", integer: Int64(position))
        json.add("recorded_at", time: EventTime(recordedAt))
        var line = Array(json.object.dropLast())
        line.append(UInt8(ascii: ","))
        var members: [UInt8] = []
        event.appendJSON(to: &members)
        line.append(contentsOf: members.dropFirst())
        return line
    }

    /// Whether the content is gone: erased, or withheld from this copy.
    public var isErased: Bool {
        if case .unknown(let event) = event.body { return event.isErased }
        return false
    }
}
