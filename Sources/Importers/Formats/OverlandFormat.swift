import TripEvents

/// What Overland sends: objects whose `locations` are GeoJSON features, one after the other.
///
/// Source: github.com/aaronpk/Overland-iOS. Coordinates are longitude, latitude; speeds are in
/// metres per second, and −1 says that something is not known.
struct OverlandFormat: ObjectFormat {
    static let lists: Set<String> = ["locations"]

    private let options: ImportOptions
    private var feature = JSONRecord()
    private var properties = JSONRecord()
    private var geometry = JSONRecord()
    private var motion = MotionMemory()
    private var record = 0

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        self.record = record
        try feature.read(text)
        guard let value = feature.value("properties", text) else {
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
        if let action = properties.text("action", text), feature.value("geometry", text) == nil {
            return batch.ignore(action, record: record)
        }
        if properties.text("action", text) == "visit" {
            return batch.ignore("visit", record: record)
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
            known: properties.number("horizontal_accuracy", text),
            of: text,
            to: &fix
        )
        batch.add("altitude", optional: properties.number("altitude", text), of: text, to: &fix)
        batch.add("speed", known: properties.number("speed", text), of: text, to: &fix)
        batch.add("course", known: properties.number("course", text), of: text, to: &fix)
        batch.end(fix, record: record)
    }

    /// Makes GO and STOP of a trip that the driver began and ended in the app.
    ///
    /// Its distance is the app's claim, and no measurement.
    private func readTrip(
        _ text: Span<UInt8>,
        of source: String,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let start = try readTime("start", text)
        let end = try readTime("end", text)
        let isDrive = ["car", "taxi", nil].contains(properties.text("mode", text))
        guard isDrive else { return batch.ignore("trip", record: record) }
        batch.end(batch.begin(.goPressed, of: source, at: start), record: record)
        batch.end(batch.begin(.stopPressed, of: source, at: end), record: record)
    }

    private func readTime(_ name: String, _ text: Span<UInt8>) throws(Rejection) -> PreciseTime {
        guard let value = properties.value(name, text) else { throw .missingField(name) }
        return try TimeText(zone: options.zone).time(text, value.range, in: name)
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
        // So the app's own documentation shows them.
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
