import TripEvents

/// The features of GeoJSON (RFC 7946) that say who was where and when: points with a time, and
/// lines or several points with a list of times.
///
/// Coordinates are longitude, latitude and perhaps altitude. The names of times and readings are
/// those that apps write; speeds are in metres per second unless their name says otherwise. What
/// has no time is a drawing.
struct GeoJSONFormat: ObjectFormat {
    static let lists: Set<String> = ["features"]

    private static let timeNames = ["time", "timestamp", "recorded_at", "datetime", "date"]
    private static let timeListNames = ["coordTimes", "times", "time", "timestamps"]

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
        guard times.count == coordinates.count else {
            throw Rejection(
                .invalidValue,
                sentence: "The feature has \(coordinates.count) positions and \(times.count) times."
            )
        }
        let speeds = properties.elements("speed", text)
        for (index, (place, time)) in zip(coordinates, times).enumerated() {
            guard place.kind == .list,
                let numbers = try? JSONObjectIndex.elements(text, at: place.range.lowerBound)
            else { throw .missingField("coordinates") }
            var readings = Readings()
            if speeds.count == coordinates.count { readings.speed = speeds[index].range }
            let ranges = numbers.map(\.range)
            do throws(Rejection) {
                try write(ranges, readings, at: time, text, record: record, into: &batch)
            } catch {
                batch.reject(error, record: record, text, place.range)
            }
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
            batch.add("speed", NumberText.decimal(text, speed), in: .kilometersPerHour, to: &fix)
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
        guard value.kind == .number, let number = NumberText.decimal(text, value.range) else {
            return try TimeText(zone: options.zone).time(text, value.range, in: "time")
        }
        return try TimeText.sinceEpoch(number, in: "time")
    }
}

extension GeoJSONFormat {
    /// Where readings of a position stand.
    private struct Readings {
        var accuracy: Range<Int>?
        var altitude: Range<Int>?
        var speed: Range<Int>?
        var kilometersPerHour: Range<Int>?
        var course: Range<Int>?

        init() {}

        init(_ properties: JSONRecord, _ text: Span<UInt8>) {
            accuracy = properties.firstNumber(["accuracy", "horizontal_accuracy", "acc"], text)
            altitude = properties.firstNumber(["altitude", "elevation", "ele", "alt"], text)
            speed = properties.firstNumber(["speed", "velocity", "speed_ms"], text)
            kilometersPerHour = properties.number("speed_kmh", text)
            course = properties.firstNumber(["course", "bearing", "heading"], text)
        }
    }
}
