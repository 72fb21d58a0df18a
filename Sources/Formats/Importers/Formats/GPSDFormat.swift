import TripEvents

/// What gpsd reports as JSON, an object in each line, as `gpspipe -w` prints it: reports of time,
/// position and velocity (`TPV`).
///
/// Sentences of NMEA 0183 may stand between (`gpspipe -r`).
/// Source: gpsd.io/gpsd_json.html. Speeds are in metres per second; `mode` is 2 or 3 where the
/// position is known. An error estimate may stand for east and north apart.
struct GPSDFormat: LineFormat {
    private let options: ImportOptions
    private var report = JSONRecord()
    private var sentences: NMEAFormat

    init(_ options: ImportOptions) {
        self.options = options
        sentences = NMEAFormat(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let range = NumberText.trimmed(text, line)
        guard text[range.lowerBound] == UInt8(ascii: "{") else {
            return try sentences.take(text, line, number, into: &batch)
        }
        try readReport(text.extracting(range), record: number, into: &batch)
    }

    mutating func finish(into batch: inout ImportBatch) {
        sentences.finish(into: &batch)
    }

    private mutating func readReport(
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try report.read(text)
        let kind = report.text("class", text) ?? "other"
        guard kind == "TPV" else { return batch.ignore(kind, record: record) }
        let hasPosition = report.value("lat", text) != nil && report.value("lon", text) != nil
        if !hasPosition || report.decimal("mode", text).map({ $0.doubleValue < 2 }) == true {
            return batch.ignore("no_position", record: record)
        }
        var fix = batch.begin(.fixRecorded, of: options.source ?? "gpsd", at: try self.time(text))
        batch.add("lat", required: report.number("lat", text), of: text, to: &fix)
        batch.add("lon", required: report.number("lon", text), of: text, to: &fix)
        addAccuracy(text, to: &fix, of: &batch)
        let altitude = report.firstReading(["altMSL", "alt", "altHAE"], text)
        batch.add("altitude", optional: altitude, of: text, to: &fix)
        batch.add("speed", known: report.reading("speed", text), of: text, to: &fix)
        batch.add("course", known: report.reading("track", text), of: text, to: &fix)
        batch.add("provider", text: FixProvider.gps.rawValue, to: &fix)
        batch.end(fix, record: record)
    }

    private func time(_ text: Span<UInt8>) throws(Rejection) -> PreciseTime {
        guard let value = report.value("time", text) else { throw .missingField("time") }
        // Versions before 3.0 wrote seconds.
        if value.kind == .number, let number = NumberText.decimal(text, value.range) {
            return try TimeText.seconds(number, in: "time")
        }
        return try TimeText(zone: options.zone, isUTCUnlessSaid: true)
            .time(text, value.range, in: "time")
    }

    private func addAccuracy(
        _ text: Span<UInt8>,
        to fix: inout ImportBatch.Draft,
        of batch: inout ImportBatch
    ) {
        if let error = report.reading("eph", text) {
            return batch.add("accuracy", known: error, of: text, to: &fix)
        }
        // The larger one, which covers both directions.
        let errors = ["epx", "epy"].compactMap { report.decimal($0, text) }
        guard let larger = errors.max(by: { $0.doubleValue < $1.doubleValue }),
            larger.significand > 0
        else { return }
        batch.add("accuracy", larger, to: &fix)
    }
}
