/// A field of an event's content; the raw value is its tag in the binary form (Formats, *Fields*).
///
/// Tags are frozen: a field that is no longer written keeps its tag, a new one takes the next.
enum FieldName: UInt8, CaseIterable, Sendable {
    // The ledger's statements about itself.
    case ledger = 0x01
    case timeZone = 0x02
    case units = 0x03
    case rulesVersion = 0x04
    case number = 0x05
    case name = 0x06
    case sourceKind = 0x07

    // Readings.
    case latitude = 0x08
    case longitude = 0x09
    case accuracy = 0x0A
    case altitude = 0x0B
    case speed = 0x0C
    case course = 0x0D
    case provider = 0x0E
    case mock = 0x0F
    case state = 0x10
    case confidence = 0x11
    case status = 0x12
    case precise = 0x13
    case error = 0x14

    // Trips and corrections.
    case trip = 0x15
    case tripStartedAt = 0x16
    case decision = 0x17
    case trips = 0x18
    case splitAt = 0x19
    case distance = 0x1A
    case why = 0x1B
    case startedAt = 0x1C
    case endedAt = 0x1D
    case from = 0x1E
    case to = 0x1F
    case importedFrom = 0x20

    // Details.
    case title = 0x21
    case purpose = 0x22
    case notes = 0x23
    case category = 0x24
    case client = 0x25
    case vehicle = 0x26
    case tripClass = 0x27
    case fields = 0x28
    case routine = 0x29

    // Book-keeping and settings.
    case plate = 0x2A
    case make = 0x2B
    case model = 0x2C
    case inServiceSince = 0x2D
    case value = 0x2E
    case unit = 0x2F
    case method = 0x30
    case place = 0x31
    case radius = 0x32
    case label = 0x33
    case skip = 0x34
    case notifyOnEntry = 0x35
    case notifyOnExit = 0x36
    case key = 0x37
    case valueType = 0x38
    case options = 0x39
    case order = 0x3A
    case preset = 0x3B
    case appliesTo = 0x3C
    case parameters = 0x3D
    case report = 0x3E
    case periodStart = 0x3F
    case periodEnd = 0x40
    case outputHash = 0x41
    case treeSize = 0x42
    case treeHash = 0x43

    // Erasures.
    case positions = 0x44
    case tombstoneHash = 0x45
    case erasedFrom = 0x46

    // Added by version 2 of location_failed.
    case reason = 0x47

    // Erasures: what recognises erased events, and the erasure before.
    case memoryHash = 0x48
    case previousErasure = 0x49

    // Details: the means of transport.
    case mode = 0x4A

    // Times that decisions are about: of a stretch, or by a clock that was wrong.
    case fromTime = 0x4B
    case toTime = 0x4C
    case bySeconds = 0x4D

    // Odometers: the time of the reading that was wrong.
    case corrects = 0x4E

    // Routines: the trips to which they apply by themselves.
    case fromPlace = 0x4F
    case toPlace = 0x50
    case bothWays = 0x51
    case days = 0x52
    case since = 0x53

    // Vehicles, as rates tell them apart.
    case vehicleKind = 0x54
    case fiscalPower = 0x55
    case electric = 0x56

    // Rates.
    case table = 0x57
    case rates = 0x58
    case contentHash = 0x59

    // The person whose vehicle, or ledger, it is.
    case keeper = 0x5A

    // Expenses.
    case expenseKind = 0x5B
    case amount = 0x5C
    case currency = 0x5D
    case day = 0x5E
    case merchant = 0x5F
    case quantity = 0x60
    case quantityUnit = 0x61
    case receiptHash = 0x62
    case correctsExpense = 0x63
    case isVoid = 0x64

    // What others inferred: who, what, and how sure they are; where it ended.
    case inferredBy = 0x65
    case inference = 0x66
    case activity = 0x67
    case placeID = 0x68
    case probability = 0x69
    case toLatitude = 0x6A
    case toLongitude = 0x6B

    // Presses: whether the recorder made it by itself.
    case automatic = 0x6C

    // Imports: which entries came from which records of which file.
    case file = 0x6D
    case filePart = 0x6E
    case format = 0x6F
    case fileSize = 0x70
    case fileHash = 0x71
    case records = 0x72

    // Reports: what else their bytes depend on.
    case programVersion = 0x73
    case documentHash = 0x74

    // The group to which a source belongs.
    case group = 0x75

    // Settings; 0x78 … 0x7E are those of ``EnvelopeName``.
    case language = 0x76
    case country = 0x77
    case paper = 0x7F

    // Who drove, what a vehicle burns, and addresses.
    case driver = 0x80
    case fuel = 0x81
    case engine = 0x82
    case address = 0x83
    case fromAddress = 0x84
    case toAddress = 0x85
}

extension FieldName {
    /// What the field's value may be.
    var form: FieldForm {
        switch self {
        case .ledger, .timeZone, .rulesVersion, .sourceKind, .from, .to, .importedFrom, .title,
            .purpose, .category, .client, .vehicle, .routine, .plate, .make, .model, .place,
            .label, .preset, .report, .fromPlace, .toPlace, .merchant, .inferredBy, .activity,
            .placeID, .table, .format, .programVersion, .keeper,
            .driver, .address, .fromAddress, .toAddress:
            .text(.short)
        case .name, .appliesTo: .text(.source)
        case .key: .text(.key)
        case .group: .text(.group)
        case .currency: .currency
        case .language: .language
        case .country: .country
        case .error, .why, .notes, .file, .filePart: .text(.long)
        case .latitude, .toLatitude: .number(.latitude)
        case .longitude, .toLongitude: .number(.longitude)
        case .accuracy, .altitude, .speed, .course, .bySeconds: .number(.any)
        case .distance, .value, .radius, .amount, .quantity: .number(.notNegative)
        case .probability: .number(.fraction)
        case .number: .integer(1...16_777_215)
        case .order: .integer(0...UInt64(UInt32.max))
        case .fiscalPower: .integer(1...999)
        case .engine: .integer(1...99_999)
        case .treeSize, .previousErasure, .fileSize: .integer(0...UInt64.max)
        case .mock, .precise, .skip, .notifyOnEntry, .notifyOnExit, .bothWays, .isVoid,
            .automatic, .electric:
            .boolean
        case .tripStartedAt, .splitAt, .startedAt, .endedAt, .fromTime, .toTime, .corrects, .since:
            .time
        case .inServiceSince, .periodStart, .periodEnd, .day: .date
        case .trip, .correctsExpense: .trip
        case .trips: .trips(count: 2...100)
        case .erasedFrom: .trips(count: 1...100)
        case .outputHash, .treeHash, .tombstoneHash, .memoryHash, .receiptHash, .contentHash,
            .fileHash, .documentHash:
            .digest
        case .positions: .positions
        case .records: .records
        case .options: .texts(count: 1...100, .short)
        case .rates: .texts(count: 1...1_000, .rate)
        case .days: .choices(Weekday.allCases.map(\.rawValue))
        case .fields, .parameters: .values
        case .units, .unit, .paper, .provider, .state, .confidence, .status, .decision,
            .tripClass, .mode, .reason, .fuel, .vehicleKind, .method, .inference, .valueType,
            .expenseKind, .quantityUnit:
            .choice(words)
        }
    }

    /// The words of a field that holds one of a few; empty for any other field.
    private var words: [String] {
        switch self {
        case .units, .unit: DistanceUnit.allCases.map(\.rawValue)
        case .paper: PaperSize.allCases.map(\.rawValue)
        case .provider: FixProvider.allCases.map(\.rawValue)
        case .state: MotionState.allCases.map(\.rawValue)
        case .confidence: MotionConfidence.allCases.map(\.rawValue)
        case .status: LocationAuthorization.allCases.map(\.rawValue)
        case .decision: RecoveryDecision.allCases.map(\.rawValue)
        case .tripClass: TripClass.allCases.map(\.rawValue)
        case .mode: TravelMode.allCases.map(\.rawValue)
        case .reason: LocationFailure.allCases.map(\.rawValue)
        case .fuel: Fuel.allCases.map(\.rawValue)
        case .vehicleKind: VehicleKind.allCases.map(\.rawValue)
        case .method: OdometerMethod.allCases.map(\.rawValue)
        case .inference: InferenceKind.allCases.map(\.rawValue)
        case .valueType: CustomFieldType.allCases.map(\.rawValue)
        case .expenseKind: ExpenseKind.allCases.map(\.rawValue)
        case .quantityUnit: QuantityUnit.allCases.map(\.rawValue)
        default: []
        }
    }
}

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
        .memoryHash: "memory_hash",
        .previousErasure: "previous_erasure",
        .mode: "mode",
        .fromTime: "from_time",
        .toTime: "to_time",
        .bySeconds: "by_seconds",
        .corrects: "corrects",
        .fromPlace: "from_place",
        .toPlace: "to_place",
        .bothWays: "both_ways",
        .days: "days",
        .since: "since",
        .inferredBy: "inferred_by",
        .inference: "inference",
        .activity: "activity",
        .placeID: "place_id",
        .probability: "probability",
        .toLatitude: "to_lat",
        .toLongitude: "to_lon",
        .file: "file",
        .filePart: "file_part",
        .format: "format",
        .fileSize: "file_size",
        .fileHash: "file_hash",
        .records: "records",
        .expenseKind: "kind",
        .amount: "amount",
        .currency: "currency",
        .day: "day",
        .merchant: "merchant",
        .quantity: "quantity",
        .quantityUnit: "quantity_unit",
        .receiptHash: "receipt_hash",
        .correctsExpense: "corrects_expense",
        .isVoid: "void",
        .vehicleKind: "vehicle_kind",
        .fiscalPower: "fiscal_power",
        .electric: "electric",
        .table: "table",
        .rates: "rates",
        .contentHash: "content_hash",
        .automatic: "automatic",
        .programVersion: "program_version",
        .group: "group",
        .keeper: "keeper",
        .language: "language",
        .country: "country",
        .paper: "paper",
        .documentHash: "document_hash",
        .driver: "driver",
        .fuel: "fuel",
        .engine: "engine_cc",
        .address: "address",
        .fromAddress: "from_address",
        .toAddress: "to_address",
    ]
}
