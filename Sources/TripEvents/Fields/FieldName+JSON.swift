extension FieldName {
    /// The name of the field's member in JSON, at most 16 bytes.
    var jsonName: String {
        // A test checks that the table is complete.
        Self.jsonNames[Int(rawValue)]
    }

    /// The names at the fields' tags.
    private static let jsonNames: [String] = {
        var names = [String](repeating: "", count: Int(UInt8.max) + 1)
        for (field, name) in jsonNamesOfFields { names[Int(field.rawValue)] = name }
        return names
    }()

    private static let jsonNamesOfFields: KeyValuePairs<FieldName, String> = [
        .ledger: "ledger",
        .timeZone: "time_zone",
        .units: "units",
        .rulesVersion: "rules_version",
        .number: "number",
        .name: "name",
        .sourceKind: "source_kind",
        .latitude: "lat",
        .longitude: "lon",
        .accuracy: "accuracy",
        .altitude: "altitude",
        .speed: "speed",
        .course: "course",
        .provider: "provider",
        .mock: "mock",
        .state: "state",
        .confidence: "confidence",
        .status: "status",
        .precise: "precise",
        .error: "error",
        .trip: "trip",
        .tripStartedAt: "trip_started_at",
        .decision: "decision",
        .trips: "trips",
        .splitAt: "split_at",
        .distance: "distance_m",
        .why: "why",
        .startedAt: "started_at",
        .endedAt: "ended_at",
        .from: "from",
        .to: "to",
        .importedFrom: "imported_from",
        .title: "title",
        .purpose: "purpose",
        .notes: "notes",
        .category: "category",
        .client: "client",
        .vehicle: "vehicle",
        .tripClass: "class",
        .fields: "fields",
        .routine: "routine",
        .plate: "plate",
        .make: "make",
        .model: "model",
        .inServiceSince: "in_service_since",
        .value: "value",
        .unit: "unit",
        .method: "method",
        .place: "place",
        .radius: "radius_m",
        .label: "label",
        .skip: "skip",
        .notifyOnEntry: "notify_on_entry",
        .notifyOnExit: "notify_on_exit",
        .key: "key",
        .valueType: "value_type",
        .options: "options",
        .order: "order",
        .preset: "preset",
        .appliesTo: "applies_to",
        .parameters: "parameters",
        .report: "report",
        .periodStart: "period_start",
        .periodEnd: "period_end",
        .outputHash: "output_hash",
        .treeSize: "tree_size",
        .treeHash: "tree_hash",
        .positions: "positions",
        .tombstoneHash: "tombstone_hash",
        .erasedFrom: "erased_from",
        .reason: "reason",
    ]
}
