import EventStore
import TripEvents

/// Of what an event's payload is made (Formats, *Payloads*), so that compact blocks can keep like
/// with like.
extension EntryField {
    /// Payloads that are neither kind of fix fall into bytes, if they are no longer than this.
    private static let maximumOtherByteCount = 16

    private static let narrowFix: [EntryField] =
        [4, 4, 3, 2, 2, 2, 1].map { .number(byteCount: $0) }

    /// Returns the fields of an entry's payload, or `nil` if it is kept as it is.
    static func fields(of entry: EntryView) -> [EntryField]? {
        let form = PayloadForm(rawValue: entry.form)
        // An id and an actor are texts, and may have any length.
        guard !entry.isTombstone, !form.hasID, !form.hasActor else { return nil }
        let sender: [EntryField] =
            (form.hasOffset ? [.number(byteCount: 2)] : [])
            + (form.hasSequence ? [.number(byteCount: 8)] : [])
        let senderByteCount = (form.hasOffset ? 2 : 0) + (form.hasSequence ? 8 : 0)
        switch form.frame {
        case .narrowFix:
            return sender + narrowFix
        case .wideFix:
            guard senderByteCount < entry.payload.count else { return nil }
            // Mask and origin, then latitude, longitude and one number for each bit of the mask.
            let mask = entry.payload[senderByteCount]
            let numbers = repeatElement(EntryField.decimal, count: 2 + mask.nonzeroBitCount)
            return sender + [.number(byteCount: 1), .number(byteCount: 1)] + numbers
        case .fields, nil:
            guard entry.payload.count <= maximumOtherByteCount else { return nil }
            return Array(repeating: .number(byteCount: 1), count: entry.payload.count)
        }
    }
}
