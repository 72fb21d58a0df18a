package import Importers
import JSONText
import TripEvents
package import TripLedger

extension Delivery {
    /// Returns the event that adopts rules for a source that reports only positions at a door.
    ///
    /// The rules are the preset *history*, by which movement starts a trip. Such an app records all
    /// day, so they are never the preset for loggers.
    ///
    /// The event is the ledger's own. It holds from the beginning on, so rules that people set,
    /// earlier or later, take precedence. It is the same event at any time of writing, so a repeat
    /// is recognised.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - group: Its group, if it has one.
    ///   - door: The door at which it delivers.
    /// - Returns: A delivery of one event.
    package static func adoptingRules(
        for source: String,
        of group: String?,
        at door: DeliveryDoor
    ) -> Delivery {
        let reason = "What delivers at the door \(door.rawValue) reports positions alone."
        let members: [(String, String)] = [
            ("type", EventKind.rulesAdopted.name), ("source", Ledger.decisionSource(of: group)),
            ("occurred_at", RFC3339.text(Snapshot.beginning)),
            ("preset", TrackingPreset.history.rawValue), ("applies_to", source),
            ("reason", reason),
        ]
        var bytes: [UInt8] = []
        JSONWriter.append(
            members.map { JSONValue.Member(name: $0, value: .text($1)) },
            to: &bytes
        )
        var delivery = Delivery([Delivery.Item(.success(bytes.indices))], in: bytes)
        delivery.group = group
        return delivery
    }
}
