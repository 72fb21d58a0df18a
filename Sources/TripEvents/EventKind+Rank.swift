extension EventKind {
    /// Where events of this kind stand among events of the same source and instant: rules, places
    /// and vehicles, then GO, motion, fixes, STOP, decisions and edits (Formats, *Kinds*).
    public var rank: UInt8 {
        switch self {
        case .ledgerCreated, .sourceRegistered, .vehicleRegistered, .placeSaved, .placeRemoved,
            .fieldDefined, .rulesAdopted:
            0
        case .goPressed: 1
        case .motionChanged: 2
        case .fixRecorded, .authorizationChanged, .locationFailed: 3
        case .stopPressed: 4
        case .recoveryDecided, .detailsEdited, .routineSaved, .routineRemoved, .routineApplied,
            .tripsMerged, .tripSplit, .tripVoided, .tripRestored, .distanceAdjusted, .tripReported,
            .odometerRead, .reportIssued, .entriesErased:
            5
        }
    }
}
