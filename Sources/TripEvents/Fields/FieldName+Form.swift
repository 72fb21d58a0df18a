extension FieldName {
    /// What the field's value may be.
    var form: FieldForm {
        switch self {
        case .ledger, .timeZone, .rulesVersion, .sourceKind, .from, .to, .importedFrom, .title,
            .purpose, .category, .client, .vehicle, .routine, .plate, .make, .model, .place,
            .label, .preset, .report:
            .text(.short)
        case .name, .appliesTo: .text(.source)
        case .key: .text(.key)
        case .error, .why, .notes: .text(.long)
        case .latitude: .number(.latitude)
        case .longitude: .number(.longitude)
        case .accuracy, .altitude, .speed, .course: .number(.any)
        case .distance, .value, .radius: .number(.notNegative)
        case .number: .integer(1...16_777_215)
        case .order: .integer(0...UInt64(UInt32.max))
        case .treeSize: .integer(0...UInt64.max)
        case .mock, .precise, .skip, .notifyOnEntry, .notifyOnExit: .boolean
        case .tripStartedAt, .splitAt, .startedAt, .endedAt: .time
        case .inServiceSince, .periodStart, .periodEnd: .date
        case .trip: .trip
        case .trips: .trips(count: 2...100)
        case .erasedFrom: .trips(count: 1...100)
        case .outputHash, .treeHash, .tombstoneHash: .digest
        case .positions: .positions
        case .options: .texts(count: 1...100)
        case .fields, .parameters: .values
        case .units, .unit: .choice(DistanceUnit.allCases.map(\.rawValue))
        case .provider: .choice(FixProvider.allCases.map(\.rawValue))
        case .state: .choice(MotionState.allCases.map(\.rawValue))
        case .confidence: .choice(MotionConfidence.allCases.map(\.rawValue))
        case .status: .choice(LocationAuthorization.allCases.map(\.rawValue))
        case .decision: .choice(RecoveryDecision.allCases.map(\.rawValue))
        case .tripClass: .choice(TripClass.allCases.map(\.rawValue))
        case .reason: .choice(LocationFailure.allCases.map(\.rawValue))
        case .method: .choice(OdometerMethod.allCases.map(\.rawValue))
        case .valueType: .choice(CustomFieldType.allCases.map(\.rawValue))
        }
    }
}
