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
