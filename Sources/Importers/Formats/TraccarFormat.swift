import TripEvents

/// Positions as Traccar's server gives them: lists of JSON objects.
///
/// Its table of them is a ``CSVFormat``. Speeds are in knots, an accuracy of 0 is none. What the
/// server computes from positions is no evidence beside them: nothing is taken of `motion`,
/// `distance` and `totalDistance`, and its trips are kept as what Traccar inferred.
///
/// Source: traccar.org/api-reference.
struct TraccarFormat: ObjectFormat {
    static let lists: Set<String> = [""]

    private let options: ImportOptions
    private var position = JSONRecord()
    private var attributes = JSONRecord()
    private var motion: MotionMemory
    private var odometers: OdometerMemory

    init(_ options: ImportOptions) {
        self.options = options
        motion = MotionMemory(options)
        odometers = OdometerMemory(options)
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try position.read(text)
        if position.value("startPositionId", text) != nil {
            return try readTrip(text, record: record, into: &batch)
        }
        for (name, kind) in [("outdated", true), ("valid", false)]
        where position.boolean(name, text) == kind {
            return batch.ignore(kind ? "outdated" : "invalid", record: record)
        }
        guard let value = position.value("fixTime", text) else { throw .missingField("fixTime") }
        let time = try TimeText(zone: options.zone).time(text, value.range, in: "fixTime")
        let source = options.source ?? source(text)
        if let value = position.value("attributes", text), value.kind == .object {
            try attributes.read(text, value)
            if let isOn = attributes.boolean("ignition", text) {
                let state: MotionState = isOn ? .automotive : .stationary
                motion.note(state, .medium, of: source, at: time, record: record, into: &batch)
            }
            odometers.note(
                attributes.decimal("odometer", text),
                of: source,
                at: time,
                record: record,
                into: &batch
            )
        }
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", required: position.number("latitude", text), of: text, to: &fix)
        batch.add("lon", required: position.number("longitude", text), of: text, to: &fix)
        if let accuracy = position.decimal("accuracy", text), accuracy.significand > 0 {
            batch.add("accuracy", accuracy, to: &fix)
        }
        batch.add("altitude", optional: position.number("altitude", text), of: text, to: &fix)
        batch.add("speed", position.decimal("speed", text), in: .knots, to: &fix)
        batch.add("course", known: position.number("course", text), of: text, to: &fix)
        batch.end(fix, record: record)
    }

    /// Keeps a trip that the server made of positions; its odometers are those of the positions.
    private func readTrip(
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let zone = TimeText(zone: options.zone)
        guard let start = position.value("startTime", text) else {
            throw .missingField("startTime")
        }
        guard let end = position.value("endTime", text) else { throw .missingField("endTime") }
        var trip = batch.beginInference(
            .activity,
            by: "Traccar",
            of: options.source ?? source(text),
            from: try zone.time(text, start.range, in: "startTime"),
            to: try zone.time(text, end.range, in: "endTime")
        )
        batch.add("distance_m", known: position.number("distance", text), of: text, to: &trip)
        for (names, members) in [
            (("startLat", "startLon"), ImportBatch.startNames),
            (("endLat", "endLon"), ImportBatch.endNames),
        ] {
            guard let latitude = position.number(names.0, text),
                let longitude = position.number(names.1, text)
            else { continue }
            batch.add(members.0, number: text, latitude, to: &trip)
            batch.add(members.1, number: text, longitude, to: &trip)
        }
        batch.end(trip, record: record)
    }

    private func source(_ text: Span<UInt8>) -> String {
        guard let device = position.number("deviceId", text) else { return "traccar" }
        return "traccar/\(String(decoding: text.bytes(in: device), as: UTF8.self))"
    }
}
