import TripEvents

/// Dawarich's exports: points as GeoJSON features, as its API lists them, and in the archive of a
/// user's data, where they are a list in `data.json` or lines of a file for each month.
///
/// A point's `timestamp` is in seconds since 1970, its `velocity` in metres per second, as a text.
/// Until version 0.24 (February 2025) it had the sender's unit, which a point does not tell.
/// Dawarich's inferences from points (tracks, trips, visits, places) are not measurements.
///
/// Source: github.com/Freika/dawarich, its serializers and the handlers of its archives.
struct DawarichFormat: ObjectFormat {
    static let lists: Set<String> = [
        "", "features", "points", "areas", "imports", "exports", "trips", "stats",
        "notifications", "visits", "places", "tracks", "tags", "taggings", "digests",
    ]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var object = JSONRecord()
    private var point = JSONRecord()
    private var geometry = JSONRecord()

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try object.read(text)
        guard ["", "features", "points"].contains(list) else {
            return batch.ignore(list, record: record)
        }
        if let properties = object.value("properties", text), properties.kind == .object {
            try point.read(text, properties)
        } else {
            point = object
        }
        guard let moment = point.value("timestamp", text) else {
            guard list.isEmpty, !Self.isPoint(object, text) else {
                throw .missingField("timestamp")
            }
            // The object around the lists that were cut is not a record.
            let isAround = Self.lists.contains { object.value($0, text) != nil }
            return isAround ? () : batch.ignore("other", record: record)
        }
        let time = try readTime(moment, text)
        let source = options.source ?? source(text)
        let place = try place(text)
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", number: place.latitude.span, place.latitude.indices, to: &fix)
        batch.add("lon", number: place.longitude.span, place.longitude.indices, to: &fix)
        // Dawarich gives an accuracy of 0 where none was sent.
        batch.add("accuracy", plain: point.reading("accuracy", text), of: text, to: &fix)
        batch.add("altitude", optional: point.reading("altitude", text), of: text, to: &fix)
        batch.add("speed", plain: point.reading("velocity", text), of: text, to: &fix)
        batch.add("course", known: point.reading("course", text), of: text, to: &fix)
        batch.end(fix, record: record)
    }

    private static func isPoint(_ object: JSONRecord, _ text: Span<UInt8>) -> Bool {
        ["latitude", "lonlat", "geometry"].contains { object.value($0, text) != nil }
    }

    private func readTime(
        _ value: JSONObjectIndex.Value,
        _ text: Span<UInt8>
    ) throws(Rejection) -> PreciseTime {
        guard let number = NumberText.decimal(text, value.range) else {
            return try TimeText(zone: options.zone, isZeroUTC: true)
                .time(text, value.range, in: "timestamp")
        }
        return try TimeText.seconds(number, in: "timestamp")
    }

    /// Returns the digits of a point's position: its own members, those of the feature, or
    /// `POINT(longitude latitude)`.
    private mutating func place(
        _ text: Span<UInt8>
    ) throws(Rejection) -> (latitude: [UInt8], longitude: [UInt8]) {
        if let latitude = point.number("latitude", text),
            let longitude = point.number("longitude", text)
        {
            return (text.bytes(in: latitude), text.bytes(in: longitude))
        }
        if let value = object.value("geometry", text), value.kind == .object {
            try geometry.read(text, value)
            let coordinates = geometry.elements("coordinates", text)
            guard coordinates.count >= 2 else { throw .missingField("coordinates") }
            return (text.bytes(in: coordinates[1].range), text.bytes(in: coordinates[0].range))
        }
        let words = (point.text("lonlat", text) ?? "")
            .split { $0 == "(" || $0 == ")" || $0 == " " }
        guard words.count == 3, words[0] == "POINT" else { throw .missingField("latitude") }
        return (Array(words[2].utf8), Array(words[1].utf8))
    }

    private func source(_ text: Span<UInt8>) -> String {
        guard let tracker = point.text("tracker_id", text), !tracker.isEmpty else {
            return "dawarich"
        }
        return "dawarich/\(tracker)"
    }

    /// Whether JSON has the names that only Dawarich writes.
    static func looksLikeOne(_ text: Span<UInt8>, from start: Int) -> Bool {
        func has(_ name: String) -> Bool { text.contains("\"\(name)\"", from: start) }
        if has("tracker_id"), has("timestamp"), has("velocity") || has("lonlat") { return true }
        // The archive's own file begins with the counts of everything in it.
        return has("counts") && has("areas") && has("imports") && has("points") && has("visits")
    }
}
