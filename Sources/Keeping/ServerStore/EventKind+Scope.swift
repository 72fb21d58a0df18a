package import TripEvents

extension EventKind {
    /// The scope that a token needs to deliver events of this kind.
    package var scope: TokenScope {
        switch self {
        case .fixRecorded, .motionChanged, .goPressed, .stopPressed, .authorizationChanged,
            .locationFailed, .inferenceReported, .odometerRead:
            .ingest
        case .recoveryDecided, .detailsEdited, .routineSaved, .routineRemoved, .routineApplied,
            .tripsMerged, .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted, .tripReported,
            .stretchExcluded, .expenseRecorded:
            .edit
        case .vehicleRegistered, .placeSaved, .placeRemoved, .fieldDefined, .rulesAdopted,
            .reportIssued, .clockShifted, .ratesLoaded, .settingsChanged, .ledgerCreated,
            .sourceRegistered, .entriesErased, .recordsImported, .eventsReceived:
            .admin
        }
    }
}
