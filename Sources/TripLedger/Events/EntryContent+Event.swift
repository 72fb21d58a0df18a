import EventStore
import TripEvents

extension EntryContent {
    /// Takes over what the catalogue encoded.
    init(_ event: EncodedEvent) {
        self.init(kind: event.kind, form: event.form.rawValue, payload: event.payload)
    }

    /// Returns the content of the event that gives a source its number.
    static func registration(number: UInt32, name: String) -> EntryContent {
        let registered = SourceRegistered(number: number, name: name)
        return EntryContent(
            TripEvent(
                source: "",
                occurredAt: Timestamp(milliseconds: 0),
                body: .sourceRegistered(registered)
            )
            .encoded
        )
    }
}
