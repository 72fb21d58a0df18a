import TripEvents

/// The track points of activities in Garmin's Training Center XML (TCX).
///
/// Speeds stand in extensions, in metres per second. Courses are plans whose points have times too:
/// no one has driven them. Points without a position are pauses, or readings of another sensor.
struct TCXFormat: ElementFormat {
    var record = 0

    private let source: String
    private var point: TrackPoint?
    private var isInCourse = false

    init(_ options: ImportOptions) {
        source = options.source ?? "tcx"
    }

    var isInRecord: Bool { point != nil }

    mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>, into batch: inout ImportBatch) {
        if bytes.holds("Courses", at: name) { isInCourse = true }
        guard bytes.holds("Trackpoint", at: name) else { return }
        record += 1
        if isInCourse {
            batch.ignore("course", record: record)
        } else {
            point = TrackPoint()
        }
    }

    mutating func end(
        _ bytes: Span<UInt8>,
        _ name: Range<Int>,
        _ text: [UInt8],
        into batch: inout ImportBatch
    ) {
        if bytes.holds("Courses", at: name) { isInCourse = false }
        guard isInRecord else { return }
        if bytes.holds("Trackpoint", at: name) {
            guard let ended = point.take() else { return }
            guard ended.latitude != nil || ended.longitude != nil else {
                return batch.ignore("no_position", record: record)
            }
            return ended.write(of: source, record: record, into: &batch)
        }
        if bytes.holds("Time", at: name) { point?.time = text }
        if bytes.holds("LatitudeDegrees", at: name) { point?.latitude = text }
        if bytes.holds("LongitudeDegrees", at: name) { point?.longitude = text }
        if bytes.holds("AltitudeMeters", at: name) { point?.altitude = text }
        if bytes.holds("Speed", at: name) { point?.speed = text }
    }
}
