/// Reads events from JSON lines in one pass, and without allocating for a GPS fix.
///
/// It refuses a line that is not strict JSON or not a valid event. It accepts what loses nothing:
/// null for an absent member, times to the nanosecond, and members that events of a type do not
/// have, which are kept (``EventSupplement``).
///
/// A reader is made once and used for many lines; ``candidate`` holds what the last good line said.
/// It turns text into values, which the functions that check the events of programs check too
/// (``EventEncoder``).
public struct EventLineReader: Sendable {
    /// The event of the last line that was read without a rejection.
    public internal(set) var candidate = EventCandidate()

    var scanner = LineScanner()

    /// The names with which the members of a plain fix are compared.
    let plainFixNames = PlainFixNames.shared

    /// What the line says beyond the catalogue, if it says something.
    var supplement = EventSupplement()
    var hasSupplement = false

    /// The group of all lines, which need not name it and MUST NOT name another; `nil` if each may
    /// name its own.
    public var group: String? {
        didSet { if group != oldValue { candidate.forgetSource() } }
    }

    let acceptsReservedTypes: Bool

    /// Whether members that events of a type do not have are refused.
    let isStrict: Bool

    /// Creates a reader of lines from outside, which may not hold the types that only the ledger
    /// writes.
    ///
    /// - Parameter isStrict: Whether members that events of a type do not have are refused, and not
    ///   kept.
    public init(isStrict: Bool = false) {
        self.init(acceptingReservedTypes: false, isStrict: isStrict)
    }

    /// Creates a reader that takes every type, for lines that a ledger itself wrote.
    public init(acceptingReservedTypes: Bool, isStrict: Bool = false) {
        acceptsReservedTypes = acceptingReservedTypes
        self.isStrict = isStrict
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
        do throws(Rejection) {
            try readEvent(line, defaultSource: defaultSource, recordedAt: recordedAt)
        } catch {
            throw error.perhapsMeant(by: misspelling(of: error))
        }
    }

    @inline(__always)
    private mutating func readEvent(
        _ line: Span<UInt8>,
        defaultSource: String?,
        recordedAt: Timestamp
    ) throws(Rejection) {
        if hasSupplement { forgetSupplement() }
        try scanner.scan(line)
        if !scanner.unknownMembers.isEmpty { try forgetLogMembers(line) }
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
        let start = candidate.payload.count
        if mayHaveExtra { try readExtra(line) }
        var layout: PayloadForm.Layout
        if candidate.kind == .fixRecorded, let frame = appendPlainFix(line) {
            layout = PayloadForm.Layout(frame)
        } else {
            layout = try body(line).append(to: &candidate.payload)
        }
        if hasSupplement {
            layout = supplement.insert(into: &candidate.payload, at: start, before: layout)
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

    /// Returns whether the last line had a member of the catalogue with this name.
    package func hadMember(named name: String) -> Bool {
        let code = scanner.table.code(of: PackedName(Array(name.utf8)))
        return (scanner.seen | scanner.nulls).contains(code)
    }

    private mutating func forgetSupplement() {
        supplement = EventSupplement()
        candidate.extraNames = []
        candidate.strayNames = []
        hasSupplement = false
    }

    /// Notes the nanoseconds after the millisecond of one of the event's times.
    mutating func note(nanoseconds: UInt32, of member: UInt8) {
        guard nanoseconds > 0 else { return }
        supplement.setNanoseconds(nanoseconds, of: member)
        hasSupplement = true
    }

    /// Returns the member of the line that was perhaps meant to be the one that it lacks.
    @inline(never)
    private func misspelling(of rejection: Rejection) -> String? {
        guard rejection.code == .missingField, let field = rejection.field else { return nil }
        return scanner.unknownMembers.first { NearMiss.mayStand($0.name, for: field) }?.name
    }

    // Mutating, like every function that is called for each line: a function that is not mutating
    // gets a copy of the reader.
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

/// The members that every event has.
extension EventLineReader {
    /// Sets the candidate's source from the line, or else from the default.
    @inline(__always)
    private mutating func readSource(
        _ line: Span<UInt8>,
        defaultSource: String?
    ) throws(Rejection) {
        guard scanner.has(EnvelopeName.source.rawValue) else {
            guard let defaultSource else { throw .missingField(EnvelopeName.source.jsonName) }
            let name = defaultSource.utf8.span
            guard !isOfLastGroup(line) || !candidate.hasSource(name, name.indices) else { return }
            let group = try readGroup(line)
            return try candidate.setSource(Array(defaultSource.utf8), group: group)
        }
        let member = scanner[EnvelopeName.source.rawValue]
        if member.kind == .text, !member.flag, isOfLastGroup(line),
            candidate.hasSource(line, member.start..<member.end)
        {
            return
        }
        try readOtherSource(line, member)
    }

    /// Returns whether the line names the same group as the last one, or likewise none.
    @inline(__always)
    private mutating func isOfLastGroup(_ line: Span<UInt8>) -> Bool {
        guard scanner.has(FieldName.group.rawValue), candidate.kind != .sourceRegistered else {
            return !candidate.namesGroup
        }
        let member = scanner[FieldName.group.rawValue]
        return member.kind == .text && !member.flag
            && candidate.namesGroup(line, member.start..<member.end)
    }

    /// Sets the candidate's source if the line's source or group differs from the last line's.
    @inline(never)
    private mutating func readOtherSource(
        _ line: Span<UInt8>,
        _ member: LineMember
    ) throws(Rejection) {
        let name = try text(line, member, of: .source)
        let group = try readGroup(line)
        do throws(Rejection) {
            try candidate.setSource(name, group: group)
        } catch {
            throw error.at(column: member.column)
        }
    }

    /// Returns the group that the line names, or else all lines are of.
    private mutating func readGroup(_ line: Span<UInt8>) throws(Rejection) -> NamedGroup {
        let code = FieldName.group.rawValue
        // The ledger's statement about a source is content of that event.
        guard scanner.has(code), candidate.kind != .sourceRegistered else {
            return NamedGroup(name: group, isInLine: false)
        }
        let member = scanner[code]
        do throws(Rejection) {
            let value = scanner.tree(of: member, in: line)
            guard case .text(let name) = value else {
                throw Rejection.wrongType(
                    FieldName.group.jsonName,
                    expected: "a text",
                    found: value.typeName
                )
            }
            try TripEvent.checkGroup(named: name)
            if let group, !group.hasSameBytes(as: name) {
                throw Rejection.otherGroup(name, than: group)
            }
            return NamedGroup(name: name, isInLine: true)
        } catch {
            throw error.at(column: member.column)
        }
    }

    /// Returns when the event happened.
    @inline(__always)
    private mutating func occurredAt(
        _ line: Span<UInt8>,
        recordedAt: Timestamp
    ) throws(Rejection) -> EventTime {
        guard scanner.has(EnvelopeName.occurredAt.rawValue) else {
            throw .missingField(EnvelopeName.occurredAt.jsonName)
        }
        let member = scanner[EnvelopeName.occurredAt.rawValue]
        let time = try memberTime(line, member)
        do throws(Rejection) {
            try EnvelopeRule.check(time, recordedAt: recordedAt)
        } catch {
            throw error.at(column: member.column)
        }
        return time
    }

    /// Sets the candidate's id if the line has one, and returns whether it has.
    @inline(__always)
    private mutating func readID(_ line: Span<UInt8>) throws(Rejection) -> Bool {
        guard scanner.has(EnvelopeName.id.rawValue) else { return false }
        let member = scanner[EnvelopeName.id.rawValue]
        candidate.id.removeAll(keepingCapacity: true)
        candidate.id.append(contentsOf: try text(line, member, of: .id, rule: .id))
        return true
    }

    /// Returns the sender's counter, if the line has one.
    @inline(__always)
    private mutating func sequence(_ line: Span<UInt8>) throws(Rejection) -> UInt64? {
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
    private mutating func actor(_ line: Span<UInt8>) throws(Rejection) -> String? {
        guard scanner.has(EnvelopeName.actor.rawValue) else { return nil }
        let member = scanner[EnvelopeName.actor.rawValue]
        return String(decoding: try text(line, member, of: .actor, rule: .short), as: UTF8.self)
    }

    /// Returns the text of a member, which MUST keep a rule.
    private func text(
        _ line: Span<UInt8>,
        _ member: LineMember,
        of name: EnvelopeName,
        rule: TextRule
    ) throws(Rejection) -> [UInt8] {
        let text = try text(line, member, of: name)
        do throws(Rejection) {
            try rule.check(text, of: name.jsonName)
        } catch {
            throw error.at(column: member.column)
        }
        return text
    }

    private func text(
        _ line: Span<UInt8>,
        _ member: LineMember,
        of name: EnvelopeName
    ) throws(Rejection) -> [UInt8] {
        guard member.kind == .text else {
            let found = scanner.tree(of: member, in: line).typeName
            throw Rejection.wrongType(name.jsonName, expected: "a text", found: found)
                .at(column: member.column)
        }
        return scanner.text(of: member, in: line)
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
    private mutating func unusualTime(
        _ line: Span<UInt8>,
        _ member: LineMember
    ) throws(Rejection) -> EventTime {
        do throws(Rejection) {
            let precise = try FieldForm.time(
                from: scanner.tree(of: member, in: line),
                of: EnvelopeName.occurredAt.jsonName
            )
            note(nanoseconds: precise.nanoseconds, of: EnvelopeName.occurredAt.rawValue)
            return precise.time
        } catch {
            throw error.at(column: member.column)
        }
    }
}

/// The members that make up an event's content.
extension EventLineReader {
    /// Appends a fix whose members all have their usual form to the payload.
    ///
    /// - Returns: `nil` if one has not; then ``body(_:)`` reads it or says what is wrong.
    @inline(__always)
    private mutating func appendPlainFix(_ line: Span<UInt8>) -> PayloadForm.Frame? {
        let named = scanner.seen | scanner.nulls
        guard (named & ~plainFixNames.fixOrExtra).isEmpty,
            scanner.seen & plainFixNames.position == plainFixNames.position
        else { return nil }
        var origin = FixOrigin(provider: nil, isMock: nil)
        guard plainOrigin(line, into: &origin) else { return nil }
        if let narrow = narrowFix(origin) {
            narrow.append(to: &candidate.payload)
            return .narrowFix
        }
        guard let latitude = scanner[FieldName.latitude.rawValue].scaled,
            let longitude = scanner[FieldName.longitude.rawValue].scaled
        else { return nil }
        var fix = FixNumbers(latitude: latitude, longitude: longitude, origin: origin)
        guard fix.hasPosition, plainNumber(.altitude, into: &fix.altitude),
            plainNumber(.accuracy, into: &fix.accuracy), plainNumber(.speed, into: &fix.speed),
            plainNumber(.course, into: &fix.course)
        else { return nil }
        return fix.append(to: &candidate.payload)
    }

    /// Returns the narrow form of a fix straight from its members, as most lines have them, or
    /// `nil`; then it may still be narrow.
    @inline(__always)
    private mutating func narrowFix(_ origin: FixOrigin) -> NarrowFix? {
        NarrowFix(
            latitude: narrowAngle(.latitude, atMost: 90),
            longitude: narrowAngle(.longitude, atMost: 180),
            altitude: narrowAltitude(),
            accuracy: narrowNumber(.accuracy, places: 1),
            speed: narrowNumber(.speed, places: 2),
            course: narrowNumber(.course, places: 2),
            origin: origin
        )
    }

    @inline(__always)
    private mutating func narrowAngle(_ name: FieldName, atMost degrees: Int64) -> Int32? {
        let units = scanner[name.rawValue].units(places: 7)
        return units.flatMap { NarrowFix.packAngle($0, atMost: degrees) }
    }

    @inline(__always)
    private mutating func narrowAltitude() -> Int32? {
        guard scanner.has(FieldName.altitude.rawValue) else { return NarrowFix.altitudeAbsent }
        let units = scanner[FieldName.altitude.rawValue].units(places: 1)
        return units.flatMap { NarrowFix.packAltitude($0) }
    }

    @inline(__always)
    private mutating func narrowNumber(_ name: FieldName, places: Int) -> UInt16? {
        guard scanner.has(name.rawValue) else { return NarrowFix.absent }
        let units = scanner[name.rawValue].units(places: places)
        return units.flatMap { NarrowFix.pack($0, places: places) }
    }

    /// Returns the content of the event, whatever its type.
    @inline(never)
    private mutating func body(_ line: Span<UInt8>) throws(Rejection) -> EventBody {
        let kind = KindFields.of(candidate.kind)
        // A member that is null counts as absent, unless null clears its field. A strict reader
        // also notices members that are null and that events of this type do not have.
        let others = ~(kind.all | plainFixNames.envelope)
        let nulls = scanner.nulls & (isStrict ? kind.clearable | others : kind.clearable)
        var fields: [EventFields.Field] = []
        // The group is content only where the ledger itself says it of a source.
        for name in FieldName.allCases where name != .group || kind.names.contains(.group) {
            if scanner.has(name.rawValue) {
                let value = try value(of: scanner[name.rawValue], named: name, in: line)
                fields.append(EventFields.Field(name: name, value: value))
            } else if nulls.contains(name.rawValue) {
                fields.append(EventFields.Field(name: name, value: .null))
            }
        }
        do throws(Rejection) {
            return try EventBody(candidate.kind, EventFields(fields))
        } catch {
            let name = FieldName.allCases.first { $0.jsonName == error.field }
            throw error.at(column: name.flatMap { column(of: $0) })
        }
    }

    private func column(of name: FieldName) -> Int? {
        (scanner.seen | scanner.nulls).contains(name.rawValue)
            ? scanner[name.rawValue].column : nil
    }

    private mutating func value(
        of member: LineMember,
        named name: FieldName,
        in line: Span<UInt8>
    ) throws(Rejection) -> FieldValue {
        do throws(Rejection) {
            let precise = try name.form.preciseValue(
                from: scanner.tree(of: member, in: line),
                of: name.jsonName
            )
            note(nanoseconds: precise.nanoseconds, of: name.rawValue)
            return precise.value
        } catch {
            throw error.at(column: member.column)
        }
    }

    @inline(__always)
    private mutating func plainNumber(_ name: FieldName, into number: inout ScaledDecimal?) -> Bool
    {
        guard scanner.has(name.rawValue) else { return true }
        number = scanner[name.rawValue].scaled
        return number != nil
    }

    @inline(__always)
    private mutating func plainOrigin(_ line: Span<UInt8>, into origin: inout FixOrigin) -> Bool {
        var provider: FixProvider?
        if scanner.has(FieldName.provider.rawValue) {
            let member = scanner[FieldName.provider.rawValue]
            var position = member.start
            guard member.kind == .text, let name = PackedName(line, position: &position) else {
                return false
            }
            provider = plainFixNames.provider(name)
            guard provider != nil else { return false }
        }
        var isMock: Bool?
        if scanner.has(FieldName.mock.rawValue) {
            let member = scanner[FieldName.mock.rawValue]
            guard member.kind == .boolean else { return false }
            isMock = member.flag
        }
        origin = FixOrigin(provider: provider, isMock: isMock)
        return true
    }
}

/// The member names of the most frequent line, a GPS fix, with which a reader compares.
///
/// A reader keeps them, so that no line checks whether they have been made.
struct PlainFixNames: Sendable {
    /// The one that readers share.
    static let shared = PlainFixNames()

    /// The type of a fix.
    let fixRecorded = PackedName(EventKind.fixRecorded.name.utf8)

    /// The members that a fix must have, a bit for each code.
    let position = Self.bits([.latitude, .longitude], [])

    /// The members that every event may have, a bit for each code, but for what is extra.
    let envelope = Self.bits([.group], EnvelopeName.allCases.filter { $0 != .extra })

    /// The members that a fix may have, likewise.
    let fixMembers = Self.bits(
        [.latitude, .longitude, .accuracy, .altitude, .speed, .course, .provider, .mock, .group],
        EnvelopeName.allCases.filter { $0 != .extra }
    )

    /// The same, and what is extra.
    let fixOrExtra = Self.bits(
        [.latitude, .longitude, .accuracy, .altitude, .speed, .course, .provider, .mock, .group],
        EnvelopeName.allCases
    )

    private let providers = FixProvider.allCases.map { (PackedName($0.rawValue.utf8), $0) }

    /// Returns the provider of that name.
    func provider(_ name: PackedName) -> FixProvider? {
        for (packed, provider) in providers where packed == name {
            return provider
        }
        return nil
    }

    private static func bits(_ fields: [FieldName], _ envelope: [EnvelopeName]) -> MemberSet {
        MemberSet(fields.map(\.rawValue) + envelope.map(\.rawValue))
    }
}
