extension EventKind {
    /// The kind's name in JSON, such as `fix_recorded`.
    public var name: String {
        switch self {
        case .ledgerCreated: "ledger_created"
        case .sourceRegistered: "source_registered"
        case .entriesErased: "entries_erased"
        case .fixRecorded: "fix_recorded"
        case .motionChanged: "motion_changed"
        case .goPressed: "go_pressed"
        case .stopPressed: "stop_pressed"
        case .authorizationChanged: "authorization_changed"
        case .locationFailed: "location_failed"
        case .recoveryDecided: "recovery_decided"
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
        case .vehicleRegistered: "vehicle_registered"
        case .odometerRead: "odometer_read"
        case .placeSaved: "place_saved"
        case .placeRemoved: "place_removed"
        case .fieldDefined: "field_defined"
        case .rulesAdopted: "rules_adopted"
        case .reportIssued: "report_issued"
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
        case .ledgerCreated, .sourceRegistered, .entriesErased: true
        default: false
        }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
