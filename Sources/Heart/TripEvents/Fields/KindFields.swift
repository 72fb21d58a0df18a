/// The fields that events of a kind have, as bits at their tags.
struct KindFields: Sendable {
    /// All of them.
    private(set) var all = MemberSet.none

    /// Those that null clears; any other that is null is not there.
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

/// Collects the fields of a content, and which of them there must be.
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
