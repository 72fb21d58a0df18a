import TripEvents

/// Positions as Traccar's server gives them: lists of JSON objects.
///
/// Its table of them is a ``CSVFormat``. Speeds are in knots, an accuracy of 0 is none. Of what the
/// server computes from positions (`motion`, distances, trips) nothing is taken.
///
/// Source: traccar.org/api-reference.
struct TraccarFormat: ObjectFormat {
    static let lists: Set<String> = [""]

    private let options: ImportOptions
    private var position = JSONRecord()
    private var attributes = JSONRecord()
    private var motion = MotionMemory()

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try position.read(text)
        if position.value("startPositionId", text) != nil {
            return batch.ignore("trip", record: record)
        }
        for (name, kind) in [("outdated", true), ("valid", false)]
        where position.boolean(name, text) == kind {
            return batch.ignore(kind ? "outdated" : "invalid", record: record)
        }
        guard let value = position.value("fixTime", text) else { throw .missingField("fixTime") }
        let time = try TimeText(zone: options.zone).time(text, value.range, in: "fixTime")
        let source = options.source ?? source(text)
        if let state = try ignition(text) {
            motion.note(state, .medium, of: source, at: time, record: record, into: &batch)
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

    /// Returns what the ignition says of the motion of the vehicle that the tracker is built into.
    private mutating func ignition(_ text: Span<UInt8>) throws(Rejection) -> MotionState? {
        guard let value = position.value("attributes", text), value.kind == .object else {
            return nil
        }
        try attributes.read(text, value)
        return attributes.boolean("ignition", text).map { $0 ? .automotive : .stationary }
    }

    private func source(_ text: Span<UInt8>) -> String {
        guard let device = position.number("deviceId", text) else { return "traccar" }
        return "traccar/\(String(decoding: text.bytes(in: device), as: UTF8.self))"
    }
}
