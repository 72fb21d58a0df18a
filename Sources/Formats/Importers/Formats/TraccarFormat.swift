import TripEvents

/// Positions as Traccar's server gives them: JSON objects, in lists or alone, or each beside the
/// device that it is of, as the server forwards them.
///
/// Its table of them is a ``CSVFormat``. Speeds are in knots, and an accuracy of 0 means that it is
/// not known. The server's computations from positions are no evidence beside them: `motion`,
/// `distance` and `totalDistance` are ignored, and its trips are kept as inferences of Traccar,
/// with the addresses of their ends. Addresses of positions are not kept: a fix with an address
/// would be another event than the same fix without it.
///
/// Source: traccar.org/api-reference; github.com/traccar/traccar, `PositionForwarderJson`.
struct TraccarFormat: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var position = JSONRecord()
    private var attributes = JSONRecord()
    private var motion: MotionMemory
    private var odometers: OdometerMemory

    /// The source of a position that stands beside its device.
    private var device: String?

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
        if let forwarded = position.value("position", text), forwarded.kind == .object {
            return try readForwarded(forwarded, text, record: record, into: &batch)
        }
        if position.value("startPositionId", text) != nil {
            return try readTrip(text, record: record, into: &batch)
        }
        try readPosition(text, record: record, into: &batch)
    }

    private mutating func readPosition(
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        for (name, kind) in [("outdated", true), ("valid", false)]
        where position.boolean(name, text) == kind {
            return batch.ignore(kind ? "outdated" : "invalid", record: record)
        }
        guard let value = position.value("fixTime", text) else { throw .missingField("fixTime") }
        let time = try clock.time(text, value.range, in: "fixTime")
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
        batch.add("accuracy", plain: position.reading("accuracy", text), of: text, to: &fix)
        batch.add("altitude", optional: position.reading("altitude", text), of: text, to: &fix)
        batch.add(speed: position.reading("speed", text), of: text, in: .knots, to: &fix)
        batch.add("course", known: position.reading("course", text), of: text, to: &fix)
        batch.end(fix, record: record)
    }

    /// Reads a position beside the device that it is of, whose name among others it has.
    private mutating func readForwarded(
        _ forwarded: JSONObjectIndex.Value,
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        device = options.source
        if let value = position.value("device", text), value.kind == .object {
            try attributes.read(text, value)
            let name = attributes.text("uniqueId", text)
            device = device ?? name.map { "traccar/\($0)" }
        }
        defer { device = nil }
        try position.read(text, forwarded)
        try readPosition(text, record: record, into: &batch)
    }

    /// Keeps a trip that the server made of positions; its odometers are those of the positions.
    private func readTrip(
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let start = position.value("startTime", text) else {
            throw .missingField("startTime")
        }
        guard let end = position.value("endTime", text) else { throw .missingField("endTime") }
        var trip = batch.beginInference(
            .activity,
            by: "Traccar",
            of: options.source ?? source(text),
            from: try clock.time(text, start.range, in: "startTime"),
            to: try clock.time(text, end.range, in: "endTime")
        )
        batch.add("distance_m", known: position.reading("distance", text), of: text, to: &trip)
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
        for (name, member) in [("startAddress", "from_address"), ("endAddress", "to_address")] {
            if let address = position.text(name, text), !address.isEmpty {
                batch.add(member, text: address, to: &trip)
            }
        }
        batch.end(trip, record: record)
    }

    /// The server writes all times in UTC, with its own offset of zero.
    private var clock: TimeText { TimeText(zone: options.zone, isZeroUTC: true) }

    private func source(_ text: Span<UInt8>) -> String {
        if let device { return device }
        guard let device = position.number("deviceId", text) else { return "traccar" }
        return "traccar/\(String(decoding: text.bytes(in: device), as: UTF8.self))"
    }
}
