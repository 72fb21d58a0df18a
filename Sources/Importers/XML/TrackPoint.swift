import TripEvents

/// What a point of a track says, as it was written; times without an offset are UTC.
struct TrackPoint {
    var time: [UInt8]?
    var latitude: [UInt8]?
    var longitude: [UInt8]?
    var altitude: [UInt8]?

    /// Metres per second.
    var speed: [UInt8]?

    var course: [UInt8]?
    var accuracy: [UInt8]?

    /// Writes the fix that it is, or says why it is none.
    func write(of source: String, record: Int, into batch: inout ImportBatch) {
        do throws(Rejection) {
            guard let time, !time.isEmpty else { throw .missingField("time") }
            let instant = try Self.time(time)
            var fix = batch.begin(.fixRecorded, of: source, at: instant)
            add("lat", latitude, to: &fix, of: &batch)
            add("lon", longitude, to: &fix, of: &batch)
            if let accuracy {
                batch.add("accuracy", known: accuracy.indices, of: accuracy.span, to: &fix)
            }
            if let altitude, !altitude.isEmpty {
                batch.add("altitude", number: altitude.span, altitude.indices, to: &fix)
            }
            if let speed { batch.add("speed", known: speed.indices, of: speed.span, to: &fix) }
            if let course { batch.add("course", known: course.indices, of: course.span, to: &fix) }
            batch.end(fix, record: record)
        } catch {
            batch.reject(error, record: record)
        }
    }

    /// Returns the time that a text tells.
    ///
    /// - Throws: `Rejection` with `.invalidTime`.
    static func time(_ text: [UInt8]) throws(Rejection) -> PreciseTime {
        try TimeText(zone: nil, isUTCUnlessSaid: true).time(text.span, text.indices, in: "time")
    }

    private func add(
        _ name: String,
        _ text: [UInt8]?,
        to fix: inout ImportBatch.Draft,
        of batch: inout ImportBatch
    ) {
        guard let text else {
            fix.rejection = fix.rejection ?? .missingField(name)
            return
        }
        batch.add(name, number: text.span, text.indices, to: &fix)
    }
}
