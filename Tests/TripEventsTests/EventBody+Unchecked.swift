@testable import TripEvents

extension EventBody {
    /// Creates a body from a content that was not checked.
    init?(unchecked payload: any EventPayload) {
        let body: EventBody? =
            switch payload {
            case let payload as LedgerCreated: .ledgerCreated(payload)
            case let payload as SourceRegistered: .sourceRegistered(payload)
            case let payload as EntriesErased: .entriesErased(payload)
            case let payload as RecordsImported: .recordsImported(payload)
            case let payload as EventsReceived: .eventsReceived(payload)
            case let payload as FixRecorded: .fixRecorded(payload)
            case let payload as MotionChanged: .motionChanged(payload)
            case let payload as GoPressed: .goPressed(payload)
            case let payload as StopPressed: .stopPressed(payload)
            case let payload as AuthorizationChanged: .authorizationChanged(payload)
            case let payload as LocationFailed: .locationFailed(payload)
            case let payload as RecoveryDecided: .recoveryDecided(payload)
            case let payload as InferenceReported: .inferenceReported(payload)
            case let payload as DetailsEdited: .detailsEdited(payload)
            case let payload as RoutineSaved: .routineSaved(payload)
            case let payload as RoutineRemoved: .routineRemoved(payload)
            case let payload as RoutineApplied: .routineApplied(payload)
            case let payload as TripsMerged: .tripsMerged(payload)
            case let payload as TripSplit: .tripSplit(payload)
            case let payload as TripVoided: .tripVoided(payload)
            case let payload as TripRestored: .tripRestored(payload)
            case let payload as DistanceAdjusted: .distanceAdjusted(payload)
            case let payload as TripReported: .tripReported(payload)
            case let payload as StretchExcluded: .stretchExcluded(payload)
            case let payload as VehicleRegistered: .vehicleRegistered(payload)
            case let payload as OdometerRead: .odometerRead(payload)
            case let payload as PlaceSaved: .placeSaved(payload)
            case let payload as PlaceRemoved: .placeRemoved(payload)
            case let payload as FieldDefined: .fieldDefined(payload)
            case let payload as RatesLoaded: .ratesLoaded(payload)
            case let payload as SettingsChanged: .settingsChanged(payload)
            case let payload as RulesAdopted: .rulesAdopted(payload)
            case let payload as ReportIssued: .reportIssued(payload)
            case let payload as ClockShifted: .clockShifted(payload)
            case let payload as ExpenseRecorded: .expenseRecorded(payload)
            default: nil
            }
        guard let body else { return nil }
        self = body
    }
}
