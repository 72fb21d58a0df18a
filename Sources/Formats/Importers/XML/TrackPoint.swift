import TripEvents

/// A point of a track, with its texts as they were written; times without an offset are UTC.
///
/// Its texts stand in one buffer, which the next point reuses: an array for each would take a tenth
/// of the time that a file takes.
struct TrackPoint {
    /// The place of a text among those that were kept.
    typealias Text = Range<Int>

    var time: Text?
    var latitude: Text?
    var longitude: Text?
    var altitude: Text?

    /// Metres per second.
    var speed: Text?

    var course: Text?
    var accuracy: Text?

    private var bytes: [UInt8] = []

    /// Keeps a text of the point.
    mutating func keep(_ text: Span<UInt8>) -> Text {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return start..<bytes.count
    }

    /// Forgets the point and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (time, latitude, longitude, altitude) = (nil, nil, nil, nil)
        (speed, course, accuracy) = (nil, nil, nil)
    }

    /// Writes its fix, or the reason why it is not one.
    func write(of source: String, record: Int, into batch: inout ImportBatch) {
        do throws(Rejection) {
            guard let time, !time.isEmpty else { throw .missingField("time") }
            let texts = bytes.span
            let instant = try Self.time(texts, time)
            var fix = batch.begin(.fixRecorded, of: source, at: instant)
            batch.add("lat", required: latitude, of: texts, to: &fix)
            batch.add("lon", required: longitude, of: texts, to: &fix)
            batch.add("accuracy", known: accuracy, of: texts, to: &fix)
            let height = altitude.flatMap { $0.isEmpty ? nil : $0 }
            batch.add("altitude", optional: height, of: texts, to: &fix)
            batch.add("speed", known: speed, of: texts, to: &fix)
            batch.add("course", known: course, of: texts, to: &fix)
            batch.end(fix, record: record)
        } catch {
            batch.reject(error, record: record)
        }
    }

    /// Returns the time that a text tells.
    ///
    /// - Throws: `Rejection` with `.invalidTime`.
    static func time(
        _ text: Span<UInt8>,
        _ range: Range<Int>
    ) throws(Rejection) -> PreciseTime {
        try TimeText(zone: nil, isUTCUnlessSaid: true).time(text, range, in: "time")
    }
}
