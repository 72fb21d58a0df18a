import TripEvents

/// Google's inferences from a phone's records: stays at places and ways between them, in all the
/// forms in which Google exports them.
///
/// They are evidence and no measurement, and so is the distance that they claim. The paths that it
/// drew between them are passed over.
///
/// Source: locationhistoryformat.com; files of both kinds of phones.
struct GoogleInferences {
    private static let name = "Google"

    private let options: ImportOptions
    private var part = JSONRecord()
    private var inner = JSONRecord()
    private var innermost = JSONRecord()

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// Reads an inference.
    ///
    /// - Parameters:
    ///   - object: An element of a list of segments.
    ///   - text: Its text.
    ///   - record: Its number.
    ///   - batch: Gets the event.
    /// - Returns: Whether the object is an inference with a time.
    /// - Throws: `Rejection`.
    mutating func read(
        _ object: JSONRecord,
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) -> Bool {
        if let value = object.value("activitySegment", text), value.kind == .object {
            try part.read(text, value)
            return try readMonth("startLocation", .activity, text, record: record, into: &batch)
        }
        if let value = object.value("placeVisit", text), value.kind == .object {
            try part.read(text, value)
            return try readMonth("location", .visit, text, record: record, into: &batch)
        }
        let kinds: [(String, InferenceKind)] = [("visit", .visit), ("activity", .activity)]
        for (name, kind) in kinds {
            guard let value = object.value(name, text), value.kind == .object else { continue }
            guard let start = try moment(of: object, ["startTime"], text),
                let end = try moment(of: object, ["endTime"], text)
            else { return false }
            try part.read(text, value)
            let source = options.source ?? "google"
            var event = batch.beginInference(kind, by: Self.name, of: source, from: start, to: end)
            try addCandidate(kind, text, to: &event, in: &batch)
            batch.end(event, record: record)
            return true
        }
        return false
    }

    private func moment(
        of object: JSONRecord,
        _ names: [String],
        _ text: Span<UInt8>
    ) throws(Rejection) -> PreciseTime? {
        for name in names {
            guard let value = object.value(name, text) else { continue }
            if name.hasSuffix("Ms"), let time = GoogleFormat.milliseconds(object, name, text) {
                return time
            }
            return try TimeText(zone: options.zone).time(text, value.range, in: name)
        }
        return nil
    }
}

// MARK: - A phone's own export

extension GoogleInferences {
    /// Adds what a segment of a phone says: `part` is its visit or activity.
    ///
    /// Android writes positions as `{"latLng": "52.1°, 4.3°"}`, an iPhone as `"geo:52.1,4.3"`.
    private mutating func addCandidate(
        _ kind: InferenceKind,
        _ text: Span<UInt8>,
        to event: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) throws(Rejection) {
        batch.add("distance_m", known: part.reading("distanceMeters", text), of: text, to: &event)
        for (name, names) in [("start", ImportBatch.startNames), ("end", ImportBatch.endNames)] {
            guard let value = part.value(name, text) else { continue }
            try addPosition(value, names, text, to: &event, in: &batch)
        }
        guard let candidate = part.value("topCandidate", text), candidate.kind == .object else {
            return
        }
        try inner.read(text, candidate)
        batch.add("probability", known: inner.reading("probability", text), of: text, to: &event)
        guard kind == .visit else {
            return batch.add(activity: inner.text("type", text) ?? "", to: &event)
        }
        addPlace(
            inner.text("semanticType", text),
            inner.text("placeId", text) ?? inner.text("placeID", text),
            to: &event,
            in: &batch
        )
        guard let place = inner.value("placeLocation", text) else { return }
        try addPosition(place, ImportBatch.startNames, text, to: &event, in: &batch)
    }

    private mutating func addPosition(
        _ value: JSONObjectIndex.Value,
        _ names: (String, String),
        _ text: Span<UInt8>,
        to event: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) throws(Rejection) {
        var written: String?
        if value.kind == .object {
            try innermost.read(text, value)
            written = innermost.text("latLng", text)
        } else if value.kind == .text {
            written = String(decoding: text.bytes(in: value.range), as: UTF8.self)
        }
        guard let place = written.flatMap({ GoogleFormat.position($0) }) else { return }
        batch.add(place, names, to: &event)
    }

    private func addPlace(
        _ name: String?,
        _ identifier: String?,
        to event: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) {
        if let name, !name.isEmpty, !name.uppercased().hasSuffix("UNKNOWN") {
            batch.add("place", text: name, to: &event)
        }
        if let identifier, !identifier.isEmpty {
            batch.add("place_id", text: identifier, to: &event)
        }
    }
}

// MARK: - Months

extension GoogleInferences {
    /// Reads an element of a month, which is `part`; its place, or its start, is a member.
    private mutating func readMonth(
        _ place: String,
        _ kind: InferenceKind,
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) -> Bool {
        guard let duration = part.value("duration", text), duration.kind == .object else {
            return false
        }
        try inner.read(text, duration)
        guard let start = try moment(of: inner, ["startTimestamp", "startTimestampMs"], text),
            let end = try moment(of: inner, ["endTimestamp", "endTimestampMs"], text)
        else { return false }
        let source = try source(text)
        var event = batch.beginInference(kind, by: Self.name, of: source, from: start, to: end)
        batch.add("distance_m", known: part.reading("distance", text), of: text, to: &event)
        try addPosition(in: place, ImportBatch.startNames, text, to: &event, in: &batch)
        if kind == .visit {
            // `inner` is the place now.
            addPlace(
                inner.text("name", text) ?? inner.text("semanticType", text),
                inner.text("placeId", text),
                to: &event,
                in: &batch
            )
            addPercent(inner.decimal("locationConfidence", text), to: &event, in: &batch)
        } else {
            try addPosition(in: "endLocation", ImportBatch.endNames, text, to: &event, in: &batch)
            try addLikeliest(text, to: &event, in: &batch)
        }
        addConfidence(kind == .visit ? "placeConfidence" : "confidence", text, &event, &batch)
        batch.end(event, record: record)
        return true
    }

    /// Adds the position that a member holds; `inner` is that member then.
    private mutating func addPosition(
        in name: String,
        _ names: (String, String),
        _ text: Span<UInt8>,
        to event: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) throws(Rejection) {
        inner = JSONRecord()
        guard let value = part.value(name, text), value.kind == .object else { return }
        try inner.read(text, value)
        guard inner.value("latitudeE7", text) != nil, inner.value("longitudeE7", text) != nil
        else { return }
        let place = (
            try GoogleFormat.degrees("latitudeE7", of: inner, text),
            try GoogleFormat.degrees("longitudeE7", of: inner, text)
        )
        batch.add(place, names, to: &event)
    }

    /// Adds the activity of a segment.
    ///
    /// Many segments name it only in a list of candidates; the first is the likeliest.
    private mutating func addLikeliest(
        _ text: Span<UInt8>,
        to event: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) throws(Rejection) {
        var type = part.text("activityType", text)
        for guess in part.elements("activities", text) where guess.kind == .object {
            try innermost.read(text, guess)
            let name = innermost.text("activityType", text)
            if type == nil { type = name }
            guard name == type else { continue }
            addPercent(innermost.decimal("probability", text), to: &event, in: &batch)
            break
        }
        batch.add(activity: type ?? "", to: &event)
    }

    private func addPercent(
        _ percent: ScaledDecimal?,
        to event: inout ImportBatch.Draft,
        in batch: inout ImportBatch
    ) {
        guard let percent, percent.significand >= 0 else { return }
        let fraction = ScaledDecimal(
            magnitude: percent.significand.magnitude,
            decimals: Int(percent.decimals) + 2,
            isNegative: false
        )
        if let fraction { batch.add("probability", fraction, to: &event) }
    }

    /// Adds how sure Google is, which months say in words.
    private func addConfidence(
        _ name: String,
        _ text: Span<UInt8>,
        _ event: inout ImportBatch.Draft,
        _ batch: inout ImportBatch
    ) {
        let confidence: MotionConfidence? =
            switch part.text(name, text) {
            case "HIGH", "HIGH_CONFIDENCE": .high
            case "MEDIUM", "MEDIUM_CONFIDENCE": .medium
            case "LOW", "LOW_CONFIDENCE": .low
            default: nil
            }
        if let confidence { batch.add("confidence", text: confidence.rawValue, to: &event) }
    }

    /// The phone, as far as one of the ends of a segment names it.
    private mutating func source(_ text: Span<UInt8>) throws(Rejection) -> String {
        if let source = options.source { return source }
        for name in ["location", "startLocation", "endLocation"] {
            guard let place = part.value(name, text), place.kind == .object else { continue }
            try innermost.read(text, place)
            guard let info = innermost.value("sourceInfo", text), info.kind == .object else {
                continue
            }
            try innermost.read(text, info)
            return GoogleFormat.source(innermost.number("deviceTag", text), text)
        }
        return "google"
    }
}
