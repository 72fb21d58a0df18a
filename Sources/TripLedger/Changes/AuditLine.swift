import EventStore
public import Projections
public import TripEvents

/// One line of the audit trail of a whole book: what a decision, or a setting, changed about what.
public struct AuditLine: Hashable, Sendable {
    /// What a line is about.
    public enum About: Hashable, Sendable {
        /// A trip.
        case trip(TripID)

        /// Something else, in words: `place Home`, `rules of phone`.
        case setting(String)
    }

    /// What it is about.
    public private(set) var about: About

    /// What was decided.
    public let kind: EventKind

    /// Where the event that says so stands in event order.
    let order: EventOrder

    /// What changed.
    public let change: FieldChange

    /// Why, in the words of the person who decided.
    public let why: String?

    /// Who decided; `nil` if the event names no person.
    public let actor: String?

    /// The source that reported the decision.
    public let source: String

    /// When it was decided, by the source's clock.
    public let occurredAt: EventTime

    /// When the ledger stored it.
    public let recordedAt: Timestamp

    /// Whole days of 24 hours from the trip's end until the ledger stored the decision; `nil` while
    /// the trip is active, and for settings.
    public let daysAfterTrip: Int64?

    /// The trip that it is about, if it is about one.
    public var trip: TripID? { if case .trip(let trip) = about { trip } else { nil } }

    /// What else it is about.
    public var setting: String? { if case .setting(let setting) = about { setting } else { nil } }

    /// The same about a setting of which only the kind is said: `routine`.
    package func withoutName() -> AuditLine {
        guard let kind = setting?.prefix(while: { $0 != " " }) else { return self }
        var line = self
        line.about = .setting(String(kind))
        return line
    }

    /// Creates the line for what a decision changed about a trip.
    public init(_ amendment: TripAmendment) {
        about = .trip(amendment.trip)
        kind = amendment.kind
        order = EventOrder(
            occurredAt: amendment.occurredAt.timestamp,
            kind: amendment.kind,
            sequence: nil,
            identity: amendment.decision
        )
        change = amendment.change
        why = amendment.why
        actor = amendment.actor
        source = amendment.source
        occurredAt = amendment.occurredAt
        recordedAt = amendment.recordedAt
        daysAfterTrip = amendment.daysAfterTrip
    }

    init(_ change: FieldChange, of setting: String, by stored: StoredEvent, _ kind: EventKind) {
        let event = stored.event
        about = .setting(setting)
        self.kind = kind
        order = EventOrder(event, identity: stored.identity)
        self.change = change
        why =
            switch event.body {
            case .clockShifted(let shift): shift.why
            case .entriesErased(let erasure): erasure.why
            default: nil
            }
        actor = event.actor
        source = event.source
        occurredAt = EventTime(event.occurredAt, utcOffset: event.utcOffset)
        recordedAt = stored.recordedAt
        daysAfterTrip = nil
    }
}

extension Snapshot {
    /// Returns every change that people made to trips, and to all that trips go by.
    ///
    /// These are places, vehicles, odometers, routines, custom fields, rules and clocks, and what
    /// was erased: first what was decided first.
    ///
    /// - Parameters:
    ///   - period: Changes of the trips that start in it, whenever they were made, and settings
    ///     that were made in it; `nil` for all.
    ///   - actor: The only person whose changes are listed; `nil` for all.
    /// - Returns: The changes; each of a merged trip once.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func auditTrail(
        in period: LocalPeriod? = nil,
        by actor: String? = nil
    ) throws(LedgerError) -> [AuditLine] {
        try asking {
            let book = BookRows(over: store)
            var lines: [AuditLine] = []
            var known: Set<TripAmendment> = []
            try store.scanTrips(isDescending: false) { row in
                guard period?.contains(row.trip.startedAt) ?? true else { return true }
                for line in try TripBook().history(of: row.trip.id, in: book)
                where known.insert(line).inserted {
                    lines.append(AuditLine(line))
                }
                return true
            }
            lines += try settingChanges().filter { period?.contains($0.occurredAt) ?? true }
            if let actor { lines.removeAll { $0.actor?.utf8.elementsEqual(actor.utf8) != true } }
            // What was decided at once about many trips stands in their order, and what one
            // decision changed in the order in which it does.
            return lines.enumerated()
                .sorted { one, other in
                    (one.element.order.occurredAt, one.element.order.rank, one.offset)
                        < (other.element.order.occurredAt, other.element.order.rank, other.offset)
                }
                .map(\.element)
        }
    }

    /// Returns what people changed about all that trips go by, in event order.
    ///
    /// - Parameter position: Only what was stored there or after it.
    /// - Returns: The changes.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func settingChanges(
        from position: UInt64 = 0
    ) throws(LedgerError) -> [AuditLine] {
        try asking {
            var history = SettingHistory()
            return try settings()
                .flatMap { stored in
                    let lines = history.lines(of: stored)
                    return stored.position < position ? [] : lines
                }
        }
    }

    /// Returns the events that say what trips go by, in event order.
    private func settings() throws -> [StoredEvent] {
        var settings: [StoredEvent] = []
        var names = SourceNames(log)
        try log.eachEntry(in: 0..<head.size) { entry, position in
            guard let kind = EventKind(rawValue: entry.kind), SettingHistory.kinds.contains(kind),
                !entry.isTombstone
            else { return }
            let source = try names.source(of: entry.source, at: position)
            settings.append(try StoredEvent(entry, at: position, source: source))
        }
        return settings.map { (order: EventOrder($0.event, identity: $0.identity), stored: $0) }
            .sorted { $0.order < $1.order }
            .map(\.stored)
    }
}

/// Tells what became of each setting: a place, a vehicle, a routine, rules.
private struct SettingHistory {
    /// The types of the events that it tells of.
    static let kinds: Set<EventKind> = [
        .entriesErased, .routineSaved, .routineRemoved, .vehicleRegistered, .odometerRead,
        .placeSaved, .placeRemoved, .fieldDefined, .rulesAdopted, .clockShifted, .expenseRecorded,
        .ratesLoaded,
    ]

    /// What every setting says now, by what it is.
    private var settings: [String: [String: CustomValue]] = [:]

    /// Returns what the next event in event order changes.
    mutating func lines(of stored: StoredEvent) -> [AuditLine] {
        guard let kind = stored.event.body.kind,
            let (setting, naming) = Self.setting(of: stored)
        else { return [] }
        let old = settings[setting] ?? [:]
        var new = Self.members(of: stored.event)
        for name in naming { new[name] = nil }
        settings[setting] = new
        return Set(old.keys).union(new.keys).sorted()
            .filter { old[$0] != new[$0] }
            .map { name in
                let change = FieldChange(field: name, old: old[name], new: new[name])
                return AuditLine(change, of: setting, by: stored, kind)
            }
    }

    /// Returns what an event is about, and its members that only name that.
    private static func setting(of stored: StoredEvent) -> (String, naming: [String])? {
        switch stored.event.body {
        case .entriesErased:
            ("log", ["why", "memory_hash", "tombstone_hash", "tree_size", "previous_erasure"])
        case .routineSaved(let saved): ("routine \(saved.routine)", ["routine"])
        case .routineRemoved(let removed): ("routine \(removed.routine)", ["routine"])
        case .vehicleRegistered(let vehicle): ("vehicle \(vehicle.vehicle)", ["vehicle"])
        case .odometerRead(let read): ("odometer of \(read.vehicle)", ["vehicle"])
        case .placeSaved(let saved): ("place \(saved.place)", ["place"])
        case .placeRemoved(let removed): ("place \(removed.place)", ["place"])
        case .fieldDefined(let field): ("field \(field.key)", ["key"])
        case .rulesAdopted(let rules):
            (rules.appliesTo.map { "rules of \($0)" } ?? "rules", ["applies_to"])
        case .ratesLoaded(let loaded): ("rates \(loaded.table)", ["table"])
        case .clockShifted(let shift): ("clock of \(shift.appliesTo)", ["applies_to", "why"])
        case .expenseRecorded(let expense):
            (
                "expense \(expense.corrects ?? ExpenseID(recordedBy: stored.identity))",
                ["corrects_expense"]
            )
        default: nil
        }
    }

    /// Returns what an event says, as JSON; lists and objects are texts.
    private static func members(of event: TripEvent) -> [String: CustomValue] {
        var bytes = Array("{".utf8)
        event.appendContentMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        guard case .object(let members)? = try? JSONValue(bytes.span) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: members.compactMap { member in
                value(member.value).map { (member.name, $0) }
            }
        )
    }

    private static func value(_ value: JSONValue) -> CustomValue? {
        switch value {
        case .null: nil
        case .boolean(let boolean): .boolean(boolean)
        case .number(let literal): ExactDecimal(literal: literal).map(CustomValue.number)
        case .text(let text): .text(text)
        case .list(let values):
            .text(values.compactMap { self.value($0).map(words) }.joined(separator: " "))
        case .object(let members):
            .text(
                members.compactMap { member in
                    self.value(member.value).map { "\(member.name)=\(words($0))" }
                }
                .joined(separator: " ")
            )
        }
    }

    private static func words(_ value: CustomValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): number.description
        case .boolean(let boolean): String(boolean)
        case .null: "null"
        }
    }
}
