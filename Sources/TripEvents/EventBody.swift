/// What an event says, one case for each kind.
public enum EventBody: Hashable, Sendable {
    case ledgerCreated(LedgerCreated)
    case sourceRegistered(SourceRegistered)
    case entriesErased(EntriesErased)
    case fixRecorded(FixRecorded)
    case motionChanged(MotionChanged)
    case goPressed(GoPressed)
    case stopPressed(StopPressed)
    case authorizationChanged(AuthorizationChanged)
    case locationFailed(LocationFailed)
    case recoveryDecided(RecoveryDecided)
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
    case vehicleRegistered(VehicleRegistered)
    case odometerRead(OdometerRead)
    case placeSaved(PlaceSaved)
    case placeRemoved(PlaceRemoved)
    case fieldDefined(FieldDefined)
    case rulesAdopted(RulesAdopted)
    case reportIssued(ReportIssued)

    /// An event that a newer version of the program wrote: kept, counted and passed over.
    case unknown(UnknownEvent)

    /// The name of the kind; `unknown` if this version does not know it, `erased` if its content is
    /// gone.
    public var typeName: String {
        if case .unknown(let event) = self, event.isErased { return "erased" }
        return kind?.name ?? "unknown"
    }

    /// The kind of the event, or `nil` if this version does not know it.
    public var kind: EventKind? {
        switch self {
        case .ledgerCreated: .ledgerCreated
        case .sourceRegistered: .sourceRegistered
        case .entriesErased: .entriesErased
        case .fixRecorded: .fixRecorded
        case .motionChanged: .motionChanged
        case .goPressed: .goPressed
        case .stopPressed: .stopPressed
        case .authorizationChanged: .authorizationChanged
        case .locationFailed: .locationFailed
        case .recoveryDecided: .recoveryDecided
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
        case .vehicleRegistered: .vehicleRegistered
        case .odometerRead: .odometerRead
        case .placeSaved: .placeSaved
        case .placeRemoved: .placeRemoved
        case .fieldDefined: .fieldDefined
        case .rulesAdopted: .rulesAdopted
        case .reportIssued: .reportIssued
        case .unknown: nil
        }
    }
}
