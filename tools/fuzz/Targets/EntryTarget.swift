@testable import EventStore
@testable import TripEvents

/// Entries of every kind, from their first byte to the event that they hold.
///
/// An entry, encoded again from its parts, has the same bytes; an event, encoded again, is the same
/// event; and all ways from a payload to a fix give the same fix.
enum EntryTarget {
    static func check(_ input: [UInt8]) {
        guard let entry = EntryView(startOf: input.span) else { return }
        check(entry)
    }

    static func check(_ entry: EntryView) {
        expect(encoded(entry) == [UInt8](copying: entry.bytes), "an entry has two encodings")
        guard !entry.isTombstone else { return }
        let form = PayloadForm(rawValue: entry.form)
        let occurredAt = Timestamp(milliseconds: entry.occurredAt)
        let fix = Fix(payload: entry.payload, form: form, occurredAt: occurredAt)
        guard
            let event = try? TripEvent(
                decoding: entry.payload,
                kind: entry.kind,
                form: form,
                source: "phone",
                occurredAt: occurredAt,
                id: entry.hasID ? "id" : nil
            )
        else { return }
        check(event, entry, form)
        if case .fixRecorded(let recorded) = event.body {
            expect(fix == recorded.fix(occurredAt: occurredAt), "a payload holds two fixes")
        }
    }

    private static func check(_ event: TripEvent, _ entry: EntryView, _ form: PayloadForm) {
        let encoded = event.encoded
        expect(encoded.kind == entry.kind, "an event changes its kind")
        if encoded.form != form || encoded.payload != [UInt8](copying: entry.payload) {
            // A payload that no writer of ours makes can be read; what is made of it must be the
            // same event, in the one payload that this event has.
            expect(decoded(encoded, like: event) == event, "an event encoded again is another")
            expect(decoded(encoded, like: event)?.encoded == encoded, "an event has two payloads")
        }
        let json = Array(event.json.utf8)
        if case .unknown = event.body { return }
        var reader = LineTarget.newReader
        let recordedAt = Timestamp(milliseconds: entry.recordedAt)
        // Such an entry is damage for a reader of the log.
        guard RFC3339.writable.contains(recordedAt) else { return }
        // An older log can hold events that a line may no longer say; the event that is read must
        // be the same.
        guard (try? reader.read(json.span, recordedAt: recordedAt)) != nil else { return }
        expect((try? reader.candidate.event()) == event, "an event's words say something else")
    }

    private static func decoded(_ encoded: EncodedEvent, like event: TripEvent) -> TripEvent? {
        try? TripEvent(
            decoding: encoded.payload.span,
            kind: encoded.kind,
            form: encoded.form,
            source: event.source,
            occurredAt: event.occurredAt,
            id: event.id
        )
    }

    /// Returns the bytes of an entry, written again from its parts.
    private static func encoded(_ entry: EntryView) -> [UInt8] {
        if entry.isTombstone {
            var tombstone = Tombstone(withheld: entry.leafHash, recordedAt: entry.recordedAt)
            tombstone.erasedKind = entry.form
            tombstone.source = entry.source
            return tombstone.bytes
        }
        let item = EntryBatch.Item(
            occurredAt: entry.occurredAt,
            start: 0,
            payloadCount: UInt32(entry.payload.count),
            sourceIndex: 0,
            kind: entry.kind,
            form: entry.form,
            idCount: UInt8(entry.id.count)
        )
        let candidate = EntryBatch.Candidate(item, id: entry.id, payload: entry.payload)
        let start = entry.bytes[0] == 0 ? 20 : 18
        var nonce: UInt64 = 0
        for index in 0..<8 { nonce |= UInt64(entry.bytes[start + index]) << UInt64(8 * index) }
        guard
            let count = EntryEncoder.byteCount(
                idCount: entry.id.count,
                payloadCount: entry.payload.count
            )
        else { fatalError("an entry is longer than an entry can be") }
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: count) { output in
            EntryEncoder.encode(
                candidate,
                byteCount: count,
                source: entry.source,
                recordedAt: entry.recordedAt,
                nonce: nonce,
                to: &output
            )
        }
        return bytes
    }
}
