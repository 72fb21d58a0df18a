/// Reads events from JSON lines, strictly: one pass, and no allocation for a GPS fix.
///
/// A reader is made once and used for many lines; ``candidate`` holds what the last good line said.
/// It turns text into values, which the functions that check the events of programs check too
/// (``EventEncoder``).
public struct EventLineReader: Sendable {
    /// The event of the last line that was read without a rejection.
    public internal(set) var candidate = EventCandidate()

    var scanner = LineScanner()

    /// What members of a plain fix are compared with.
    let plainFixNames = PlainFixNames.shared

    private let acceptsReservedTypes: Bool

    /// Creates a reader of lines from outside, which may not hold the types that only the ledger
    /// writes.
    public init() {
        self.init(acceptingReservedTypes: false)
    }

    /// Creates a reader that takes every type: of what a ledger itself wrote.
    public init(acceptingReservedTypes: Bool) {
        acceptsReservedTypes = acceptingReservedTypes
    }

    /// Reads a line, with or without its line end, into ``candidate``.
    ///
    /// - Parameters:
    ///   - line: the bytes of the line.
    ///   - defaultSource: the source of events that name none.
    ///   - recordedAt: when the ledger stores the event.
    /// - Throws: `Rejection` if the line is not one valid event; ``candidate`` is then meaningless.
    public mutating func read(
        _ line: Span<UInt8>,
        defaultSource: String? = nil,
        recordedAt: Timestamp
    ) throws(Rejection) {
        try scanner.scan(line)
        candidate.kind = try kind(line)
        try readSource(line, defaultSource: defaultSource)
        let time = try occurredAt(line, recordedAt: recordedAt)
        candidate.occurredAt = time.timestamp
        let hasID = try readID(line)
        let sequence = try sequence(line)
        let actor = try actor(line)
        candidate.payload.removeAll(keepingCapacity: true)
        PayloadPrefix.append(
            utcOffset: time.utcOffset,
            sequence: sequence,
            actor: actor,
            to: &candidate.payload
        )
        let layout: PayloadForm.Layout
        if candidate.kind == .fixRecorded, let frame = appendPlainFix(line) {
            layout = PayloadForm.Layout(frame)
        } else {
            layout = try body(line).append(to: &candidate.payload)
        }
        candidate.form = PayloadForm(
            hasID: hasID,
            hasOffset: time.utcOffset != nil,
            hasSequence: sequence != nil,
            hasActor: actor != nil,
            layout: layout
        )
        try candidate.checkLength()
    }

    /// Reads a line and returns its event.
    public mutating func event(
        _ line: Span<UInt8>,
        defaultSource: String? = nil,
        recordedAt: Timestamp
    ) throws(Rejection) -> TripEvent {
        try read(line, defaultSource: defaultSource, recordedAt: recordedAt)
        do throws(PayloadDamage) {
            return try candidate.event()
        } catch {
            throw Rejection(.invalidValue, sentence: error.description)
        }
    }

    // Mutating, like all that every line needs: whatever is not is given a copy of the reader.
    @inline(__always)
    private mutating func kind(_ line: Span<UInt8>) throws(Rejection) -> EventKind {
        guard scanner.has(EnvelopeName.type.rawValue) else {
            throw .missingField(EnvelopeName.type.jsonName)
        }
        let member = scanner[EnvelopeName.type.rawValue]
        if isFixRecorded(line, member) { return .fixRecorded }
        return try unusualKind(line, member)
    }

    @inline(__always)
    private mutating func isFixRecorded(_ line: Span<UInt8>, _ member: LineMember) -> Bool {
        var position = member.start
        return member.kind == .text
            && PackedName(line, position: &position) == plainFixNames.fixRecorded
    }

    @inline(never)
    private func unusualKind(
        _ line: Span<UInt8>,
        _ member: LineMember
    ) throws(Rejection) -> EventKind {
        let name = EnvelopeName.type.jsonName
        let value = scanner.tree(of: member, in: line)
        guard case .text(let text) = value else {
            throw Rejection.wrongType(name, expected: "a text", found: value.typeName)
                .at(column: member.column)
        }
        do throws(Rejection) {
            return try EnvelopeRule.kind(
                named: text,
                acceptingReservedTypes: acceptsReservedTypes
            )
        } catch {
            throw error.at(column: member.column)
        }
    }
}
