import TripEvents

/// Google's location history in all its forms: locations (`Records.json`), raw signals of a phone's
/// own export (`Timeline.json`) and those of `Timeline Edits.json`.
///
/// Visits, activities and paths are what Google made of them, and no measurement: see
/// ``GoogleInferences``. Speeds are in metres per second.
///
/// Source: locationhistoryformat.com; files of both kinds.
struct GoogleFormat: ObjectFormat {
    static let lists: Set<String> = [
        // The whole input: the export of an iPhone.
        "",
        "locations", "rawSignals", "semanticSegments", "timelineEdits", "timelineObjects",
    ]

    private let options: ImportOptions
    private var object = JSONRecord()
    private var inner = JSONRecord()
    private var innermost = JSONRecord()
    private var motion: MotionMemory
    private var inferences: GoogleInferences
    private var record = 0

    init(_ options: ImportOptions) {
        self.options = options
        motion = MotionMemory(options)
        inferences = GoogleInferences(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        self.record = record
        try object.read(text)
        switch list {
        case "locations": try readLocation(text, into: &batch)
        case "rawSignals": try readSignal(text, of: options.source ?? "google", into: &batch)
        case "timelineEdits": try readEdit(text, into: &batch)
        default:
            let isKept = try inferences.read(object, text, record: record, into: &batch)
            if !isKept { ignore(Self.inferredKinds, text, into: &batch) }
        }
    }

    /// Google's inferences, by the names of the members that hold them.
    ///
    /// Paths, and inferences without a time, are left out.
    private static let inferredKinds = [
        "visit", "activity", "timelinePath", "timelineMemory", "activitySegment", "placeVisit",
    ]

    private func ignore(
        _ names: [String],
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        let name = names.first { object.value($0, text) != nil }
        batch.ignore(name ?? "other", record: record)
    }
}

// MARK: - Records.json

extension GoogleFormat {
    private mutating func readLocation(
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let source = source(named: "deviceTag", text)
        for moment in object.elements("activity", text) where moment.kind == .object {
            try inner.read(text, moment)
            try readActivities("activity", text, of: source, into: &batch)
        }
        let time = try readTime(of: object, text)
        let place = (
            try Self.degrees("latitudeE7", of: object, text),
            try Self.degrees("longitudeE7", of: object, text)
        )
        var fix = begin(place, of: source, at: time, into: &batch)
        batch.add("accuracy", known: object.reading("accuracy", text), of: text, to: &fix)
        batch.add("altitude", optional: object.reading("altitude", text), of: text, to: &fix)
        batch.add("speed", known: object.reading("velocity", text), of: text, to: &fix)
        batch.add("course", known: object.reading("heading", text), of: text, to: &fix)
        end(fix, object, text, into: &batch)
    }

    /// Returns an angle.
    ///
    /// Old exports have lost its sign to an overflow of 32 bits.
    static func degrees(
        _ name: String,
        of object: JSONRecord,
        _ text: Span<UInt8>
    ) throws(Rejection) -> ScaledDecimal {
        guard var units = object.decimal(name, text)?.units(places: 0) else {
            throw .missingField(name)
        }
        let limit: Int64 = name.hasPrefix("lat") ? 900_000_000 : 1_800_000_000
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
}

// MARK: - Signals

extension GoogleFormat {
    /// Reads a raw signal of a phone: `object` holds a position, an activity, both or something
    /// else.
    private mutating func readSignal(
        _ text: Span<UInt8>,
        of source: String,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let position = object.value("position", text).flatMap { $0.kind == .object ? $0 : nil }
        if let activities = object.value("activityRecord", text), activities.kind == .object {
            try inner.read(text, activities)
            let isNew = try readActivities("probableActivities", text, of: source, into: &batch)
            // One signal may say both.
            guard position != nil else {
                return isNew ? () : batch.ignore("activityRecord", record: record)
            }
        }
        guard let position else {
            return ignore(["wifiScan", "locationRecord"], text, into: &batch)
        }
        try inner.read(text, position)
        let time = try readTime(of: inner, text)
        let place = try point(text)
        var fix = begin(place, of: source, at: time, into: &batch)
        if let millimeters = inner.decimal("accuracyMm", text) {
            let meters = millimeters.units(places: 0)
                .flatMap { ScaledDecimal(magnitude: $0.magnitude, decimals: 3, isNegative: $0 < 0) }
            if let meters, meters.significand > 0 { batch.add("accuracy", meters, to: &fix) }
        } else {
            let meters = inner.firstReading(["accuracyMeters", "accuracyMm"], text)
            batch.add("accuracy", known: meters, of: text, to: &fix)
        }
        batch.add("altitude", optional: inner.reading("altitudeMeters", text), of: text, to: &fix)
        batch.add("speed", known: inner.reading("speedMetersPerSecond", text), of: text, to: &fix)
        end(fix, inner, text, into: &batch)
    }

    /// Reads an element of `Timeline Edits.json`, whose signals stand two objects deeper.
    private mutating func readEdit(
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let source = source(named: "deviceId", text)
        guard let raw = object.value("rawSignal", text) else {
            return ignore(["placeAggregates"], text, into: &batch)
        }
        try inner.read(text, raw)
        guard let signal = inner.value("signal", text) else { throw .missingField("signal") }
        try object.read(text, signal)
        try readSignal(text, of: source, into: &batch)
    }

    /// Returns the position of a signal.
    ///
    /// It is `"LatLng": "52.1°, 4.3°"`, with degree signs or without, or
    /// `"point": {"latE7": …, "lngE7": …}`.
    private mutating func point(
        _ text: Span<UInt8>
    ) throws(Rejection) -> (ScaledDecimal, ScaledDecimal) {
        if let value = inner.value("point", text), value.kind == .object {
            try innermost.read(text, value)
            return (
                try Self.degrees("latE7", of: innermost, text),
                try Self.degrees("lngE7", of: innermost, text)
            )
        }
        guard let written = inner.text("LatLng", text) ?? inner.text("latLng", text) else {
            throw .missingField("LatLng")
        }
        guard let place = Self.position(written) else {
            throw Rejection(
                .invalidNumber,
                field: "LatLng",
                sentence: "LatLng is \(Excerpt.of(written)), which is no position."
            )
        }
        return place
    }

    /// Returns the position in a text, `52.1°, 4.3°` or `geo:52.1,4.3`; `nil` if the text is not a
    /// position.
    ///
    /// The sign may be U+2212, and marks of the direction of writing may stand anywhere.
    static func position(
        _ written: String
    ) -> (latitude: ScaledDecimal, longitude: ScaledDecimal)? {
        let prefix = "geo:"
        let text = written.hasPrefix(prefix) ? written.dropFirst(prefix.count) : written[...]
        let numbers = text.split(separator: ",")
            .map { part in
                let digits = part.unicodeScalars.flatMap { Self.plain($0).utf8 }
                return NumberText.decimal(digits.span, digits.indices)
            }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            return nil
        }
        return (latitude, longitude)
    }

    /// Returns what a character of an angle means in a plain number.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        // Fast path: most are ASCII.
        case _ where scalar.isASCII: String(scalar)
        case "\u{2212}": "-"
        case "\u{B0}": ""
        case _ where scalar.properties.generalCategory == .format: ""
        case _ where scalar.properties.isWhitespace: " "
        default: String(scalar)
        }
    }
}

// MARK: - What the forms share

extension GoogleFormat {
    private func begin(
        _ place: (latitude: ScaledDecimal, longitude: ScaledDecimal),
        of source: String,
        at time: PreciseTime,
        into batch: inout ImportBatch
    ) -> ImportBatch.Draft {
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", place.latitude, to: &fix)
        batch.add("lon", place.longitude, to: &fix)
        return fix
    }

    private func end(
        _ fix: ImportBatch.Draft,
        _ object: JSONRecord,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        var fix = fix
        let provider: FixProvider? =
            switch object.text("source", text)?.uppercased() {
            case "GPS": .gps
            case "WIFI": .wifi
            case "CELL": .cell
            default: nil
            }
        if let provider { batch.add("provider", text: provider.rawValue, to: &fix) }
        batch.end(fix, record: record)
    }

    /// Adds what the phone's motion sensor said at the moment that `inner` is: its likeliest
    /// activity.
    ///
    /// - Parameters:
    ///   - list: The member that holds the activities. Likelihoods are percents or fractions of 1.
    ///   - text: The text.
    ///   - source: The source.
    ///   - batch: Gets the event.
    /// - Returns: Whether the motion has changed.
    /// - Throws: `Rejection`.
    @discardableResult
    private mutating func readActivities(
        _ list: String,
        _ text: Span<UInt8>,
        of source: String,
        into batch: inout ImportBatch
    ) throws(Rejection) -> Bool {
        guard let time = try? readTime(of: inner, text) else { return false }
        let certainty: Double = list == "probableActivities" ? 1 : 100
        var best: (state: MotionState, likelihood: Double)?
        for guess in inner.elements(list, text) where guess.kind == .object {
            try innermost.read(text, guess)
            guard let type = innermost.text("type", text),
                let state = MotionMemory.state(of: [type]),
                let number = innermost.decimal("confidence", text)?.doubleValue,
                number > best?.likelihood ?? 0
            else { continue }
            best = (state, number)
        }
        guard let best else { return false }
        let confidence: MotionConfidence =
            best.likelihood >= certainty * 0.75
            ? .high : best.likelihood >= certainty * 0.5 ? .medium : .low
        return motion.note(
            best.state,
            confidence,
            of: source,
            at: time,
            record: record,
            into: &batch
        )
    }

    private func readTime(
        of object: JSONRecord,
        _ text: Span<UInt8>
    ) throws(Rejection) -> PreciseTime {
        if let time = Self.milliseconds(object, "timestampMs", text) { return time }
        guard let value = object.value("timestamp", text) else { throw .missingField("timestamp") }
        if let number = NumberText.decimal(text, value.range) {
            return try TimeText.sinceEpoch(number, in: "timestamp")
        }
        return try TimeText(zone: options.zone).time(text, value.range, in: "timestamp")
    }

    /// Returns the time that a member says in milliseconds since 1970; `nil` if it says none.
    static func milliseconds(
        _ object: JSONRecord,
        _ name: String,
        _ text: Span<UInt8>
    ) -> PreciseTime? {
        object.decimal(name, text)?.units(places: 0)
            .map { PreciseTime(EventTime(Timestamp(milliseconds: $0))) }
    }

    private func source(named name: String, _ text: Span<UInt8>) -> String {
        options.source ?? Self.source(object.number(name, text), text)
    }

    /// Returns the source for a device, given the range of its number.
    static func source(_ device: Range<Int>?, _ text: Span<UInt8>) -> String {
        guard let device else { return "google" }
        return "google/\(String(decoding: text.bytes(in: device), as: UTF8.self))"
    }
}
