import TripEvents

/// What Traccar's own app and others send as JSON by the protocol that is called after OsmAnd: an
/// object for each location, or for a list of them that wait to be delivered.
///
/// A location may also stand without the object around it, as Transistorsoft's plugin sends it when
/// it is told to.
///
/// Source: traccar.org/osmand. Speeds are in metres per second, and −1 says that something is not
/// known. Its `odometer` is a measurement of the app itself, not of a vehicle.
struct OsmAndFormat: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var message = JSONRecord()
    private var location = JSONRecord()
    private var inner = JSONRecord()
    private var motion: MotionMemory
    private var record = 0

    /// Whether the location that is being read has no time of its own.
    private var isAtReceipt = false

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
        try message.read(text)
        let source = options.source ?? OsmAndQueries.source(message.text("device_id", text))
        guard let value = message.firstValue(Self.locationNames, text) else {
            guard message.value("coords", text) != nil else { throw .missingField("location") }
            location = message
            return try readLocation(of: source, text, into: &batch)
        }
        guard value.kind == .list else {
            guard value.kind == .object else { throw .missingField("location") }
            try location.read(text, value)
            return try readLocation(of: source, text, into: &batch)
        }
        let elements: [JSONObjectIndex.Value]
        do throws(JSONSyntaxError) {
            elements = try JSONObjectIndex.elements(text, at: value.range.lowerBound)
        } catch {
            throw Rejection(error)
        }
        if elements.isEmpty { batch.ignore("no_location", record: record) }
        for element in elements {
            let first = batch.items.count
            do throws(Rejection) {
                guard element.kind == .object else { throw .missingField("location") }
                try location.read(text, element)
                try readLocation(of: source, text, into: &batch)
            } catch {
                batch.reject(error, record: record, text, element.range)
            }
            batch.keep(text, element.range, forItemsFrom: first)
        }
    }

    private static let locationNames = ["location", "locations"]

    /// Reads what `location` is.
    private mutating func readLocation(
        of source: String,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let coordinates = location.value("coords", text), coordinates.kind == .object else {
            throw .missingField("coords")
        }
        let time = try self.time(text)
        if let activity = location.value("activity", text) {
            var type = location.text("activity", text).map { [$0] } ?? []
            if activity.kind == .object {
                try inner.read(text, activity)
                type = inner.text("type", text).map { [$0] } ?? []
            }
            if let state = MotionMemory.state(of: type) {
                motion.note(state, .medium, of: source, at: time, record: record, into: &batch)
            }
        }
        try inner.read(text, coordinates)
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", required: inner.number("latitude", text), of: text, to: &fix)
        batch.add("lon", required: inner.number("longitude", text), of: text, to: &fix)
        batch.add("accuracy", known: inner.reading("accuracy", text), of: text, to: &fix)
        batch.add("altitude", optional: inner.reading("altitude", text), of: text, to: &fix)
        batch.add("speed", known: inner.reading("speed", text), of: text, to: &fix)
        batch.add("course", known: inner.reading("heading", text), of: text, to: &fix)
        if location.boolean("mock", text) == true { batch.add("mock", json: "true", to: &fix) }
        if isAtReceipt { batch.noteTimeOfReceipt(in: &fix) }
        batch.end(fix, record: record)
    }

    /// Returns when a location was recorded: what it says, or, where it says nothing and is
    /// delivered, when it was received.
    private mutating func time(_ text: Span<UInt8>) throws(Rejection) -> PreciseTime {
        isAtReceipt = false
        guard let moment = location.value("timestamp", text) else {
            guard let received = options.delivery?.receivedAt else {
                throw .missingField("timestamp")
            }
            isAtReceipt = true
            return PreciseTime(EventTime(received))
        }
        return try OsmAndQueries.time(text, moment.range, zone: options.zone)
    }
}

extension ImportBatch {
    /// Notes on a fix that its time is the time of receipt, because its sender gave none.
    mutating func noteTimeOfReceipt(in draft: inout Draft) {
        note("time_from", "receipt", in: &draft)
    }
}

/// The older form of the same protocol: the query of a request, one line for each location, as it
/// was sent or as a web server logged it.
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
            // A sender that uses other names would never learn that nothing is stored.
            if options.delivery != nil, !query.isEmpty { throw .missingField("lat") }
            return batch.ignore(query.isEmpty ? "other" : "no_location", record: number)
        }
        if query.boolean("valid") == false { return batch.ignore("invalid", record: number) }
        let time: PreciseTime
        if let moment = query["timestamp"] {
            time = try Self.time(moment.span, moment.indices, zone: options.zone)
        } else if let received = options.delivery?.receivedAt {
            time = PreciseTime(EventTime(received))
        } else {
            throw .missingField("timestamp")
        }
        let source = options.source ?? Self.source(query.text("id") ?? query.text("deviceid"))
        if let isOn = query.boolean("ignition") {
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
                batch.add(name, reading: value.span, value.indices, to: &fix)
            } else {
                batch.add(name, known: value.indices, of: value.span, to: &fix)
            }
        }
        if let speed = query["speed"] {
            batch.add(speed: speed.indices, of: speed.span, in: .knots, to: &fix)
        }
        if query["timestamp"] == nil { batch.noteTimeOfReceipt(in: &fix) }
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
    ///
    /// An offset of zero is how servers write UTC, and says nothing of the device. The plus sign of
    /// an offset may have become a space.
    static func time(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        zone: TimeZoneRules?
    ) throws(Rejection) -> PreciseTime {
        guard let number = NumberText.decimal(text, range) else {
            let written = withPlus(text.bytes(in: NumberText.trimmed(text, range)))
            return try TimeText(zone: zone, isZeroUTC: true)
                .time(written.span, written.indices, in: "timestamp")
        }
        guard number.decimals == 0, number.significand >= Int64(Int32.max) else {
            return try TimeText.seconds(number, in: "timestamp")
        }
        return PreciseTime(EventTime(Timestamp(milliseconds: number.significand)))
    }

    /// Returns a time with the plus sign of its offset, of which the decoding of a query made a
    /// space: `2026-01-31T08:30:00 01:00`.
    private static func withPlus(_ time: [UInt8]) -> [UInt8] {
        guard let space = time.lastIndex(of: UInt8(ascii: " ")), space >= "YYYY-MM-DDTHH:MM".count
        else { return time }
        let digits = time[(space + 1)...].filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            return time
        }
        var signed = time
        signed[space] = UInt8(ascii: "+")
        return signed
    }

    /// Returns the source for a device.
    static func source(_ device: String?) -> String {
        guard let device, !device.isEmpty else { return "osmand" }
        return "osmand/\(device)"
    }
}
