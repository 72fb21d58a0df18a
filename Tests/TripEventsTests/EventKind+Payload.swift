@testable import TripEvents

extension EventKind {
    /// An empty content of this kind, to be filled by a visitor.
    var blankPayload: any EventPayload {
        switch self {
        case .ledgerCreated: LedgerCreated.blank
        case .sourceRegistered: SourceRegistered.blank
        case .entriesErased: EntriesErased.blank
        case .fixRecorded: FixRecorded.blank
        case .motionChanged: MotionChanged.blank
        case .goPressed: GoPressed.blank
        case .stopPressed: StopPressed.blank
        case .authorizationChanged: AuthorizationChanged.blank
        case .locationFailed: LocationFailed.blank
        case .recoveryDecided: RecoveryDecided.blank
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
        case .vehicleRegistered: VehicleRegistered.blank
        case .odometerRead: OdometerRead.blank
        case .placeSaved: PlaceSaved.blank
        case .placeRemoved: PlaceRemoved.blank
        case .fieldDefined: FieldDefined.blank
        case .rulesAdopted: RulesAdopted.blank
        case .reportIssued: ReportIssued.blank
        }
    }
}
