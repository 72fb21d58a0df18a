import TripEvents
import TripTracking

extension Decision {
    /// Writes the decision: its entry's content, then what the entry's bytes do not hold.
    func write(to writer: inout StateWriter) {
        let encoded = event.encoded
        writer.write(UInt64(encoded.kind))
        writer.write(UInt64(encoded.form.rawValue))
        writer.write(encoded.payload)
        writer.write(event.source)
        writer.write(event.occurredAt)
        writer.write(event.id) { $0.write($1) }
        for index in 0..<4 {
            writer.write(order.identity.words[index])
        }
        writer.write(recordedAt)
    }

    /// Reads a decision.
    init(from reader: inout StateReader) throws(StateError) {
        guard let kind = UInt8(exactly: try reader.readUInt64()),
            let form = UInt8(exactly: try reader.readUInt64())
        else { throw .invalidValue }
        let payload = try reader.readBytes()
        let source = try reader.readText()
        let occurredAt = try reader.readTimestamp()
        let id = try reader.readOptional { reader throws(StateError) in try reader.readText() }
        let identity = IdentityDigest(words: [
            try reader.readUInt64(), try reader.readUInt64(), try reader.readUInt64(),
            try reader.readUInt64(),
        ])
        let recordedAt = try reader.readTimestamp()
        let event: TripEvent
        do throws(PayloadDamage) {
            event = try TripEvent(
                decoding: payload.span,
                kind: kind,
                form: PayloadForm(rawValue: form),
                source: source,
                occurredAt: occurredAt,
                id: id
            )
        } catch {
            throw .invalidValue
        }
        guard let decision = Decision(event, identity: identity, recordedAt: recordedAt) else {
            throw .invalidValue
        }
        self = decision
    }
}
