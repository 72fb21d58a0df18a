/// The members that every event has.
extension EventLineReader {
    /// Sets the candidate's source from the line, or else from the default.
    @inline(__always)
    mutating func readSource(
        _ line: Span<UInt8>,
        defaultSource: String?
    ) throws(Rejection) {
        if scanner.has(EnvelopeName.source.rawValue) {
            let member = scanner[EnvelopeName.source.rawValue]
            if member.kind == .text, !member.flag, isKnownSource(line, member.start..<member.end) {
                return
            }
            try setSource(
                text(line, member, of: .source, rule: .source),
                column: member.column
            )
        } else {
            guard let defaultSource else { throw .missingField(EnvelopeName.source.jsonName) }
            if candidate.sourceNumber >= 0,
                candidate.source.utf8.elementsEqual(defaultSource.utf8)
            {
                return
            }
            try setSource(Array(defaultSource.utf8), column: nil)
        }
    }

    /// Returns when the event happened.
    @inline(__always)
    mutating func occurredAt(
        _ line: Span<UInt8>,
        recordedAt: Timestamp
    ) throws(Rejection) -> EventTime {
        guard scanner.has(EnvelopeName.occurredAt.rawValue) else {
            throw .missingField(EnvelopeName.occurredAt.jsonName)
        }
        let member = scanner[EnvelopeName.occurredAt.rawValue]
        let time = try memberTime(line, member)
        guard Self.accepts(time.timestamp, recordedAt: recordedAt) else {
            throw outOfRange(time, recordedAt: recordedAt, member)
        }
        return time
    }

    /// Returns whether an event that is stored at `recordedAt` may have happened at a time.
    @inline(__always)
    static func accepts(_ time: Timestamp, recordedAt: Timestamp) -> Bool {
        time >= earliest
            && time.milliseconds - recordedAt.milliseconds <= maximumLeadMilliseconds
    }

    /// Sets the candidate's id if the line has one, and returns whether it has.
    @inline(__always)
    mutating func readID(_ line: Span<UInt8>) throws(Rejection) -> Bool {
        guard scanner.has(EnvelopeName.id.rawValue) else { return false }
        let member = scanner[EnvelopeName.id.rawValue]
        candidate.id.removeAll(keepingCapacity: true)
        candidate.id.append(contentsOf: try text(line, member, of: .id, rule: .id))
        return true
    }

    /// Returns the sender's counter, if the line has one.
    @inline(__always)
    mutating func sequence(_ line: Span<UInt8>) throws(Rejection) -> UInt64? {
        guard scanner.has(EnvelopeName.sequence.rawValue) else { return nil }
        let member = scanner[EnvelopeName.sequence.rawValue]
        if let sequence = member.wholeNumber { return sequence }
        let name = EnvelopeName.sequence.jsonName
        do throws(Rejection) {
            return UInt64(
                try FieldForm.integer(0...UInt64.max)
                    .value(from: scanner.tree(of: member, in: line), of: name)
            )
        } catch {
            throw error.at(column: member.column)
        }
    }

    /// Returns the person who decided, if the line names one.
    @inline(__always)
    mutating func actor(_ line: Span<UInt8>) throws(Rejection) -> String? {
        guard scanner.has(EnvelopeName.actor.rawValue) else { return nil }
        let member = scanner[EnvelopeName.actor.rawValue]
        return String(decoding: try text(line, member, of: .actor, rule: .short), as: UTF8.self)
    }

    /// Sets the candidate's source if it has been named before, and returns whether it has.
    @inline(__always)
    mutating func isKnownSource(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let current = candidate.sourceNumber
        if current >= 0, sources.isName(current, line, range) { return true }
        guard let number = sources.number(of: line, range) else { return false }
        candidate.sourceNumber = number
        candidate.source = sources.names[number]
        return true
    }

    mutating func setSource(_ source: [UInt8], column: Int?) throws(Rejection) {
        do throws(Rejection) {
            try TextRule.source.check(source, of: EnvelopeName.source.jsonName)
        } catch {
            throw error.at(column: column)
        }
        candidate.sourceNumber = sources.number(of: source)
        candidate.source = sources.names[candidate.sourceNumber]
    }

    private func text(
        _ line: Span<UInt8>,
        _ member: LineMember,
        of name: EnvelopeName,
        rule: TextRule
    ) throws(Rejection) -> [UInt8] {
        guard member.kind == .text else {
            let found = scanner.tree(of: member, in: line).typeName
            throw Rejection.wrongType(name.jsonName, expected: "a text", found: found)
                .at(column: member.column)
        }
        let text = scanner.text(of: member, in: line)
        do throws(Rejection) {
            try rule.check(text, of: name.jsonName)
            return text
        } catch {
            throw error.at(column: member.column)
        }
    }

    @inline(__always)
    private mutating func memberTime(
        _ line: Span<UInt8>,
        _ member: LineMember
    ) throws(Rejection) -> EventTime {
        if member.kind == .text, !member.flag,
            let time = try? RFC3339.time(line, member.start..<member.end)
        {
            return time
        }
        return try unusualTime(line, member)
    }

    @inline(never)
    private func unusualTime(
        _ line: Span<UInt8>,
        _ member: LineMember
    ) throws(Rejection) -> EventTime {
        do throws(Rejection) {
            return try TimeField.time(
                from: scanner.tree(of: member, in: line),
                of: EnvelopeName.occurredAt.jsonName
            )
        } catch {
            throw error.at(column: member.column)
        }
    }

    @inline(never)
    private func outOfRange(
        _ time: EventTime,
        recordedAt: Timestamp,
        _ member: LineMember
    ) -> Rejection {
        let name = EnvelopeName.occurredAt.jsonName
        let shown = "\(name) \(RFC3339.text(time.timestamp, utcOffset: time.utcOffset))"
        let why =
            time.timestamp < Self.earliest
            ? "lies before GPS time began on 1980-01-06; whole numbers are milliseconds since 1970"
            : "lies more than 24 hours after \(RFC3339.text(recordedAt)), when it arrived"
        return Rejection(
            .timeOutOfRange,
            column: member.column,
            field: name,
            sentence: "\(shown) \(why)."
        )
    }
}
