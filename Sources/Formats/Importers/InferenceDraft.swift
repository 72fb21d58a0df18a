import TripEvents

// Inferences that other programs drew from what a device recorded: evidence, and never measured.
extension ImportBatch {
    /// The members that say where a place is, or where a way began.
    static let startNames = ("lat", "lon")

    /// The members that say where a way ended.
    static let endNames = ("to_lat", "to_lon")

    /// Begins the line of an inference, dated at its end, because it could not be known before.
    mutating func beginInference(
        _ kind: InferenceKind,
        by name: String,
        of source: String,
        from start: PreciseTime,
        to end: PreciseTime
    ) -> Draft {
        var draft = begin(.inferenceReported, of: source, at: end)
        add("inferred_by", text: name, to: &draft)
        add("inference", text: kind.rawValue, to: &draft)
        add("started_at", text: RFC3339.text(start), to: &draft)
        add("ended_at", text: RFC3339.text(end), to: &draft)
        return draft
    }

    /// Adds what was done, in the words of others, and the means of transport that they stand for.
    mutating func add(activity word: String, to draft: inout Draft) {
        guard !word.isEmpty else { return }
        add("activity", text: word, to: &draft)
        if let mode = TravelMode(wordOfOthers: word) {
            add("mode", text: mode.rawValue, to: &draft)
        }
    }

    /// Adds a position to what was inferred.
    mutating func add(
        _ place: (latitude: ScaledDecimal, longitude: ScaledDecimal),
        _ names: (String, String),
        to draft: inout Draft
    ) {
        add(names.0, place.latitude, to: &draft)
        add(names.1, place.longitude, to: &draft)
    }

    /// Adds the position of a point of GeoJSON: longitude, then latitude.
    mutating func add(
        point coordinates: [JSONObjectIndex.Value],
        of text: Span<UInt8>,
        _ names: (String, String),
        to draft: inout Draft
    ) {
        guard coordinates.count >= 2, coordinates[..<2].allSatisfy({ $0.kind == .number }) else {
            return
        }
        add(names.0, number: text, coordinates[1].range, to: &draft)
        add(names.1, number: text, coordinates[0].range, to: &draft)
    }
}

extension TravelMode {
    /// Creates the means of transport that an app's word for an activity stands for, or returns
    /// `nil` if it stands for none of them.
    ///
    /// Words are those of Google, such as `IN_PASSENGER_VEHICLE` or `in passenger vehicle`, and of
    /// Overland.
    init?(wordOfOthers word: String) {
        switch word.uppercased().replacing(" ", with: "_") {
        case "IN_PASSENGER_VEHICLE", "IN_VEHICLE", "IN_ROAD_VEHICLE", "IN_FOUR_WHEELER_VEHICLE",
            "IN_CAR", "IN_TAXI", "DRIVING", "MOTORCYCLING", "CAR", "TAXI":
            self = .car
        case "IN_BUS", "BUS": self = .bus
        case "IN_TRAIN", "IN_SUBWAY", "IN_TRAM", "IN_RAIL_VEHICLE", "TRAM", "TRAIN", "METRO",
            "MONORAIL":
            self = .rail
        case "CYCLING", "ON_BICYCLE", "BICYCLE": self = .bicycle
        case "WALKING", "RUNNING", "ON_FOOT", "HIKING", "WALK", "RUN": self = .foot
        default: return nil
        }
    }
}
