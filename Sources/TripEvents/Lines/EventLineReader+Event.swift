/// Events that were made in the program, and so were never a line.
extension EventLineReader {
    /// Reads an event into ``candidate`` as if it were a line that says the same.
    ///
    /// What a recorder sends all the time is taken as it is. Everything else, and all that is not
    /// acceptable, is written as a line and read: the rules stand in one place.
    ///
    /// - Parameters:
    ///   - event: what is to be stored.
    ///   - recordedAt: when the ledger stores the event.
    /// - Throws: `Rejection` if a line that says the same would be refused; ``candidate`` is then
    ///   meaningless.
    public mutating func read(_ event: TripEvent, recordedAt: Timestamp) throws(Rejection) {
        guard !readPlain(event, recordedAt: recordedAt) else { return }
        written.removeAll(keepingCapacity: true)
        event.appendJSON(to: &written)
        // A second reference, not a second copy: the reader changes while the line is lent.
        let line = written
        do throws(Rejection) {
            try read(line.span, recordedAt: recordedAt)
        } catch {
            throw error.at(column: nil)
        }
    }

    /// Reads an event that is acceptable beyond doubt, or returns `false`.
    private mutating func readPlain(_ event: TripEvent, recordedAt: Timestamp) -> Bool {
        guard RFC3339.writable.contains(event.occurredAt),
            Self.accepts(event.occurredAt, recordedAt: recordedAt),
            readPlainSource(event.source.utf8.span),
            readPlainID(event.id),
            Self.isPlain(event.actor, by: .short)
        else { return false }
        candidate.payload.removeAll(keepingCapacity: true)
        PayloadPrefix.append(
            utcOffset: event.utcOffset,
            sequence: event.sequence,
            actor: event.actor,
            to: &candidate.payload
        )
        guard let layout = readPlainBody(event.body) else { return false }
        candidate.occurredAt = event.occurredAt
        candidate.form = PayloadForm(
            hasID: event.id != nil,
            hasOffset: event.utcOffset != nil,
            hasSequence: event.sequence != nil,
            hasActor: event.actor != nil,
            layout: layout
        )
        return true
    }

    private mutating func readPlainSource(_ source: Span<UInt8>) -> Bool {
        if isKnownSource(source, source.indices) { return true }
        let name = source.bytes(in: source.indices)
        return (try? setSource(name, column: nil)) != nil
    }

    private mutating func readPlainID(_ id: String?) -> Bool {
        guard let id else { return true }
        guard Self.isPlain(id, by: .id) else { return false }
        candidate.id.removeAll(keepingCapacity: true)
        candidate.id.append(contentsOf: id.utf8)
        return true
    }

    /// Appends the content to the candidate's payload if it is of one of the kinds that recorders
    /// send, none of which is ever too long for an entry.
    private mutating func readPlainBody(_ body: EventBody) -> PayloadForm.Layout? {
        switch body {
        case .fixRecorded(let fix):
            guard let numbers = fix.numbers, numbers.hasPosition else { return nil }
            candidate.kind = .fixRecorded
            return PayloadForm.Layout(numbers.append(to: &candidate.payload))
        case .motionChanged:
            candidate.kind = .motionChanged
        case .goPressed(let pressed):
            guard Self.isPlain(pressed.vehicle, by: .short),
                Self.isPlain(pressed.routine, by: .short)
            else { return nil }
            candidate.kind = .goPressed
        case .stopPressed(let pressed):
            guard Self.isPlain(pressed.vehicle, by: .short),
                Self.isPlain(pressed.routine, by: .short)
            else { return nil }
            candidate.kind = .stopPressed
        default:
            return nil
        }
        return body.append(to: &candidate.payload)
    }

    private static func isPlain(_ text: String?, by rule: TextRule) -> Bool {
        guard let text else { return true }
        return (try? rule.check(text.utf8, of: "")) != nil
    }
}
