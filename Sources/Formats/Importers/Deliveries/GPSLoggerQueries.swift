import TripEvents

/// What GPSLogger sends to a URL of the user's own making: a query or a form, whose names are those
/// of its placeholders or of other trackers.
///
/// Source: github.com/mendhak/gpslogger, custom URL. Speeds are in metres per second. For unknown
/// values it sends 0, 0.0 or nothing; a position at 0, 0 is stored as one that is not known. What
/// Colota sends as a query has other names for the same.
struct GPSLoggerQueries: LineFormat {
    private let options: ImportOptions

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try take(QueryParameters(text, line), number, into: &batch)
    }

    /// Reads what a query, or an object of JSON, says.
    fileprivate func take(
        _ query: QueryParameters,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let latitude = Self.first(["lat", "latitude"], query),
            let longitude = Self.first(["lon", "long", "lng", "longitude"], query)
        else {
            guard query.isEmpty else { throw .missingField("lat") }
            return batch.ignore("other", record: number)
        }
        let moment = try moment(query)
        var fix = batch.begin(.fixRecorded, of: options.source ?? "gpslogger", at: moment)
        batch.add("lat", number: latitude.span, latitude.indices, to: &fix)
        batch.add("lon", number: longitude.span, longitude.indices, to: &fix)
        if let accuracy = Self.first(["acc", "accuracy"], query) {
            batch.add("accuracy", known: accuracy.indices, of: accuracy.span, to: &fix)
        }
        if let altitude = Self.first(["alt", "altitude"], query) {
            batch.add("altitude", reading: altitude.span, altitude.indices, to: &fix)
        }
        for (name, names) in [
            ("speed", ["spd", "speed", "vel"]),
            ("course", ["dir", "bearing", "course", "bear"]),
        ] {
            guard let value = Self.first(names, query) else { continue }
            batch.add(name, known: value.indices, of: value.span, to: &fix)
        }
        let provider = Self.first(["prov", "provider"], query)
            .flatMap { FixProvider(rawValue: String(decoding: $0, as: UTF8.self)) }
        if let provider { batch.add("provider", text: provider.rawValue, to: &fix) }
        if Self.first(Self.timeNames, query) == nil { batch.noteTimeOfReceipt(in: &fix) }
        batch.end(fix, record: number)
    }

    private static let timeNames = ["timestamp", "time", "tst"]

    mutating func finish(into batch: inout ImportBatch) {}

    /// Returns the time of the position: seconds or milliseconds, or ISO 8601, with the offset of
    /// the device's clock if that is said beside it.
    private func moment(_ query: QueryParameters) throws(Rejection) -> PreciseTime {
        guard let text = Self.first(Self.timeNames, query) else {
            guard let received = options.delivery?.receivedAt else {
                throw .missingField("timestamp")
            }
            return PreciseTime(EventTime(received))
        }
        var time = try OsmAndQueries.time(text.span, text.indices, zone: options.zone)
        if let offset = Self.first(["timeoffset"], query).flatMap(Self.offset) {
            time.time = EventTime(time.time.timestamp, utcOffset: offset)
        }
        return time
    }

    /// Reads `+01:00`, whose sign a query makes a space of; `nil` if the text is not an offset.
    static func offset(_ text: [UInt8]) -> UTCOffset? {
        let digits = text.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            .map { Int($0 - UInt8(ascii: "0")) }
        guard digits.count == 4 else { return nil }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        return UTCOffset(minutes: text[0] == UInt8(ascii: "-") ? -minutes : minutes)
    }

    private static func first(_ names: [String], _ query: QueryParameters) -> [UInt8]? {
        names.lazy.compactMap { query[$0] }.first
    }
}

/// The same, sent as objects of JSON with the same names.
struct GPSLoggerObjects: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let queries: GPSLoggerQueries
    private var object = JSONRecord()

    init(_ options: ImportOptions) {
        queries = GPSLoggerQueries(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try object.read(text)
        try queries.take(QueryParameters(object, text), record, into: &batch)
    }
}
