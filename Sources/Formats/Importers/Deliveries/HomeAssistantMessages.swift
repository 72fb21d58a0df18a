import TripEvents

/// What an automation of Home Assistant posts: `timestamp`, `location` with latitude and longitude,
/// and `battery`, or the same members without the object around them.
///
/// Speeds are in metres per second, as its companion apps say them. A position without a time gets
/// the time of its receipt, because an automation posts at once.
struct HomeAssistantMessages: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var message = JSONRecord()
    private var location = JSONRecord()

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try message.read(text)
        location = message
        if let value = message.value("location", text), value.kind == .object {
            try location.read(text, value)
        }
        let latitude = Self.first(["latitude", "lat"], location, text)
        let longitude = Self.first(["longitude", "lon", "lng"], location, text)
        guard let latitude, let longitude else { throw .missingField("latitude") }
        let moment = try moment(text)
        var fix = batch.begin(
            .fixRecorded,
            of: options.source ?? "homeassistant",
            at: moment ?? received
        )
        batch.add("lat", required: location.number(latitude, text), of: text, to: &fix)
        batch.add("lon", required: location.number(longitude, text), of: text, to: &fix)
        let accuracy = location.firstReading(
            ["gps_accuracy", "accuracy", "horizontal_accuracy"],
            text
        )
        batch.add("accuracy", known: accuracy, of: text, to: &fix)
        batch.add("altitude", optional: location.reading("altitude", text), of: text, to: &fix)
        batch.add("speed", known: location.reading("speed", text), of: text, to: &fix)
        let course = location.firstReading(["course", "bearing", "heading"], text)
        batch.add("course", known: course, of: text, to: &fix)
        if moment == nil { batch.noteTimeOfReceipt(in: &fix) }
        batch.end(fix, record: record)
    }

    /// Returns which of some names a record has.
    private static func first(
        _ names: [String],
        _ record: JSONRecord,
        _ text: Span<UInt8>
    ) -> String? {
        names.first { record.value($0, text) != nil }
    }

    /// Returns the time that it says, in the location or beside it; `nil` if it says none.
    private func moment(_ text: Span<UInt8>) throws(Rejection) -> PreciseTime? {
        for record in [location, message] {
            guard let value = record.firstValue(["timestamp", "time", "last_updated"], text)
            else { continue }
            return try OsmAndQueries.time(text, value.range, zone: options.zone)
        }
        guard options.delivery?.receivedAt != nil else { throw .missingField("timestamp") }
        return nil
    }

    /// When it was received.
    private var received: PreciseTime {
        PreciseTime(EventTime(options.delivery?.receivedAt ?? Timestamp(milliseconds: 0)))
    }
}
