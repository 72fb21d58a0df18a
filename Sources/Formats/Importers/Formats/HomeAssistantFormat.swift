import TripEvents

/// States of Home Assistant's trackers, as its API gives them: one, a list, or the history, which
/// is a list for each entity.
///
/// Source: developers.home-assistant.io, *REST API*; its companion apps say speeds in metres per
/// second. A state that says where it is by the name of a zone alone is no position. History in its
/// minimal form names the entity, and may tell the position, in the first state alone.
struct HomeAssistantFormat: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true
    static let hasInnerLists = true

    private let options: ImportOptions
    private var state = JSONRecord()
    private var attributes = JSONRecord()

    /// The entity that was named last.
    private var entity: String?

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try state.read(text)
        if let name = state.text("entity_id", text) { entity = name }
        guard let value = state.firstValue(["attributes", "a"], text), value.kind == .object else {
            return batch.ignore("no_position", record: record)
        }
        try attributes.read(text, value)
        guard attributes.value("latitude", text) != nil,
            attributes.value("longitude", text) != nil
        else { return batch.ignore("no_position", record: record) }
        let source = options.source ?? entity.map { "homeassistant/\($0)" } ?? "homeassistant"
        var fix = batch.begin(.fixRecorded, of: source, at: try self.time(text))
        batch.add("lat", required: attributes.number("latitude", text), of: text, to: &fix)
        batch.add("lon", required: attributes.number("longitude", text), of: text, to: &fix)
        let accuracy = attributes.firstReading(["gps_accuracy", "accuracy"], text)
        batch.add("accuracy", known: accuracy, of: text, to: &fix)
        batch.add("altitude", optional: attributes.reading("altitude", text), of: text, to: &fix)
        batch.add("speed", known: attributes.reading("speed", text), of: text, to: &fix)
        let course = attributes.firstReading(["course", "bearing"], text)
        batch.add("course", known: course, of: text, to: &fix)
        batch.end(fix, record: record)
    }

    private func time(_ text: Span<UInt8>) throws(Rejection) -> PreciseTime {
        let names = ["last_updated", "last_changed", "last_reported", "lu", "lc"]
        guard let value = state.firstValue(names, text) else {
            throw .missingField("last_updated")
        }
        if value.kind == .number, let number = NumberText.decimal(text, value.range) {
            return try TimeText.seconds(number, in: "last_updated")
        }
        return try TimeText(zone: options.zone, isUTCUnlessSaid: true)
            .time(text, value.range, in: "last_updated")
    }

    /// Whether JSON has the names that only Home Assistant writes.
    static func looksLikeOne(_ text: Span<UInt8>, from start: Int) -> Bool {
        func has(_ name: String) -> Bool { text.contains("\"\(name)\"", from: start) }
        return has("latitude") && has("attributes")
            && (has("entity_id") || has("last_updated") || has("last_changed"))
    }
}
