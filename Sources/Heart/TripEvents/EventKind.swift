/// What kind of event this is; the raw value is the entry's kind byte (Formats, *Kinds*).
public enum EventKind: UInt8, CaseIterable, Sendable {
    case ledgerCreated = 0x01
    case sourceRegistered = 0x02
    case entriesErased = 0x03
    case recordsImported = 0x04
    case eventsReceived = 0x05
    case fixRecorded = 0x10
    case motionChanged = 0x11
    case goPressed = 0x12
    case stopPressed = 0x13
    case authorizationChanged = 0x14
    case locationFailed = 0x15
    case recoveryDecided = 0x16
    case inferenceReported = 0x17
    case detailsEdited = 0x20
    case routineSaved = 0x21
    case routineRemoved = 0x22
    case routineApplied = 0x23
    case tripsMerged = 0x28
    case tripSplit = 0x29
    case tripVoided = 0x2A
    case tripRestored = 0x2B
    case distanceAdjusted = 0x2C
    case tripReported = 0x2D
    case stretchExcluded = 0x2E
    case vehicleRegistered = 0x30
    case odometerRead = 0x31
    case placeSaved = 0x32
    case placeRemoved = 0x33
    case fieldDefined = 0x34
    case rulesAdopted = 0x35
    case reportIssued = 0x36
    case clockShifted = 0x37
    case expenseRecorded = 0x38
    case ratesLoaded = 0x39
    case settingsChanged = 0x3A
}

extension EventKind {
    /// The kind's name in JSON, such as `fix_recorded`.
    public var name: String {
        switch self {
        case .ledgerCreated: "ledger_created"
        case .sourceRegistered: "source_registered"
        case .entriesErased: "entries_erased"
        case .recordsImported: "records_imported"
        case .eventsReceived: "events_received"
        case .fixRecorded: "fix_recorded"
        case .motionChanged: "motion_changed"
        case .goPressed: "go_pressed"
        case .stopPressed: "stop_pressed"
        case .authorizationChanged: "authorization_changed"
        case .locationFailed: "location_failed"
        case .recoveryDecided: "recovery_decided"
        case .inferenceReported: "inference_reported"
        case .detailsEdited: "details_edited"
        case .routineSaved: "routine_saved"
        case .routineRemoved: "routine_removed"
        case .routineApplied: "routine_applied"
        case .tripsMerged: "trips_merged"
        case .tripSplit: "trip_split"
        case .tripVoided: "trip_voided"
        case .tripRestored: "trip_restored"
        case .distanceAdjusted: "distance_adjusted"
        case .tripReported: "trip_reported"
        case .stretchExcluded: "stretch_excluded"
        case .vehicleRegistered: "vehicle_registered"
        case .odometerRead: "odometer_read"
        case .placeSaved: "place_saved"
        case .placeRemoved: "place_removed"
        case .fieldDefined: "field_defined"
        case .rulesAdopted: "rules_adopted"
        case .reportIssued: "report_issued"
        case .clockShifted: "clock_shifted"
        case .expenseRecorded: "expense_recorded"
        case .ratesLoaded: "rates_loaded"
        case .settingsChanged: "settings_changed"
        }
    }

    /// Creates the kind with a name, or returns `nil` if there is none.
    public init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    /// Whether only the ledger itself writes events of this kind.
    public var isReserved: Bool {
        switch self {
        case .ledgerCreated, .sourceRegistered, .entriesErased, .recordsImported, .eventsReceived,
            .reportIssued:
            true
        default: false
        }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

extension EventKind {
    /// The place of events of this kind among events of the same source and instant: rules, places
    /// and vehicles, then GO, motion, fixes, STOP, decisions and edits (Formats, *Kinds*).
    public var rank: UInt8 {
        switch self {
        case .ledgerCreated, .sourceRegistered, .vehicleRegistered, .placeSaved, .placeRemoved,
            .fieldDefined, .rulesAdopted, .clockShifted, .ratesLoaded, .settingsChanged:
            0
        case .goPressed: 1
        case .motionChanged: 2
        case .fixRecorded, .authorizationChanged, .locationFailed: 3
        case .stopPressed: 4
        case .recoveryDecided, .detailsEdited, .routineSaved, .routineRemoved, .routineApplied,
            .tripsMerged, .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted, .tripReported,
            .stretchExcluded, .odometerRead, .expenseRecorded, .reportIssued, .entriesErased,
            .inferenceReported, .recordsImported, .eventsReceived:
            5
        }
    }
}

/// What `ledger log` calls the type of an entry: the kind of its event, or why that is not known.
///
/// It follows from the entry's first bytes, without reading its content.
public enum EntryType: Hashable, Sendable {
    /// An event of a kind that this version of the program knows.
    case event(EventKind)

    /// An event that a newer version of the program wrote.
    case unknown

    /// An event whose content is gone.
    case erased

    /// An event whose content was withheld from this copy of the log.
    case withheld

    /// Every type: those of events in the order of their kinds, then the others.
    public static let all = EventKind.allCases.map(EntryType.event) + [unknown, erased, withheld]

    /// Finds the type of an entry by its bytes for kind and form.
    public init(kind: UInt8, form: PayloadForm) {
        if kind == UnknownEvent.erasedKind {
            let event = UnknownEvent(kind: kind, form: form.rawValue, payload: [])
            self = event.isWithheld ? .withheld : .erased
        } else if let kind = EventKind(rawValue: kind), form.frame != nil,
            form.version <= PayloadHistory.currentVersion(of: kind)
        {
            self = .event(kind)
        } else {
            self = .unknown
        }
    }

    /// Creates the type with a name, or returns `nil` if there is none.
    public init?(name: String) {
        guard let type = Self.all.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// The type's name in JSON, such as `fix_recorded`.
    public var name: String {
        switch self {
        case .event(let kind): kind.name
        case .unknown: "unknown"
        case .erased: "erased"
        case .withheld: "withheld"
        }
    }
}

/// The fields that events of a kind have, as bits at their tags.
struct KindFields: Sendable {
    /// All of them.
    private(set) var all = MemberSet.none

    /// Those that null clears; any other field counts as absent if it is null.
    private(set) var clearable = MemberSet.none

    /// Their names, in the order of the catalogue.
    private(set) var names: [FieldName] = []

    /// Returns the fields of a kind.
    @inline(__always)
    static func of(_ kind: EventKind) -> KindFields { table[Int(kind.rawValue)] }

    private static let table: [KindFields] = {
        var table = [KindFields](repeating: KindFields(), count: Int(UInt8.max) + 1)
        for kind in EventKind.allCases {
            for field in FieldLister.fields(of: kind) {
                let bit = MemberSet(field.name.rawValue)
                table[Int(kind.rawValue)].all |= bit
                if field.isClearable { table[Int(kind.rawValue)].clearable |= bit }
                table[Int(kind.rawValue)].names.append(field.name)
            }
        }
        return table
    }()
}

/// Collects the fields of a content, and which of them are required.
struct FieldLister: FieldVisitor {
    /// A field as the catalogue describes it.
    struct Entry {
        var name: FieldName
        var isRequired = false
        var isClearable = false
    }

    private(set) var entries: [Entry] = []

    /// Returns the fields of one kind of event.
    static func fields(of kind: EventKind) -> [Entry] {
        var lister = FieldLister()
        var payload = kind.blankPayload
        payload.visit(&lister)
        return lister.entries
    }

    mutating func required<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value) {
        entries.append(Entry(name: name, isRequired: true))
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value?) {
        entries.append(Entry(name: name))
    }

    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) {
        entries.append(Entry(name: name, isClearable: true))
    }
}

extension EventKind {
    /// An empty content of this kind, to be filled by a visitor.
    var blankPayload: any EventPayload {
        switch self {
        case .ledgerCreated: LedgerCreated.blank
        case .sourceRegistered: SourceRegistered.blank
        case .entriesErased: EntriesErased.blank
        case .recordsImported: RecordsImported.blank
        case .eventsReceived: EventsReceived.blank
        case .fixRecorded: FixRecorded.blank
        case .motionChanged: MotionChanged.blank
        case .goPressed: GoPressed.blank
        case .stopPressed: StopPressed.blank
        case .authorizationChanged: AuthorizationChanged.blank
        case .locationFailed: LocationFailed.blank
        case .recoveryDecided: RecoveryDecided.blank
        case .inferenceReported: InferenceReported.blank
        case .detailsEdited: DetailsEdited.blank
        case .routineSaved: RoutineSaved.blank
        case .routineRemoved: RoutineRemoved.blank
        case .routineApplied: RoutineApplied.blank
        case .tripsMerged: TripsMerged.blank
        case .tripSplit: TripSplit.blank
        case .tripVoided: TripVoided.blank
        case .tripRestored: TripRestored.blank
        case .distanceAdjusted: DistanceAdjusted.blank
        case .tripReported: TripReported.blank
        case .stretchExcluded: StretchExcluded.blank
        case .vehicleRegistered: VehicleRegistered.blank
        case .odometerRead: OdometerRead.blank
        case .placeSaved: PlaceSaved.blank
        case .placeRemoved: PlaceRemoved.blank
        case .fieldDefined: FieldDefined.blank
        case .rulesAdopted: RulesAdopted.blank
        case .reportIssued: ReportIssued.blank
        case .clockShifted: ClockShifted.blank
        case .expenseRecorded: ExpenseRecorded.blank
        case .ratesLoaded: RatesLoaded.blank
        case .settingsChanged: SettingsChanged.blank
        }
    }
}

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
