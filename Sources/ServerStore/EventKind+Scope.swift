package import TripEvents

extension EventKind {
    /// What a token must allow, so that events of this kind are taken.
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
            .reportIssued, .clockShifted, .ratesLoaded, .ledgerCreated, .sourceRegistered,
            .entriesErased, .recordsImported, .eventsReceived:
            .admin
        }
    }
}
