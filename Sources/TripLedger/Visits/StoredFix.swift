import EventStore
import TripEvents

/// A fix as the log holds it, with what puts it into event order.
struct StoredFix {
    /// The reading.
    var fix: Fix

    /// The source's offset from UTC, if it is known.
    var utcOffset: UTCOffset?

    /// The sender's counter, if it gave one.
    var sequence: UInt64?

    /// Where it is in the log.
    var position: UInt64

    /// Reads an entry, or returns `nil` if it holds no fix that this program knows.
    @inline(__always)
    init?(_ entry: EntryView, at position: UInt64) {
        guard entry.kind == EventKind.fixRecorded.rawValue else { return nil }
        let form = PayloadForm(rawValue: entry.form)
        let occurredAt = Timestamp(milliseconds: entry.occurredAt)
        guard let fix = Fix(payload: entry.payload, form: form, occurredAt: occurredAt) else {
            return nil
        }
        self.fix = fix
        self.position = position
        guard form.hasOffset || form.hasSequence,
            let prefix = PayloadPrefix(entry.payload, form: form)
        else { return }
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
    }
}
