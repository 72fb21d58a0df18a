extension TripEvent {
    /// The event as its entry holds it; an event has one payload (Formats, *Payloads*).
    public var encoded: EncodedEvent {
        if case .unknown(let unknown) = body {
            return EncodedEvent(
                kind: unknown.kind,
                form: PayloadForm(rawValue: unknown.form),
                payload: unknown.payload
            )
        }
        var payload: [UInt8] = []
        PayloadPrefix.append(
            utcOffset: utcOffset,
            sequence: sequence,
            actor: actor,
            to: &payload
        )
        let layout = body.append(to: &payload)
        return EncodedEvent(
            kind: body.kind?.rawValue ?? 0,
            form: PayloadForm(
                hasID: id != nil,
                hasOffset: utcOffset != nil,
                hasSequence: sequence != nil,
                hasActor: actor != nil,
                layout: layout
            ),
            payload: payload
        )
    }

    /// Creates the event that an entry holds.
    ///
    /// A kind, frame or version that this program does not know becomes ``EventBody/unknown(_:)``.
    ///
    /// - Throws: `PayloadDamage` if the payload or time was not written by this program.
    public init(
        decoding payload: Span<UInt8>,
        kind: UInt8,
        form: PayloadForm,
        source: String,
        occurredAt: Timestamp,
        id: String?
    ) throws(PayloadDamage) {
        guard RFC3339.writable.contains(occurredAt) else {
            throw PayloadDamage("It happened in no year from 1 to 9999.")
        }
        self.init(
            source: source,
            occurredAt: occurredAt,
            id: id,
            body: .unknown(
                UnknownEvent(
                    kind: kind,
                    form: form.rawValue,
                    payload: payload.bytes(in: payload.indices)
                )
            )
        )
        guard let kind = EventKind(rawValue: kind), let frame = form.frame,
            form.version <= PayloadHistory.currentVersion(of: kind)
        else { return }
        guard let prefix = PayloadPrefix(payload, form: form) else {
            throw PayloadDamage("The payload ends too early.")
        }
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
        if form.hasActor {
            actor = String(validating: payload.bytes(in: prefix.actor), as: UTF8.self)
            guard actor != nil else { throw PayloadDamage("The actor is not valid UTF-8.") }
        }
        let layout = PayloadForm.Layout(frame, version: form.version)
        body = try EventBody(kind, layout, payload, from: prefix.length)
    }
}
