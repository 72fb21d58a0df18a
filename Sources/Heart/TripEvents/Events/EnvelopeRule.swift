/// The members that every event has beside its content; the raw value is the member's place beside
/// the tags of ``FieldName``.
enum EnvelopeName: UInt8, CaseIterable {
    case type = 0x78
    case source = 0x79
    case occurredAt = 0x7A
    case id = 0x7B
    case sequence = 0x7C
    case actor = 0x7D

    /// An object with the members that events of this type do not have.
    case extra = 0x7E

    /// The member's name.
    var jsonName: String {
        switch self {
        case .type: "type"
        case .source: "source"
        case .occurredAt: "occurred_at"
        case .id: "id"
        case .sequence: "sequence"
        case .actor: "actor"
        case .extra: "extra"
        }
    }
}

/// The rules for what every event has beside its content.
enum EnvelopeRule {
    /// How far after the time of the append an event may have happened: a day, in milliseconds.
    static let maximumLeadMilliseconds: Int64 = Timestamp.millisecondsPerDay

    /// 1980-01-06, where GPS time begins, in milliseconds since 1970.
    static let earliest = Timestamp(milliseconds: 315_964_800_000)

    /// Returns whether an event that is stored at `recordedAt` may have happened at a time.
    @inline(__always)
    static func accepts(_ time: Timestamp, recordedAt: Timestamp) -> Bool {
        time >= earliest
            && time.milliseconds - recordedAt.milliseconds <= maximumLeadMilliseconds
    }

    /// Throws if an event that is stored at `recordedAt` cannot have happened at a time.
    @inline(__always)
    static func check(_ time: EventTime, recordedAt: Timestamp) throws(Rejection) {
        // Far from every calendar the difference of two times overflows, so this comes first.
        if RFC3339.writable.contains(time.timestamp),
            accepts(time.timestamp, recordedAt: recordedAt)
        {
            return
        }
        throw refusal(of: time, recordedAt: recordedAt)
    }

    @inline(never)
    private static func refusal(of time: EventTime, recordedAt: Timestamp) -> Rejection {
        let name = EnvelopeName.occurredAt.jsonName
        do throws(Rejection) {
            try FieldForm.check(time, of: name)
        } catch {
            return error
        }
        let shown = "\(name) \(RFC3339.text(time.timestamp, utcOffset: time.utcOffset))"
        let why =
            time.timestamp < earliest
            ? "lies before GPS time began on 1980-01-06; whole numbers are milliseconds since 1970"
            : "lies more than 24 hours after \(RFC3339.text(recordedAt)), when it arrived"
        return Rejection(.timeOutOfRange, field: name, sentence: "\(shown) \(why).")
    }

    /// Returns the kind with a name, if an event of this kind is accepted.
    static func kind(
        named name: String,
        acceptingReservedTypes: Bool
    ) throws(Rejection) -> EventKind {
        guard let kind = EventKind(name: name) else {
            let rejection = Rejection(
                .unknownType,
                field: EnvelopeName.type.jsonName,
                sentence: "No event has the type \(Excerpt.of(name))."
            )
            throw rejection.perhapsMeans(EventKind.perhapsMeant(by: name))
        }
        guard acceptingReservedTypes || !kind.isReserved else {
            throw Rejection(
                .reservedType,
                field: EnvelopeName.type.jsonName,
                sentence: "Only the ledger itself writes \(kind.name)."
            )
        }
        return kind
    }
}
