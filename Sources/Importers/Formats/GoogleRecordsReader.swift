import TripEvents

/// Reads Google's location history, `Records.json`: the only one of its forms that holds what was
/// measured.
///
/// Positions are whole numbers of 10⁻⁷ degrees, `velocity` is in metres per second.
struct GoogleRecordsReader: FormatReader {
    private let options: ImportOptions
    private var pieces = JSONPieces(cutting: ["locations"])
    private var location = JSONRecord()
    private var activity = JSONRecord()
    private var motion = MotionMemory()
    private var record = 0

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        var pieces = pieces
        pieces.split(bytes) { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    mutating func finish(into batch: inout ImportBatch) {
        var pieces = pieces
        pieces.finish { text, kind in take(kind, text, into: &batch) }
        self.pieces = pieces
    }

    private mutating func take(
        _ kind: JSONPieces.Kind,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        if case .root = kind { return }
        record += 1
        guard case .element = kind else { return batch.reject(kind, record: record) }
        do throws(Rejection) {
            try location.read(text)
            try readLocation(text, into: &batch)
        } catch {
            batch.reject(error, record: record, text, text.indices)
        }
    }

    private mutating func readLocation(
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let source = options.source ?? source(text)
        try readActivities(text, of: source, into: &batch)
        let time = try readTime(of: location, text)
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", try degrees("latitudeE7", text), to: &fix)
        batch.add("lon", try degrees("longitudeE7", text), to: &fix)
        batch.add("accuracy", known: location.number("accuracy", text), of: text, to: &fix)
        batch.add("altitude", optional: location.number("altitude", text), of: text, to: &fix)
        batch.add("speed", known: location.number("velocity", text), of: text, to: &fix)
        batch.add("course", known: location.number("heading", text), of: text, to: &fix)
        if let provider = provider(text) {
            batch.add("provider", text: provider.rawValue, to: &fix)
        }
        batch.end(fix, record: record)
    }

    /// Adds what the phone's motion sensor said: of each moment the likeliest activity.
    private mutating func readActivities(
        _ text: Span<UInt8>,
        of source: String,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        for moment in location.elements("activity", text) where moment.kind == .object {
            try activity.read(text, moment)
            guard let time = try? readTime(of: activity, text) else { continue }
            var best: (state: MotionState, confidence: Int64)?
            for guess in activity.elements("activity", text) where guess.kind == .object {
                try activity.read(text, guess)
                guard let type = activity.text("type", text),
                    let state = MotionMemory.state(of: [type]),
                    let percent = activity.decimal("confidence", text)?.units(places: 0),
                    percent > best?.confidence ?? 0
                else { continue }
                best = (state, percent)
            }
            guard let best else { continue }
            let confidence = Self.confidence(ofPercent: best.confidence)
            motion.note(best.state, confidence, of: source, at: time, record: record, into: &batch)
        }
    }

    private static func confidence(ofPercent percent: Int64) -> MotionConfidence {
        percent >= 75 ? .high : percent >= 50 ? .medium : .low
    }

    private func readTime(
        of object: JSONRecord,
        _ text: Span<UInt8>
    ) throws(Rejection) -> PreciseTime {
        if let milliseconds = object.decimal("timestampMs", text)?.units(places: 0) {
            return PreciseTime(EventTime(Timestamp(milliseconds: milliseconds)))
        }
        guard let value = object.value("timestamp", text) else { throw .missingField("timestamp") }
        return try TimeText(zone: options.zone).time(text, value.range, in: "timestamp")
    }

    /// Returns an angle.
    ///
    /// Old exports have lost its sign to an overflow of 32 bits.
    private func degrees(_ name: String, _ text: Span<UInt8>) throws(Rejection) -> ScaledDecimal {
        guard var units = location.decimal(name, text)?.units(places: 0) else {
            throw .missingField(name)
        }
        let limit: Int64 = name == "latitudeE7" ? 900_000_000 : 1_800_000_000
        if units > limit { units -= 1 << 32 }
        guard
            let degrees = ScaledDecimal(
                magnitude: units.magnitude,
                decimals: 7,
                isNegative: units < 0
            )
        else { throw .missingField(name) }
        return degrees
    }

    private func provider(_ text: Span<UInt8>) -> FixProvider? {
        switch location.text("source", text)?.uppercased() {
        case "GPS": .gps
        case "WIFI": .wifi
        case "CELL": .cell
        default: nil
        }
    }

    private func source(_ text: Span<UInt8>) -> String {
        guard let tag = location.number("deviceTag", text) else { return "google" }
        return "google/\(String(decoding: text.bytes(in: tag), as: UTF8.self))"
    }
}
