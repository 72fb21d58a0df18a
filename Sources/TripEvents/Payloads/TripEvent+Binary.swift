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
        let frame = body.append(to: &payload)
        return EncodedEvent(
            kind: body.kind?.rawValue ?? 0,
            form: PayloadForm(
                hasID: id != nil,
                hasOffset: utcOffset != nil,
                hasSequence: sequence != nil,
                hasActor: actor != nil,
                frame: frame
            ),
            payload: payload
        )
    }

    /// Creates the event that an entry holds.
    ///
    /// A kind, frame or version that this program does not know becomes ``EventBody/unknown(_:)``.
    ///
    /// - Throws: `PayloadDamage` if the payload was not written by this program.
    public init(
        decoding payload: Span<UInt8>,
        kind: UInt8,
        form: PayloadForm,
        source: String,
        occurredAt: Timestamp,
        id: String?
    ) throws(PayloadDamage) {
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
        guard let kind = EventKind(rawValue: kind), let frame = form.frame, form.version == 1 else {
            return
        }
        guard let prefix = PayloadPrefix(payload, form: form) else {
            throw PayloadDamage("The payload ends too early.")
        }
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
        if form.hasActor {
            actor = String(decoding: payload.bytes(in: prefix.actor), as: UTF8.self)
        }
        body = try EventBody(kind, frame: frame, payload, from: prefix.length)
    }
}

extension EventBody {
    /// Appends the content in the first frame that holds it exactly.
    func append(to payload: inout [UInt8]) -> PayloadForm.Frame {
        if case .fixRecorded(let fix) = self, let numbers = FixNumbers(fix) {
            return numbers.append(to: &payload)
        }
        self.payload?.fields.append(to: &payload)
        return .fields
    }

    /// Reads the content that makes up the rest of a payload.
    fileprivate init(
        _ kind: EventKind,
        frame: PayloadForm.Frame,
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) {
        let numbers: FixNumbers
        switch frame {
        case .fields:
            let fields = try EventFields(payload, from: start)
            do throws(Rejection) {
                self = try EventBody(kind, fields)
                return
            } catch {
                throw PayloadDamage(error.sentence)
            }
        case .narrowFix:
            guard payload.count == start + NarrowFix.length else {
                throw PayloadDamage("A narrow fix has \(payload.count - start) bytes.")
            }
            numbers = NarrowFix(payload, at: start).numbers
        case .wideFix:
            numbers = try FixNumbers(wide: payload, from: start)
        }
        guard kind == .fixRecorded, let fix = numbers.recorded() else {
            throw PayloadDamage("A fix is no event of this kind, or its provider is not known.")
        }
        self = .fixRecorded(fix)
    }
}
