import EventStore
import Projections
import Proofs
import TripEvents

/// A line of an export as CloudEvents 1.0 in JSON, each an event with its place in the log.
///
/// `source` and `id` are unique together: the ledger and the position. `sequence` has 20 digits, so
/// that it sorts as text. What the specification has no word for is in extensions: `recordedtime`,
/// and `leafhash`, by which an event is found again in proofs.
enum CloudEventLine {
    private static let sequenceDigits = 20

    /// Returns the line of an entry; erased and withheld ones have no data.
    static func line(
        _ stored: StoredEvent,
        leaf: Digest,
        isWithheld: Bool,
        ledger: String
    ) -> [UInt8] {
        let digits = String(stored.position)
        let zeros = String(repeating: "0", count: sequenceDigits - digits.utf8.count)
        var json = RowJSON()
        json.add("specversion", text: "1.0")
        json.add("id", text: digits)
        json.add("source", text: "urn:ledger:\(ledger)")
        json.add("type", text: "ledger." + (isWithheld ? "withheld" : stored.event.body.typeName))
        json.add("sequence", text: zeros + digits)
        json.add("leafhash", text: leaf.description)
        guard !isWithheld else { return json.object }
        json.add("recordedtime", text: RFC3339.text(stored.recordedAt))
        if stored.isErased { return json.object }
        let event = stored.event
        json.add("time", text: RFC3339.text(event.occurredAt, utcOffset: event.utcOffset))
        if !event.source.isEmpty { json.add("subject", text: event.source) }
        json.add("datacontenttype", text: "application/json")
        var line = Array(json.object.dropLast())
        line.append(contentsOf: #","data":"#.utf8)
        event.appendJSON(to: &line)
        line.append(UInt8(ascii: "}"))
        return line
    }
}
