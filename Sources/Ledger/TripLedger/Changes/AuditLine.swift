import EventStore
public import Projections
public import TripEvents

/// One line of the audit trail of a whole book: one change to a trip or to a setting.
public struct AuditLine: Hashable, Sendable {
    /// What a line is about.
    public enum About: Hashable, Sendable {
        /// A trip.
        case trip(TripID)

        /// Something on which trips depend.
        case setting(Setting)
    }

    /// Something on which trips depend.
    public enum Setting: Hashable, Sendable {
        /// The entries of the log, of which some were erased.
        case log

        /// A routine; without its name if that is left out.
        case routine(String?)

        /// A vehicle.
        case vehicle(String)

        /// The odometer of a vehicle.
        case odometer(of: String)

        /// A place; without its name if that is left out.
        case place(String?)

        /// A custom field, by its key.
        case field(String)

        /// The rules of a source; `nil` for those of all.
        case rules(of: String?)

        /// A table of rates.
        case rates(String)

        /// The settings of the whole ledger.
        case settings

        /// The clock of a source.
        case clock(of: String)

        /// An expense.
        case expense(ExpenseID)

        /// The subject, as JSON says it: `place Home`, `rules of phone`.
        public var text: String {
            switch self {
            case .log: "log"
            case .routine(let name): name.map { "routine \($0)" } ?? "routine"
            case .vehicle(let name): "vehicle \(name)"
            case .odometer(let vehicle): "odometer of \(vehicle)"
            case .place(let name): name.map { "place \($0)" } ?? "place"
            case .field(let key): "field \(key)"
            case .rules(let source): source.map { "rules of \($0)" } ?? "rules"
            case .rates(let table): "rates \(table)"
            case .settings: "settings"
            case .clock(let source): "clock of \(source)"
            case .expense(let id): "expense \(id)"
            }
        }

        /// Returns whether two are the same, names byte by byte (`NameKey`).
        public static func == (left: Setting, right: Setting) -> Bool {
            left.text.hasSameBytes(as: right.text)
        }

        /// Feeds it into a hasher.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(NameKey(text))
        }
    }

    /// What it is about.
    public private(set) var about: About

    /// What was decided.
    public let kind: EventKind

    /// The place of the event in event order.
    let order: EventOrder

    /// What changed.
    public let change: FieldChange

    /// The reason, in the words of the person who decided.
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

    /// The time from which the days until a reading or an expense was stored are counted.
    ///
    /// It is when it was read or paid, or what it corrects; of an expense of a trip it is the end
    /// of the trip. It is `nil` for all else.
    package let happenedAt: Timestamp?

    /// The days whose figures the change of a setting may alter.
    let reaches: [SettingReach]

    /// Why the decision has no effect, or had none when it was taken back; `nil` if it has one, and
    /// for settings.
    public let withoutEffect: DecisionObstacle?

    /// The trip that it is about, if it is about one.
    public var trip: TripID? { if case .trip(let trip) = about { trip } else { nil } }

    /// The setting that it is about; `nil` for a trip.
    public var setting: Setting? { if case .setting(let setting) = about { setting } else { nil } }

    /// The same about a routine or a place whose name is left out.
    package func withoutName() -> AuditLine {
        var line = self
        switch setting {
        case .routine: line.about = .setting(.routine(nil))
        case .place: line.about = .setting(.place(nil))
        case .log, .vehicle, .odometer, .field, .rules, .rates, .settings, .clock, .expense,
            nil:
            break
        }
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
        happenedAt = nil
        reaches = []
        withoutEffect = amendment.withoutEffect
    }

    init(
        _ change: FieldChange,
        of setting: Setting,
        by stored: StoredEvent,
        _ kind: EventKind,
        reaching found: (reaches: [SettingReach], happenedAt: Timestamp?)
    ) {
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
        (reaches, happenedAt) = found
        withoutEffect = nil
    }
}

extension AuditLine {
    /// Returns whether the change of a setting belongs to the audit trail of a period.
    ///
    /// An expense belongs to the days on which it counts, and to those on which it counted before.
    /// A reading and all else belong to the days whose figures they may alter, if they were decided
    /// or stored after the period began. What was decided in the period belongs to it as well,
    /// unless it is about an expense or a reading of other days.
    ///
    /// - Parameters:
    ///   - period: The days.
    ///   - lastEnd: When the last of the trips ended that started in the period; `nil` for none.
    /// - Returns: Whether it belongs to it; `false` for a change of a trip.
    package func belongs(to period: LocalPeriod, withTripsUntil lastEnd: Timestamp?) -> Bool {
        let begun = LocalPeriod(from: period.from, localDay: period.localDay)
        let matters = reaches.contains { reach in
            switch reach {
            case .everything: true
            case .day(let day): period.containsDay(day)
            case .time(let time):
                period.contains(time)
                    || (begun.contains(time) && (lastEnd.map { time.timestamp <= $0 } ?? false))
            case .instants(let instants): period.instants.overlaps(instants)
            case .since(let day): period.to.map { day <= $0 } ?? true
            }
        }
        if kind == .expenseRecorded { return matters }
        if kind != .odometerRead, period.contains(occurredAt) { return true }
        return matters && (begun.contains(occurredAt) || begun.contains(EventTime(recordedAt)))
    }
}

extension Snapshot {
    /// Returns every change that people made to trips, and to everything on which trips depend.
    ///
    /// These are places, vehicles, odometers, routines, custom fields, rules and clocks, and what
    /// was erased: first what was decided first.
    ///
    /// - Parameters:
    ///   - period: Changes of the trips that start in it, whenever they were made; expenses of its
    ///     days; and settings that were made in it, or that may alter its figures and were made or
    ///     stored after it began; `nil` for all.
    ///   - actor: The only person whose changes are listed; `nil` for all.
    /// - Returns: The changes; each of a merged trip once.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func auditTrail(
        in period: LocalPeriod? = nil,
        by actor: String? = nil
    ) throws(LedgerError) -> [AuditLine] {
        try asking {
            let book = TripBook(over: store)
            var lines: [AuditLine] = []
            var known: Set<TripAmendment> = []
            var lastEnd: Timestamp?
            try store.scanTrips(isDescending: false) { row in
                guard period?.contains(row.trip.startedAt) ?? true else { return true }
                lastEnd = [lastEnd, row.trip.endedAt?.timestamp].compactMap { $0 }.max()
                for line in try book.history(of: row.trip.id)
                where known.insert(line).inserted {
                    lines.append(AuditLine(line))
                }
                return true
            }
            lines += try settingChanges()
                .filter { line in
                    period.map { line.belongs(to: $0, withTripsUntil: lastEnd) } ?? true
                }
            if let actor { lines.removeAll { $0.actor?.hasSameBytes(as: actor) != true } }
            // Decisions of one moment about many trips stand in the order of the trips, and the
            // changes of one decision in its own order.
            return lines.enumerated()
                .sorted { one, other in
                    (one.element.order.occurredAt, one.element.order.rank, one.offset)
                        < (other.element.order.occurredAt, other.element.order.rank, other.offset)
                }
                .map(\.element)
        }
    }

    /// Returns what people changed about everything on which trips depend, in event order.
    ///
    /// - Parameter position: Only what was stored there or after it.
    /// - Returns: The changes.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func settingChanges(
        from position: UInt64 = 0
    ) throws(LedgerError) -> [AuditLine] {
        try asking {
            var history = SettingHistory(founding)
            let withoutEffect = Set(
                try TripBook(over: store).ledgerDecisionsWithoutEffect(beside: settings)
                    .map(\.decision.order.identity)
            )
            let events = try settingEvents().filter { !withoutEffect.contains($0.identity) }
            var reaches = SettingReaches(of: events)
            return try events.flatMap { stored in
                let trip = try paidTrip(stored.event.body)
                let lines = history.lines(of: stored, reaching: reaches.next(stored, on: trip))
                return stored.position < position ? [] : lines
            }
        }
    }

    /// Returns the trip that an expense names; `nil` if it is not there, and for other events.
    private func paidTrip(_ body: EventBody) throws -> BookedTrip? {
        guard case .expenseRecorded(let expense) = body, let trip = expense.trip else { return nil }
        return try store.tripRow(trip)?.booked
    }

    /// Returns the events that say on what trips depend, in event order: for a group that is looked
    /// at alone, its own and the owner's.
    private func settingEvents() throws -> [StoredEvent] {
        var settings: [StoredEvent] = []
        var names = SourceNames(log)
        try log.eachEntry(in: 0..<head.size) { entry, position in
            guard let kind = EventKind(rawValue: entry.kind), SettingHistory.kinds.contains(kind),
                !entry.isTombstone
            else { return }
            let source = try names.source(of: entry.source, at: position)
            var stored = try StoredEvent(entry, at: position, source: source)
            if case .entriesErased(let erased) = stored.event.body {
                guard let selected = try selected(erased) else { return }
                stored.event.body = .entriesErased(selected)
            }
            if try isSeen(stored) { settings.append(stored) }
        }
        return settings.map { (order: EventOrder($0.event, identity: $0.identity), stored: $0) }
            .sorted { $0.order < $1.order }
            .map(\.stored)
    }

    /// Returns whether an event concerns the group that is looked at alone, if one is.
    private func isSeen(_ stored: StoredEvent) throws -> Bool {
        guard store.sight.selection != nil else { return true }
        if case .expenseRecorded(let expense) = stored.event.body, let trip = expense.trip {
            return try isSeen(trip, namedIn: stored.event.group)
        }
        return store.sight.seesSettings(of: stored.event.group)
    }
}

/// Tells what became of each setting: a place, a vehicle, a routine, rules.
private struct SettingHistory {
    /// The types of the events that it tells of.
    static let kinds: Set<EventKind> = [
        .entriesErased, .routineSaved, .routineRemoved, .vehicleRegistered, .odometerRead,
        .placeSaved, .placeRemoved, .fieldDefined, .rulesAdopted, .clockShifted, .expenseRecorded,
        .ratesLoaded, .settingsChanged,
    ]

    /// What every setting says now, by what it is.
    private var settings: [AuditLine.Setting: [NameKey: CustomValue]] = [:]

    /// Begins with what the ledger was made with.
    init(_ founding: LedgerCreated) {
        settings[.settings] = [
            NameKey(SettingName.timeZone.rawValue): .text(founding.timeZone),
            NameKey(SettingName.units.rawValue): .text(founding.units.rawValue),
        ]
    }

    /// Returns what the next event in event order changes.
    mutating func lines(
        of stored: StoredEvent,
        reaching found: (reaches: [SettingReach], happenedAt: Timestamp?)
    ) -> [AuditLine] {
        guard let kind = stored.event.body.kind,
            let (setting, naming) = Self.setting(of: stored)
        else { return [] }
        let old = settings[setting] ?? [:]
        var new = Self.members(of: stored.event)
        for name in naming { new[NameKey(name)] = nil }
        // What settings of the ledger do not mention stays, and null takes one back.
        if kind == .settingsChanged {
            new = old.merging(new) { $1 }.filter { $0.value != .null }
        }
        settings[setting] = new
        return Set(old.keys).union(new.keys).sorted()
            .filter { old[$0] != new[$0] }
            .map { name in
                let change = FieldChange(field: name.name, old: old[name], new: new[name])
                return AuditLine(change, of: setting, by: stored, kind, reaching: found)
            }
    }

    /// Returns what an event is about, and its members that only name that.
    private static func setting(
        of stored: StoredEvent
    ) -> (AuditLine.Setting, naming: [String])? {
        switch stored.event.body {
        case .entriesErased:
            (.log, ["why", "memory_hash", "tombstone_hash", "tree_size", "previous_erasure"])
        case .routineSaved(let saved): (.routine(saved.routine), ["routine"])
        case .routineRemoved(let removed): (.routine(removed.routine), ["routine"])
        case .vehicleRegistered(let vehicle): (.vehicle(vehicle.vehicle), ["vehicle"])
        case .odometerRead(let read): (.odometer(of: read.vehicle), ["vehicle"])
        case .placeSaved(let saved): (.place(saved.place), ["place"])
        case .placeRemoved(let removed): (.place(removed.place), ["place"])
        case .fieldDefined(let field): (.field(field.key), ["key"])
        case .rulesAdopted(let rules): (.rules(of: rules.appliesTo), ["applies_to"])
        case .ratesLoaded(let loaded): (.rates(loaded.table), ["table"])
        case .settingsChanged: (.settings, [])
        case .clockShifted(let shift): (.clock(of: shift.appliesTo), ["applies_to", "why"])
        case .expenseRecorded(let expense):
            (
                .expense(expense.corrects ?? ExpenseID(recordedBy: stored.identity)),
                ["corrects_expense"]
            )
        default: nil
        }
    }

    /// Returns what an event says, as JSON; lists and objects are texts.
    private static func members(of event: TripEvent) -> [NameKey: CustomValue] {
        var bytes = Array("{".utf8)
        event.appendContentMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        guard case .object(let members)? = try? JSONValue(bytes.span) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: members.compactMap { member in
                value(member.value).map { (NameKey(member.name), $0) }
            }
        )
    }

    private static func value(_ value: JSONValue) -> CustomValue? {
        switch value {
        case .null: .null
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
