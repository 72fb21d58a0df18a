/// Events that were made in the program, and so were never a line.
///
/// They are read where they stand: to pass one on alone is to copy it, texts and all.
extension EventLineReader {
    /// Reads an event into ``candidate`` as if it were a line that says the same.
    ///
    /// What a recorder sends all the time is taken as it is. Everything else, and all that is not
    /// acceptable, is written as a line and read: the rules stand in one place.
    ///
    /// - Parameters:
    ///   - events: what is to be stored.
    ///   - index: which of the events is read.
    ///   - recordedAt: when the ledger stores the event.
    /// - Throws: `Rejection` if a line that says the same would be refused; ``candidate`` is then
    ///   meaningless.
    public mutating func read(
        _ events: Span<TripEvent>,
        at index: Int,
        recordedAt: Timestamp
    ) throws(Rejection) {
        guard !readPlain(events, at: index, recordedAt: recordedAt) else { return }
        written.removeAll(keepingCapacity: true)
        events[index].appendJSON(to: &written)
        // A second reference, not a second copy: the reader changes while the line is lent.
        let line = written
        do throws(Rejection) {
            try read(line.span, recordedAt: recordedAt)
        } catch {
            throw error.at(column: nil)
        }
    }

    /// Reads an event that is acceptable beyond doubt, or returns `false`.
    private mutating func readPlain(
        _ events: Span<TripEvent>,
        at index: Int,
        recordedAt: Timestamp
    ) -> Bool {
        let occurredAt = events[index].occurredAt
        let utcOffset = events[index].utcOffset
        let sequence = events[index].sequence
        guard RFC3339.writable.contains(occurredAt),
            Self.accepts(occurredAt, recordedAt: recordedAt),
            readPlainSource(events[index].source.utf8.span)
        else { return false }
        candidate.payload.removeAll(keepingCapacity: true)
        var hasID = false
        if let id = events[index].id {
            guard readPlainID(id) else { return false }
            hasID = true
        }
        let actor = events[index].actor
        guard Self.isPlain(actor, by: .short) else { return false }
        PayloadPrefix.append(
            utcOffset: utcOffset,
            sequence: sequence,
            actor: actor,
            to: &candidate.payload
        )
        let layout: PayloadForm.Layout
        if let narrow = events[index].narrowFix() {
            candidate.kind = .fixRecorded
            narrow.append(to: &candidate.payload)
            layout = PayloadForm.Layout(.narrowFix)
        } else if let numbers = events[index].fixNumbers() {
            guard numbers.hasPosition else { return false }
            candidate.kind = .fixRecorded
            layout = PayloadForm.Layout(numbers.append(to: &candidate.payload))
        } else {
            guard let kind = Self.plainKind(events[index].body) else { return false }
            candidate.kind = kind
            layout = events[index].body.append(to: &candidate.payload)
        }
        candidate.occurredAt = occurredAt
        candidate.form = PayloadForm(
            hasID: hasID,
            hasOffset: utcOffset != nil,
            hasSequence: sequence != nil,
            hasActor: actor != nil,
            layout: layout
        )
        return true
    }

    private mutating func readPlainSource(_ source: Span<UInt8>) -> Bool {
        if isKnownSource(source, source.indices) { return true }
        let name = source.bytes(in: source.indices)
        return (try? setSource(name, column: nil)) != nil
    }

    private mutating func readPlainID(_ id: String) -> Bool {
        guard Self.isPlain(id, by: .id) else { return false }
        candidate.id.removeAll(keepingCapacity: true)
        candidate.id.append(contentsOf: id.utf8)
        return true
    }

    /// Returns the kind of a content if it is one of those that recorders send, fixes apart, and
    /// acceptable; none of them is ever too long for an entry.
    private static func plainKind(_ body: EventBody) -> EventKind? {
        switch body {
        case .motionChanged:
            return .motionChanged
        case .goPressed(let pressed):
            let isPlain =
                isPlain(pressed.vehicle, by: .short) && isPlain(pressed.routine, by: .short)
            return isPlain ? .goPressed : nil
        case .stopPressed(let pressed):
            let isPlain =
                isPlain(pressed.vehicle, by: .short) && isPlain(pressed.routine, by: .short)
            return isPlain ? .stopPressed : nil
        default:
            return nil
        }
    }

    private static func isPlain(_ text: String?, by rule: TextRule) -> Bool {
        guard let text else { return true }
        return (try? rule.check(text.utf8, of: "")) != nil
    }
}
