/// The members that events of the line's type do not have.
extension EventLineReader {
    /// A member that is kept as it was sent.
    private struct SentMember {
        var member: JSONValue.Member

        /// Where its value starts in the line.
        var start: Int

        /// The column that a rejection of it names.
        var column: Int

        /// Whether the sender did not call it extra.
        var isStray = true
    }

    /// Whether the line has members beside those that the line's type has.
    @inline(__always)
    var mayHaveExtra: Bool {
        mutating get {
            let others = ~members(of: candidate.kind)
            return !scanner.unknownMembers.isEmpty || !(scanner.seen & others).isEmpty
        }
    }

    /// Takes what is extra out of the scanned line and into the supplement.
    ///
    /// A strict reader refuses members that no event has; ``body(_:)`` refuses those of other
    /// types.
    @inline(never)
    mutating func readExtra(_ line: Span<UInt8>) throws(Rejection) {
        if isStrict, let member = scanner.unknownMembers.first {
            throw .unknownField(member.name, field: nil).at(column: member.position + 1)
        }
        var sent = try sentAsExtra(line)
        for unknown in scanner.unknownMembers {
            let member = JSONValue.Member(name: unknown.name, value: unknown.value)
            sent.append(
                SentMember(member: member, start: unknown.start, column: unknown.position + 1)
            )
        }
        if !isStrict { sent += takeMembersOfOtherTypes(line) }
        guard !sent.isEmpty else { return }
        sent.sort { $0.start < $1.start }
        var names: Set<[UInt8]> = []
        for member in sent where !names.insert(Array(member.member.name.utf8)).inserted {
            throw Rejection(JSONParser.duplicate(member.member.name, at: member.column - 1))
        }
        candidate.extraNames = sent.map(\.member.name)
        candidate.strayNames = sent.filter(\.isStray).map(\.member.name)
        hasSupplement = true
        let members = sent.map(\.member)
        // The limits hold for all of it, including members that are not part of the identity.
        let all = try ExtraMembers(members)
        let place = sent.firstIndex {
            !$0.isStray && $0.member.name == EventSupplement.unreadName
        }
        guard let place, case .object(let unread) = members[place].value, !unread.isEmpty else {
            supplement.extra = all
            return
        }
        supplement.unread = try ExtraMembers(unread)
        let others = members[..<place] + members[(place + 1)...]
        if !others.isEmpty { supplement.extra = try ExtraMembers(Array(others)) }
    }

    /// Returns the members of the object that a line calls extra.
    private func sentAsExtra(_ line: Span<UInt8>) throws(Rejection) -> [SentMember] {
        let code = EnvelopeName.extra.rawValue
        guard scanner.has(code) else { return [] }
        let extra = scanner[code]
        let value = scanner.tree(of: extra, in: line)
        guard case .object(let members) = value else {
            throw
                Rejection.wrongType(
                    EnvelopeName.extra.jsonName,
                    expected: "an object",
                    found: value.typeName
                )
                .at(column: extra.column)
        }
        return members.map { member in
            SentMember(member: member, start: extra.start, column: extra.column, isStray: false)
        }
    }

    /// Returns the members that only events of other types have, and forgets that they were there.
    private mutating func takeMembersOfOtherTypes(_ line: Span<UInt8>) -> [SentMember] {
        let others = ~members(of: candidate.kind)
        var sent: [SentMember] = []
        for name in FieldName.allCases
        where scanner.has(name.rawValue) && others.contains(name.rawValue) {
            let found = scanner[name.rawValue]
            let value = scanner.tree(of: found, in: line)
            let member = JSONValue.Member(name: name.jsonName, value: value)
            sent.append(SentMember(member: member, start: found.start, column: found.column))
        }
        scanner.seen &= ~others
        return sent
    }

    /// The members that events of a kind have, as bits, but for what is extra.
    @inline(__always)
    private mutating func members(of kind: EventKind) -> MemberSet {
        kind == .fixRecorded
            ? plainFixNames.fixMembers : KindFields.of(kind).all | plainFixNames.envelope
    }
}

// MARK: Lines of a log

extension EventLineReader {
    /// The members that a ledger adds to an event when it prints its log.
    private enum LogMember {
        static let position = "position"
        static let recordedAt = "recorded_at"
        static let origin = "origin"

        /// The bytes of the entry, in a line of an export.
        static let entry = "entry"

        /// A member of the first line of an export, and the form that this line names.
        static let firstPosition = "first_position"
        static let exportForms = "ledger-export/"
    }

    /// Removes the members that a ledger added to a line of its log or of an export: the position
    /// of the entry there, the time it was stored, the file it came from and its bytes are not part
    /// of the event.
    ///
    /// - Throws: `Rejection` if the entry is one that the ledger wrote about itself, or if its
    ///   content is gone; or if the line is the first one of an export, which is about all.
    @inline(never)
    mutating func forgetLogMembers(_ line: Span<UInt8>) throws(Rejection) {
        let members = scanner.unknownMembers
        let position = members.firstIndex { member in
            guard case .number(let literal) = member.value else { return false }
            return member.name == LogMember.position && UInt64(literal) != nil
        }
        let recordedAt = members.firstIndex { member in
            guard case .text(let text) = member.value else { return false }
            return member.name == LogMember.recordedAt && RFC3339.time(text) != nil
        }
        guard let position, let recordedAt else {
            // If only one of the two is there, it is a member of the sender's own; but an export
            // has no time for an entry that was withheld.
            if !acceptsReservedTypes, position != nil && isGone(line) || isStartOfExport(line) {
                throw Self.nothingToAppend
            }
            return
        }
        // The origin and the bytes are a matter of that ledger, too.
        let others = members.indices.filter { index in
            switch members[index].value {
            case .object: members[index].name == LogMember.origin
            case .text: members[index].name == LogMember.entry
            default: false
            }
        }
        for index in ([position, recordedAt] + others).sorted(by: >) {
            scanner.unknownMembers.remove(at: index)
        }
        guard !acceptsReservedTypes else { return }
        if text(of: .source, in: line) == [] || isIssuedReport(line) || isGone(line) {
            throw Self.nothingToAppend
        }
    }

    private static let nothingToAppend = Rejection(
        .nothingToAppend,
        sentence: "The line is an entry that a ledger wrote about itself, or whose content is gone."
    )

    /// Whether the line is the first one of an export.
    private func isStartOfExport(_ line: Span<UInt8>) -> Bool {
        guard scanner.unknownMembers.contains(where: { $0.name == LogMember.firstPosition }),
            let form = text(of: FieldName.format.rawValue, in: line)
        else { return false }
        return form.starts(with: LogMember.exportForms.utf8)
    }

    /// Whether the line is an entry about a report, which a ledger writes about itself although its
    /// source is that of decisions.
    private func isIssuedReport(_ line: Span<UInt8>) -> Bool {
        guard let type = text(of: .type, in: line) else { return false }
        return EventKind.reportIssued.name.utf8.elementsEqual(type)
    }

    /// Whether the line is an entry that was erased, or withheld from a copy of the log.
    private func isGone(_ line: Span<UInt8>) -> Bool {
        guard let type = text(of: .type, in: line) else { return false }
        return UnknownEvent.typeNamesOfGone.contains { $0.utf8.elementsEqual(type) }
    }

    private func text(of name: EnvelopeName, in line: Span<UInt8>) -> [UInt8]? {
        text(of: name.rawValue, in: line)
    }

    private func text(of code: UInt8, in line: Span<UInt8>) -> [UInt8]? {
        guard scanner.has(code), scanner[code].kind == .text else { return nil }
        return scanner.text(of: scanner[code], in: line)
    }
}
