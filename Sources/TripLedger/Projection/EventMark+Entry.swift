import EventStore
import TripEvents

extension EventMark {
    /// Reads where an entry stands in its source's event order.
    init(_ entry: EntryView, at position: UInt64) {
        let form = PayloadForm(rawValue: entry.form)
        self.init(
            occurredAt: Timestamp(milliseconds: entry.occurredAt),
            rank: EventKind(rawValue: entry.kind)?.rank ?? .max,
            sequence: form.hasSequence
                ? PayloadPrefix(entry.payload, form: form)?.sequence : nil,
            position: position
        )
    }
}
