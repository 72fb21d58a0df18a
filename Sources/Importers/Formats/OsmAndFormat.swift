import TripEvents

/// What Traccar's own app and others send as JSON by the protocol that is called after OsmAnd: an
/// object for each location.
///
/// Source: traccar.org/osmand. Speeds are in metres per second, and −1 says that something is not
/// known. Its `odometer` is what the app itself has measured, and no vehicle's.
struct OsmAndFormat: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var message = JSONRecord()
    private var location = JSONRecord()
    private var inner = JSONRecord()
    private var motion: MotionMemory

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
        try message.read(text)
        guard let value = message.value("location", text), value.kind == .object else {
            throw .missingField("location")
        }
        try location.read(text, value)
        guard let moment = location.value("timestamp", text) else {
            throw .missingField("timestamp")
        }
        let time = try OsmAndQueries.time(text, moment.range, zone: options.zone)
        let source = options.source ?? OsmAndQueries.source(message.text("device_id", text))
        if let activity = location.value("activity", text), activity.kind == .object {
            try inner.read(text, activity)
            let type = inner.text("type", text).map { [$0] } ?? []
            if let state = MotionMemory.state(of: type) {
                motion.note(state, .medium, of: source, at: time, record: record, into: &batch)
            }
        }
        guard let coordinates = location.value("coords", text), coordinates.kind == .object else {
            throw .missingField("coords")
        }
        try inner.read(text, coordinates)
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", required: inner.number("latitude", text), of: text, to: &fix)
        batch.add("lon", required: inner.number("longitude", text), of: text, to: &fix)
        batch.add("accuracy", known: inner.number("accuracy", text), of: text, to: &fix)
        batch.add("altitude", optional: inner.number("altitude", text), of: text, to: &fix)
        batch.add("speed", known: inner.number("speed", text), of: text, to: &fix)
        batch.add("course", known: inner.number("heading", text), of: text, to: &fix)
        if location.boolean("mock", text) == true { batch.add("mock", json: "true", to: &fix) }
        batch.end(fix, record: record)
    }
}

/// The same protocol as apps have spoken it for longer: the query of a request, in a line for each
/// location, as it was sent or as a web server wrote it down.
///
/// Speeds are in knots, odometers in metres.
struct OsmAndQueries: LineFormat {
    private let options: ImportOptions
    private var motion: MotionMemory
    private var odometers: OdometerMemory

    init(_ options: ImportOptions) {
        self.options = options
        motion = MotionMemory(options)
        odometers = OdometerMemory(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let query = QueryParameters(text, line)
        guard query["lat"] != nil || query["location"] != nil else {
            // A sender whose words are others would never learn that nothing of it is stored.
            if options.delivery != nil, !query.isEmpty { throw .missingField("lat") }
            return batch.ignore(query.isEmpty ? "other" : "no_location", record: number)
        }
        if query.text("valid") == "false" { return batch.ignore("invalid", record: number) }
        guard let moment = query["timestamp"] else { throw .missingField("timestamp") }
        let time = try Self.time(moment.span, moment.indices, zone: options.zone)
        let source = options.source ?? Self.source(query.text("id") ?? query.text("deviceid"))
        if let isOn = query.text("ignition").flatMap({ Bool($0) }) {
            let state: MotionState = isOn ? .automotive : .stationary
            motion.note(state, .medium, of: source, at: time, record: number, into: &batch)
        }
        if let odometer = query["odometer"] {
            let meters = NumberText.decimal(odometer.span, odometer.indices)
            odometers.note(meters, of: source, at: time, record: number, into: &batch)
        }
        let both = query["location"]?.split(separator: UInt8(ascii: ","), maxSplits: 1) ?? []
        let latitude = query["lat"] ?? both.first.map { Array($0) } ?? []
        let longitude = query["lon"] ?? both.dropFirst().first.map { Array($0) } ?? []
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", number: latitude.span, latitude.indices, to: &fix)
        batch.add("lon", number: longitude.span, longitude.indices, to: &fix)
        for (name, parameters) in [
            ("accuracy", ["accuracy"]), ("altitude", ["altitude"]),
            ("course", ["bearing", "heading"]),
        ] {
            guard let value = parameters.lazy.compactMap({ query[$0] }).first else { continue }
            if name == "altitude" {
                batch.add(name, number: value.span, value.indices, to: &fix)
            } else {
                batch.add(name, known: value.indices, of: value.span, to: &fix)
            }
        }
        if let speed = query["speed"] {
            let number = NumberText.decimal(speed.span, speed.indices)
            batch.add("speed", number, in: .knots, to: &fix)
        }
        batch.end(fix, record: number)
    }

    mutating func finish(into batch: inout ImportBatch) {}

    /// Whether a line may be such a query.
    static func looksLikeOne(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let query = QueryParameters(text, line)
        return query["timestamp"] != nil
            && (query["location"] != nil || query["lat"] != nil && query["lon"] != nil)
    }

    /// Reads a time: ISO 8601, or a number that is seconds below 2³¹ − 1 and milliseconds from
    /// there on.
    static func time(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        zone: TimeZoneRules?
    ) throws(Rejection) -> PreciseTime {
        guard let number = NumberText.decimal(text, range) else {
            return try TimeText(zone: zone).time(text, range, in: "timestamp")
        }
        guard number.decimals == 0, number.significand >= Int64(Int32.max) else {
            return try TimeText.seconds(number, in: "timestamp")
        }
        return PreciseTime(EventTime(Timestamp(milliseconds: number.significand)))
    }

    /// Returns the source that a device is.
    static func source(_ device: String?) -> String {
        guard let device, !device.isEmpty else { return "osmand" }
        return "osmand/\(device)"
    }
}
