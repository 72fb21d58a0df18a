import RowCoding
import TripEvents
import TripTracking

// How the book's rows keep events: an entry's content, then what the entry's bytes do not hold.
extension RowEncoder {
    /// Writes an event, its identity digest and the time when it was stored.
    mutating func write(
        _ event: TripEvent,
        _ identity: IdentityDigest,
        recordedAt: Timestamp
    ) {
        let encoded = event.encoded
        write(UInt64(encoded.kind))
        write(UInt64(encoded.form.rawValue))
        write(encoded.payload)
        write(event.source)
        write(event.group) { $0.write($1) }
        write(event.occurredAt)
        write(event.id) { $0.write($1) }
        write(identity)
        write(recordedAt)
    }
}

extension RowDecoder {
    /// Reads an event as ``RowEncoder`` wrote it.
    mutating func readEvent() throws(RowCodingError) -> (
        event: TripEvent, identity: IdentityDigest, recordedAt: Timestamp
    ) {
        guard let kind = UInt8(exactly: try readUInt64()),
            let form = UInt8(exactly: try readUInt64())
        else { throw .invalidValue }
        let payload = try readBytes()
        let source = try readText()
        let group = try readOptionalText()
        let occurredAt = try readTimestamp()
        let id = try readOptionalText()
        let identity = try readIdentity()
        let recordedAt = try readTimestamp()
        do throws(PayloadDamage) {
            let event = try TripEvent(
                decoding: payload.span,
                kind: kind,
                form: PayloadForm(rawValue: form),
                source: source,
                group: group,
                occurredAt: occurredAt,
                id: id
            )
            return (event, identity, recordedAt)
        } catch {
            throw .invalidValue
        }
    }
}
