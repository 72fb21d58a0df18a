import TripEvents

/// What Overland sends: objects whose `locations` are GeoJSON features, one after the other; some
/// send a list of features, or one, without the object around it, or one in it without a list.
///
/// Source: github.com/aaronpk/Overland-iOS. Coordinates are longitude, latitude; speeds are in
/// metres per second, and −1 says that something is not known.
struct OverlandFormat: ObjectFormat {
    static let lists: Set<String> = ["", "locations"]
    static let hasSingleRecords = true

    private static let name = "Overland"

    private let options: ImportOptions
    private var feature = JSONRecord()
    private var properties = JSONRecord()
    private var geometry = JSONRecord()
    private var motion: MotionMemory
    private var record = 0

    init(_ options: ImportOptions) {
        self.options = options
        motion = MotionMemory(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        self.record = record
        try feature.read(text)
        if list.isEmpty, let locations = feature.value("locations", text) {
            // The object around the features is no feature.
            if locations.kind == .list { return }
            guard locations.kind == .object else {
                throw Rejection(
                    .wrongType,
                    field: "locations",
                    sentence: "locations is not a list of features."
                )
            }
            try feature.read(text, locations)
        }
        guard let value = feature.value("properties", text), value.kind == .object else {
            throw .missingField("properties")
        }
        try properties.read(text, value)
        try readFeature(text, into: &batch)
    }

    private mutating func readFeature(
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let source = options.source ?? source(text)
        if properties.text("type", text) == "trip" {
            return try readTrip(text, of: source, into: &batch)
        }
        if properties.text("action", text) == "visit" {
            return try readVisit(text, of: source, into: &batch)
        }
        if let action = properties.text("action", text), feature.value("geometry", text) == nil {
            return batch.ignore(action, record: record)
        }
        let time = try readTime("timestamp", text)
        if let state = MotionMemory.state(of: properties.texts("motion", text)) {
            motion.note(state, .medium, of: source, at: time, record: record, into: &batch)
        }
        let place = try place(text)
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", required: place.latitude, of: text, to: &fix)
        batch.add("lon", required: place.longitude, of: text, to: &fix)
        batch.add(
            "accuracy",
            known: properties.reading("horizontal_accuracy", text),
            of: text,
            to: &fix
        )
        batch.add("altitude", optional: properties.reading("altitude", text), of: text, to: &fix)
        batch.add("speed", known: properties.reading("speed", text), of: text, to: &fix)
        batch.add("course", known: properties.reading("course", text), of: text, to: &fix)
        batch.end(fix, record: record)
    }

    /// Makes GO and STOP of a trip that the driver began in the app, and keeps what the app says of
    /// it.
    ///
    /// Its distance is the app's claim, and no measurement. A trip by other means than a car is
    /// kept only as the app's claim.
    private mutating func readTrip(
        _ text: Span<UInt8>,
        of source: String,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let start = try readTime("start", text)
        let end = try readTime("end", text)
        guard end.time.timestamp >= start.time.timestamp else {
            throw Rejection(
                .invalidValue,
                field: "end",
                sentence: "The trip ends before it starts."
            )
        }
        let mode = properties.text("mode", text)
        if mode.map({ TravelMode(wordOfOthers: $0) == .car }) ?? true {
            var go = batch.begin(.goPressed, of: source, at: start)
            if let vehicle = options.vehicle { batch.add("vehicle", text: vehicle, to: &go) }
            batch.end(go, record: record)
            var stop = batch.begin(.stopPressed, of: source, at: end)
            // Versions before 2023 wrote it beside the properties.
            let name = "stopped_automatically"
            if let isAutomatic = properties.boolean(name, text) ?? feature.boolean(name, text) {
                batch.add("automatic", json: isAutomatic ? "true" : "false", to: &stop)
            }
            batch.end(stop, record: record)
        }
        var claim = batch.beginInference(
            .activity,
            by: Self.name,
            of: source,
            from: start,
            to: end
        )
        batch.add("distance_m", known: properties.reading("distance", text), of: text, to: &claim)
        if let mode { batch.add(activity: mode, to: &claim) }
        for (names, members) in [
            (["start_location", "start-coordinates"], ImportBatch.startNames),
            (["end_location", "end-coordinates"], ImportBatch.endNames),
        ] {
            guard let value = properties.firstValue(names, text) else { continue }
            try add(value, members, text, to: &claim, in: &batch)
        }
        batch.end(claim, record: record)
    }

    /// Adds where a trip began or ended: a feature, a geometry, or, from older versions, a list of
    /// longitude and latitude.
    private mutating func add(
        _ value: JSONObjectIndex.Value,
        _ names: (String, String),
        _ text: Span<UInt8>,
        to claim: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) throws(Rejection) {
        if value.kind == .list {
            let coordinates = (try? JSONObjectIndex.elements(text, at: value.range.lowerBound))
            return batch.add(point: coordinates ?? [], of: text, names, to: &claim)
        }
        guard value.kind == .object else { return }
        try geometry.read(text, value)
        if let inner = geometry.value("geometry", text), inner.kind == .object {
            try geometry.read(text, inner)
        }
        let coordinates = geometry.elements("coordinates", text)
        batch.add(point: coordinates, of: text, names, to: &claim)
    }

    /// Keeps a stay that the phone noticed, once it has ended.
    ///
    /// For a stay that goes on, iOS gives an end in the distant future, and for one that began
    /// before it looked, a start in the distant past.
    private mutating func readVisit(
        _ text: Span<UInt8>,
        of source: String,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard properties.value("arrival_date", text) != nil,
            properties.value("departure_date", text) != nil
        else { return batch.ignore("visit", record: record) }
        let start = try readTime("arrival_date", text)
        let end = try readTime("departure_date", text)
        guard Self.saidTimes.contains(start.time.timestamp),
            Self.saidTimes.contains(end.time.timestamp)
        else { return batch.ignore("visit", record: record) }
        var claim = batch.beginInference(.visit, by: Self.name, of: source, from: start, to: end)
        if let value = feature.value("geometry", text) {
            try add(value, ImportBatch.startNames, text, to: &claim, in: &batch)
        }
        batch.end(claim, record: record)
    }

    /// The years 1980 to 3000: before and after them lie iOS's distant past and future.
    private static let saidTimes =
        Timestamp(milliseconds: 315_532_800_000)..<Timestamp(milliseconds: 32_503_680_000_000)

    private func readTime(_ name: String, _ text: Span<UInt8>) throws(Rejection) -> PreciseTime {
        guard let value = properties.value(name, text) else { throw .missingField(name) }
        return try TimeText(zone: options.zone, isZeroUTC: true)
            .time(text, value.range, in: name)
    }

    /// Returns where the numbers of a feature's position stand.
    private mutating func place(
        _ text: Span<UInt8>
    ) throws(Rejection) -> (latitude: Range<Int>?, longitude: Range<Int>?) {
        guard let value = feature.value("geometry", text), value.kind == .object else {
            throw .missingField("geometry")
        }
        try geometry.read(text, value)
        let coordinates = geometry.elements("coordinates", text)
        if coordinates.count >= 2 { return (coordinates[1].range, coordinates[0].range) }
        guard let object = geometry.value("coordinates", text), object.kind == .object else {
            throw .missingField("coordinates")
        }
        // The app's own documentation shows them this way.
        try geometry.read(text, object)
        return (geometry.number("latitude", text), geometry.number("longitude", text))
    }

    private func source(_ text: Span<UInt8>) -> String {
        for name in ["device_id", "unique_id"] {
            if let device = properties.text(name, text), !device.isEmpty {
                return "overland/\(device)"
            }
        }
        return "overland"
    }
}
