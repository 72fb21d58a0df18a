/// Checks events that a program made, and encodes them as a log stores them.
///
/// The rules are those of JSON lines: ``EventLineReader`` turns text into values and has them
/// checked by the same functions. An encoder is made once and used for many events.
public struct EventEncoder: Sendable {
    /// The last event that was encoded without a rejection.
    public private(set) var candidate = EventCandidate()

    private let acceptsReservedTypes: Bool

    /// Creates an encoder of events from outside, which may not be of the types that only the
    /// ledger writes.
    public init() {
        self.init(acceptingReservedTypes: false)
    }

    /// Creates an encoder that takes every type, for events that a ledger itself wrote.
    public init(acceptingReservedTypes: Bool) {
        acceptsReservedTypes = acceptingReservedTypes
    }

    /// Checks an event and encodes it into ``candidate``.
    ///
    /// The event is taken from a span because passing it alone would copy its texts.
    ///
    /// - Parameters:
    ///   - events: The events to store.
    ///   - index: Which of the events is encoded.
    ///   - recordedAt: When the ledger stores the event.
    /// - Throws: `Rejection`, without a column, if the event breaks a rule of the catalogue;
    ///   ``candidate`` is then meaningless.
    public mutating func encode(
        _ events: Span<TripEvent>,
        at index: Int,
        recordedAt: Timestamp
    ) throws(Rejection) {
        candidate.kind = try kind(of: events, at: index)
        try encodeEnvelope(events, at: index, recordedAt: recordedAt)
        let start = candidate.payload.count
        var layout: PayloadForm.Layout
        if let narrow = TripEvent.narrowFix(of: events, at: index) {
            narrow.append(to: &candidate.payload)
            layout = PayloadForm.Layout(.narrowFix)
        } else if let numbers = TripEvent.fixNumbers(of: events, at: index), numbers.hasPosition {
            layout = PayloadForm.Layout(numbers.append(to: &candidate.payload))
        } else {
            layout = try encode(events[index].body)
        }
        if !events[index].supplement.isEmpty {
            let supplement = events[index].supplement
            try supplement.check(of: events[index].body)
            layout = supplement.insert(into: &candidate.payload, at: start, before: layout)
        }
        setForm(of: events, at: index, layout)
        try candidate.checkLength()
    }

    private func kind(of events: Span<TripEvent>, at index: Int) throws(Rejection) -> EventKind {
        if case .fixRecorded = events[index].body { return .fixRecorded }
        return try EnvelopeRule.kind(
            named: events[index].body.typeName,
            acceptingReservedTypes: acceptsReservedTypes
        )
    }

    /// Checks the content of any event and encodes it.
    @inline(never)
    private mutating func encode(_ body: EventBody) throws(Rejection) -> PayloadForm.Layout {
        try body.payload?.checkAll()
        return body.append(to: &candidate.payload)
    }

    /// Checks what every event has, and encodes it up to where the content begins.
    private mutating func encodeEnvelope(
        _ events: Span<TripEvent>,
        at index: Int,
        recordedAt: Timestamp
    ) throws(Rejection) {
        try setSource(events[index].source, group: events[index].group)
        let time = EventTime(events[index].occurredAt, utcOffset: events[index].utcOffset)
        try EnvelopeRule.check(time, recordedAt: recordedAt)
        candidate.occurredAt = time.timestamp
        candidate.id.removeAll(keepingCapacity: true)
        if let id = events[index].id {
            try TextRule.id.check(id.utf8, of: EnvelopeName.id.jsonName)
            candidate.id.append(contentsOf: id.utf8)
        }
        let actor = events[index].actor
        if let actor { try TextRule.short.check(actor.utf8, of: EnvelopeName.actor.jsonName) }
        candidate.payload.removeAll(keepingCapacity: true)
        PayloadPrefix.append(
            utcOffset: time.utcOffset,
            sequence: events[index].sequence,
            actor: actor,
            to: &candidate.payload
        )
    }

    private mutating func setSource(_ source: String, group: String?) throws(Rejection) {
        let name = source.utf8.span
        guard group != nil || candidate.group != nil || !candidate.hasSource(name, name.indices)
        else { return }
        if let group { try TripEvent.checkGroup(named: group) }
        let named = NamedGroup(name: group, isInLine: group != nil)
        try candidate.setSource(name.bytes(in: name.indices), group: named)
    }

    private mutating func setForm(
        of events: Span<TripEvent>,
        at index: Int,
        _ layout: PayloadForm.Layout
    ) {
        candidate.form = PayloadForm(
            hasID: events[index].id != nil,
            hasOffset: events[index].utcOffset != nil,
            hasSequence: events[index].sequence != nil,
            hasActor: events[index].actor != nil,
            layout: layout
        )
    }
}

extension TripEvent {
    /// Checks the event by every rule of the catalogue, as an append does.
    ///
    /// ``EventEncoder`` is faster for many events.
    ///
    /// - Parameter recordedAt: When the ledger stores the event: it may have happened at most 24
    ///   hours after that.
    /// - Throws: `Rejection` if an append, or a JSON line that says the same, would be refused.
    public func validate(recordedAt: Timestamp) throws(Rejection) {
        var encoder = EventEncoder(acceptingReservedTypes: true)
        let events = [self]
        try encoder.encode(events.span, at: 0, recordedAt: recordedAt)
    }
}
