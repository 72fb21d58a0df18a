/// The part of an event that its entry holds beside the source, the times and the id.
public struct EncodedEvent: Hashable, Sendable {
    /// The entry's kind byte.
    public var kind: UInt8

    /// The entry's form byte.
    public var form: PayloadForm

    /// The entry's payload.
    public var payload: [UInt8]
}

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
        let start = payload.count
        var layout = body.append(to: &payload)
        if !supplement.isEmpty {
            layout = supplement.insert(into: &payload, at: start, before: layout)
        }
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
        group: String? = nil,
        occurredAt: Timestamp,
        id: String?
    ) throws(PayloadDamage) {
        guard RFC3339.writable.contains(occurredAt) else {
            throw PayloadDamage("It happened in no year from 1 to 6428.")
        }
        self.init(
            source: source,
            group: group,
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
        var layout = PayloadForm.Layout(frame, version: form.version)
        var start = prefix.length
        if frame == .supplemented {
            let read = try EventSupplement.read(payload, from: start)
            layout = PayloadForm.Layout(read.frame, version: form.version)
            start = read.end
            supplement = read.supplement
        }
        body = try EventBody(kind, layout, payload, from: start)
        do throws(Rejection) {
            try supplement.check(of: body)
        } catch {
            throw PayloadDamage(error.sentence)
        }
    }
}

extension EventBody {
    /// Appends the content in the first frame and the oldest version that hold it exactly.
    func append(to payload: inout [UInt8]) -> PayloadForm.Layout {
        if case .fixRecorded(let fix) = self, let numbers = fix.numbers() {
            return PayloadForm.Layout(numbers.append(to: &payload))
        }
        guard let kind, let fields = self.payload?.fields else {
            return PayloadForm.Layout(.fields)
        }
        let oldest = PayloadHistory.oldest(fields, of: kind)
        oldest.fields.append(to: &payload)
        return PayloadForm.Layout(.fields, version: oldest.version)
    }

    /// Reads the content that makes up the rest of a payload.
    init(
        _ kind: EventKind,
        _ layout: PayloadForm.Layout,
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) {
        let numbers: FixNumbers
        switch layout.frame {
        case .fields:
            let fields = try EventFields(payload, from: start)
            let newest = PayloadHistory.upcast(fields, of: kind)
            let oldest = PayloadHistory.oldest(newest, of: kind)
            guard oldest.version == layout.version, oldest.fields.all.count == fields.all.count
            else {
                throw PayloadDamage("The content is not of version \(layout.version).")
            }
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
        case .supplemented:
            throw PayloadDamage("A supplement is in a supplement.")
        }
        guard kind == .fixRecorded, let fix = numbers.recorded() else {
            throw PayloadDamage("A fix is no event of this kind, or its provider is not known.")
        }
        self = .fixRecorded(fix)
    }
}

/// Why stored bytes are no payload: the entry is damaged, or was never written by this program.
public struct PayloadDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for people.
    public let description: String

    /// Creates a reason.
    init(_ description: String) {
        self.description = description
    }
}
