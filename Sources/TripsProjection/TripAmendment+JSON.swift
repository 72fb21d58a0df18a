public import Projections
import TripEvents

extension TripAmendment {
    /// Appends the change as one JSON object without a line's end, as `ledger history` shows it.
    public func appendJSON(to bytes: inout [UInt8]) {
        var json = RowJSON()
        json.add("trip", text: trip.description)
        json.add("type", text: kind.name)
        json.add("field", text: change.field)
        json.add("old", value: change.old)
        json.add("new", value: change.new)
        if let why {
            json.add("why", text: why)
        }
        json.add("actor", text: actor)
        json.add("source", text: source)
        json.add("occurred_at", time: occurredAt)
        json.add("recorded_at", time: EventTime(recordedAt))
        if let daysAfterTrip {
            json.add("days_after_trip", integer: daysAfterTrip)
        } else {
            json.addNull("days_after_trip")
        }
        json.append(to: &bytes)
    }
}
