import TripEvents

/// The features of GeoJSON (RFC 7946) that say who was where and when: points with a time, and
/// lines or several points with a list of times.
///
/// They stand in a collection, in a list, or alone. Coordinates are longitude, latitude and perhaps
/// altitude. The names of times and readings are those that apps write; speeds are in metres per
/// second unless their name says otherwise. A feature without a time is a drawing. Positions and
/// times are matched by their indices; those that are left over of either are rejected.
struct GeoJSONFormat: ObjectFormat {
    static let lists: Set<String> = ["", "features"]
    static let hasSingleRecords = true

    private static let timeNames = [
        "time", "timestamp", "recorded_at", "datetime", "date", "when", "fixTime", "occurred_at",
    ]
    private static let timeListNames = [
        "coordTimes", "times", "time", "timestamps", "coordinateTimes",
    ]

    private let options: ImportOptions
    private let source: String
    private var feature = JSONRecord()
    private var properties = JSONRecord()
    private var geometry = JSONRecord()
    private var nested = JSONRecord()

    init(_ options: ImportOptions) {
        self.options = options
        source = options.source ?? "geojson"
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try feature.read(text)
        // The object around the features of a collection is no feature.
        if list.isEmpty, feature.value("features", text) != nil { return }
        guard let value = feature.value("geometry", text), value.kind == .object else {
            return batch.ignore("no_geometry", record: record)
        }
        try geometry.read(text, value)
        if let value = feature.value("properties", text), value.kind == .object {
            try properties.read(text, value)
        } else {
            properties = JSONRecord()
        }
        let type = geometry.text("type", text) ?? "no_geometry"
        let coordinates = geometry.elements("coordinates", text)
        switch type {
        // A place that someone saved in Google Maps, with the time of that.
        case "Point" where properties.value("google_maps_url", text) != nil:
            batch.ignore("saved_place", record: record)
        case "Point":
            guard let time = properties.firstValue(Self.timeNames, text) else {
                return batch.ignore("Point", record: record)
            }
            let numbers = coordinates.map(\.range)
            let readings = Readings(properties, text)
            try write(numbers, readings, at: time, text, record: record, into: &batch)
        case "LineString", "MultiPoint":
            let times = try times(text)
            guard !times.isEmpty else { return batch.ignore(type, record: record) }
            try takeList(coordinates, times, text, record: record, into: &batch)
        case "MultiLineString":
            let times = try times(text)
            guard !times.isEmpty else { return batch.ignore(type, record: record) }
            try takeLines(coordinates, times, text, record: record, into: &batch)
        default: batch.ignore(type, record: record)
        }
    }

    /// Returns the times of a list of positions: a property, or one in `coordinateProperties`.
    private mutating func times(
        _ text: Span<UInt8>
    ) throws(Rejection) -> [JSONObjectIndex.Value] {
        for name in Self.timeListNames {
            let times = properties.elements(name, text)
            if !times.isEmpty { return times }
        }
        guard let value = properties.value("coordinateProperties", text), value.kind == .object
        else { return [] }
        try nested.read(text, value)
        return nested.elements("times", text)
    }

    private func takeList(
        _ coordinates: [JSONObjectIndex.Value],
        _ times: [JSONObjectIndex.Value],
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let speeds = properties.elements("speed", text)
        for (index, (place, time)) in zip(coordinates, times).enumerated() {
            var readings = Readings()
            if index < speeds.count, speeds[index].kind != .null {
                readings.speed = speeds[index].range
            }
            do throws(Rejection) {
                guard place.kind == .list,
                    let numbers = try? JSONObjectIndex.elements(text, at: place.range.lowerBound)
                else { throw .missingField("coordinates") }
                guard time.kind != .null else { throw .missingField("time") }
                let ranges = numbers.map(\.range)
                try write(ranges, readings, at: time, text, record: record, into: &batch)
            } catch {
                batch.reject(error, record: record, text, place.range)
            }
        }
        for place in coordinates.dropFirst(times.count) {
            batch.reject(.missingField("time"), record: record, text, place.range)
        }
        for time in times.dropFirst(coordinates.count) {
            batch.reject(.missingField("coordinates"), record: record, text, time.range)
        }
    }

    /// Takes lines: each has a list of times, or all have one together.
    private func takeLines(
        _ lines: [JSONObjectIndex.Value],
        _ times: [JSONObjectIndex.Value],
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        func elements(_ value: JSONObjectIndex.Value) -> [JSONObjectIndex.Value] {
            guard value.kind == .list else { return [] }
            return (try? JSONObjectIndex.elements(text, at: value.range.lowerBound)) ?? []
        }
        let places = lines.map { elements($0) }
        let isNested = times.allSatisfy { $0.kind == .list }
        guard isNested else {
            let all = Array(places.joined())
            return try takeList(all, times, text, record: record, into: &batch)
        }
        for (index, places) in places.enumerated() {
            let times = index < times.count ? elements(times[index]) : []
            try takeList(places, times, text, record: record, into: &batch)
        }
    }

    private func write(
        _ numbers: [Range<Int>],
        _ readings: Readings,
        at written: JSONObjectIndex.Value,
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard numbers.count >= 2 else { throw .missingField("coordinates") }
        let time = try readTime(written, text)
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", number: text, numbers[1], to: &fix)
        batch.add("lon", number: text, numbers[0], to: &fix)
        batch.add("accuracy", known: readings.accuracy, of: text, to: &fix)
        let altitude = numbers.count > 2 ? numbers[2] : readings.altitude
        batch.add("altitude", optional: altitude, of: text, to: &fix)
        if let speed = readings.kilometersPerHour {
            batch.add(speed: speed, of: text, in: .kilometersPerHour, to: &fix)
        } else {
            batch.add("speed", known: readings.speed, of: text, to: &fix)
        }
        batch.add("course", known: readings.course, of: text, to: &fix)
        batch.end(fix, record: record)
    }

    /// Returns a time: a text, or seconds or milliseconds since 1970.
    private func readTime(
        _ value: JSONObjectIndex.Value,
        _ text: Span<UInt8>
    ) throws(Rejection) -> PreciseTime {
        // Seconds may stand in quotes, but years too.
        let isNumber = value.kind == .number || value.range.count > 8
        guard isNumber, let number = NumberText.decimal(text, value.range) else {
            return try TimeText(zone: options.zone).time(text, value.range, in: "time")
        }
        return try TimeText.sinceEpoch(number, in: "time")
    }
}

extension GeoJSONFormat {
    /// The places of a position's readings.
    private struct Readings {
        var accuracy: Range<Int>?
        var altitude: Range<Int>?
        var speed: Range<Int>?
        var kilometersPerHour: Range<Int>?
        var course: Range<Int>?

        init() {}

        init(_ properties: JSONRecord, _ text: Span<UInt8>) {
            accuracy = properties.firstReading(
                ["accuracy", "horizontal_accuracy", "acc", "precision", "hacc"],
                text
            )
            altitude = properties.firstReading(["altitude", "elevation", "ele", "alt"], text)
            speed = properties.firstReading(
                ["speed", "velocity", "speed_ms", "speed_mps", "vel"],
                text
            )
            kilometersPerHour = properties.firstReading(
                ["speed_kmh", "speed_kph", "speedKmh", "velocity_kmh"],
                text
            )
            course = properties.firstReading(["course", "bearing", "heading", "cog"], text)
        }
    }
}
