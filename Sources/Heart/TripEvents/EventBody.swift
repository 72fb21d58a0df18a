/// What an event says, one case for each kind.
public enum EventBody: Hashable, Sendable {
    case ledgerCreated(LedgerCreated)
    case sourceRegistered(SourceRegistered)
    case entriesErased(EntriesErased)
    case recordsImported(RecordsImported)
    case eventsReceived(EventsReceived)
    case fixRecorded(FixRecorded)
    case motionChanged(MotionChanged)
    case goPressed(GoPressed)
    case stopPressed(StopPressed)
    case authorizationChanged(AuthorizationChanged)
    case locationFailed(LocationFailed)
    case recoveryDecided(RecoveryDecided)
    case inferenceReported(InferenceReported)
    case detailsEdited(DetailsEdited)
    case routineSaved(RoutineSaved)
    case routineRemoved(RoutineRemoved)
    case routineApplied(RoutineApplied)
    case tripsMerged(TripsMerged)
    case tripSplit(TripSplit)
    case tripVoided(TripVoided)
    case tripRestored(TripRestored)
    case distanceAdjusted(DistanceAdjusted)
    case tripReported(TripReported)
    case stretchExcluded(StretchExcluded)
    case vehicleRegistered(VehicleRegistered)
    case odometerRead(OdometerRead)
    case placeSaved(PlaceSaved)
    case placeRemoved(PlaceRemoved)
    case fieldDefined(FieldDefined)
    case rulesAdopted(RulesAdopted)
    case reportIssued(ReportIssued)
    case clockShifted(ClockShifted)
    case expenseRecorded(ExpenseRecorded)
    case ratesLoaded(RatesLoaded)
    case settingsChanged(SettingsChanged)

    /// An event that a newer version of the program wrote: kept, counted and passed over.
    case unknown(UnknownEvent)

    /// The name of the kind; `unknown` if this version does not know it, `withheld` if its content
    /// was withheld from this copy of the log, `erased` if it is
    /// gone.
    public var typeName: String {
        if case .unknown(let event) = self, event.isErased {
            return event.isWithheld ? UnknownEvent.withheldName : UnknownEvent.erasedName
        }
        return kind?.name ?? "unknown"
    }

    /// The kind of the event, or `nil` if this version does not know it.
    public var kind: EventKind? {
        switch self {
        case .ledgerCreated: .ledgerCreated
        case .sourceRegistered: .sourceRegistered
        case .entriesErased: .entriesErased
        case .recordsImported: .recordsImported
        case .eventsReceived: .eventsReceived
        case .fixRecorded: .fixRecorded
        case .motionChanged: .motionChanged
        case .goPressed: .goPressed
        case .stopPressed: .stopPressed
        case .authorizationChanged: .authorizationChanged
        case .locationFailed: .locationFailed
        case .recoveryDecided: .recoveryDecided
        case .inferenceReported: .inferenceReported
        case .detailsEdited: .detailsEdited
        case .routineSaved: .routineSaved
        case .routineRemoved: .routineRemoved
        case .routineApplied: .routineApplied
        case .tripsMerged: .tripsMerged
        case .tripSplit: .tripSplit
        case .tripVoided: .tripVoided
        case .tripRestored: .tripRestored
        case .distanceAdjusted: .distanceAdjusted
        case .tripReported: .tripReported
        case .stretchExcluded: .stretchExcluded
        case .vehicleRegistered: .vehicleRegistered
        case .odometerRead: .odometerRead
        case .placeSaved: .placeSaved
        case .placeRemoved: .placeRemoved
        case .fieldDefined: .fieldDefined
        case .rulesAdopted: .rulesAdopted
        case .reportIssued: .reportIssued
        case .clockShifted: .clockShifted
        case .expenseRecorded: .expenseRecorded
        case .ratesLoaded: .ratesLoaded
        case .settingsChanged: .settingsChanged
        case .unknown: nil
        }
    }
}

extension EventBody {
    /// The content in its neutral form, or `nil` if this version does not know the kind.
    var payload: (any EventPayload)? {
        switch self {
        case .ledgerCreated(let payload): payload
        case .sourceRegistered(let payload): payload
        case .entriesErased(let payload): payload
        case .recordsImported(let payload): payload
        case .eventsReceived(let payload): payload
        case .fixRecorded(let payload): payload
        case .motionChanged(let payload): payload
        case .goPressed(let payload): payload
        case .stopPressed(let payload): payload
        case .authorizationChanged(let payload): payload
        case .locationFailed(let payload): payload
        case .recoveryDecided(let payload): payload
        case .inferenceReported(let payload): payload
        case .detailsEdited(let payload): payload
        case .routineSaved(let payload): payload
        case .routineRemoved(let payload): payload
        case .routineApplied(let payload): payload
        case .tripsMerged(let payload): payload
        case .tripSplit(let payload): payload
        case .tripVoided(let payload): payload
        case .tripRestored(let payload): payload
        case .distanceAdjusted(let payload): payload
        case .tripReported(let payload): payload
        case .stretchExcluded(let payload): payload
        case .vehicleRegistered(let payload): payload
        case .odometerRead(let payload): payload
        case .placeSaved(let payload): payload
        case .placeRemoved(let payload): payload
        case .fieldDefined(let payload): payload
        case .rulesAdopted(let payload): payload
        case .reportIssued(let payload): payload
        case .clockShifted(let payload): payload
        case .expenseRecorded(let payload): payload
        case .ratesLoaded(let payload): payload
        case .settingsChanged(let payload): payload
        case .unknown: nil
        }
    }

    /// Creates the content of an event of one kind from its fields, of whatever version.
    init(_ kind: EventKind, _ fields: EventFields) throws(Rejection) {
        let fields = PayloadHistory.upcast(fields, of: kind)
        self =
            switch kind {
            case .ledgerCreated: .ledgerCreated(try LedgerCreated(fields))
            case .sourceRegistered: .sourceRegistered(try SourceRegistered(fields))
            case .entriesErased: .entriesErased(try EntriesErased(fields))
            case .recordsImported: .recordsImported(try RecordsImported(fields))
            case .eventsReceived: .eventsReceived(try EventsReceived(fields))
            case .fixRecorded: .fixRecorded(try FixRecorded(fields))
            case .motionChanged: .motionChanged(try MotionChanged(fields))
            case .goPressed: .goPressed(try GoPressed(fields))
            case .stopPressed: .stopPressed(try StopPressed(fields))
            case .authorizationChanged: .authorizationChanged(try AuthorizationChanged(fields))
            case .locationFailed: .locationFailed(try LocationFailed(fields))
            case .recoveryDecided: .recoveryDecided(try RecoveryDecided(fields))
            case .inferenceReported: .inferenceReported(try InferenceReported(fields))
            case .detailsEdited: .detailsEdited(try DetailsEdited(fields))
            case .routineSaved: .routineSaved(try RoutineSaved(fields))
            case .routineRemoved: .routineRemoved(try RoutineRemoved(fields))
            case .routineApplied: .routineApplied(try RoutineApplied(fields))
            case .tripsMerged: .tripsMerged(try TripsMerged(fields))
            case .tripSplit: .tripSplit(try TripSplit(fields))
            case .tripVoided: .tripVoided(try TripVoided(fields))
            case .tripRestored: .tripRestored(try TripRestored(fields))
            case .distanceAdjusted: .distanceAdjusted(try DistanceAdjusted(fields))
            case .tripReported: .tripReported(try TripReported(fields))
            case .stretchExcluded: .stretchExcluded(try StretchExcluded(fields))
            case .vehicleRegistered: .vehicleRegistered(try VehicleRegistered(fields))
            case .odometerRead: .odometerRead(try OdometerRead(fields))
            case .placeSaved: .placeSaved(try PlaceSaved(fields))
            case .placeRemoved: .placeRemoved(try PlaceRemoved(fields))
            case .fieldDefined: .fieldDefined(try FieldDefined(fields))
            case .rulesAdopted: .rulesAdopted(try RulesAdopted(fields))
            case .reportIssued: .reportIssued(try ReportIssued(fields))
            case .clockShifted: .clockShifted(try ClockShifted(fields))
            case .expenseRecorded: .expenseRecorded(try ExpenseRecorded(fields))
            case .ratesLoaded: .ratesLoaded(try RatesLoaded(fields))
            case .settingsChanged: .settingsChanged(try SettingsChanged(fields))
            }
    }
}
