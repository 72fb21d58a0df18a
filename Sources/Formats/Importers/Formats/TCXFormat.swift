import TripEvents

/// The track points of activities in Garmin's Training Center XML (TCX).
///
/// Speeds stand in extensions, in metres per second. Courses are plans whose points have times too:
/// no one has driven them. Points without a position are pauses, or readings of another sensor.
struct TCXFormat: ElementFormat {
    static let recordNames: Set<String> = ["Trackpoint"]
    static let rootNames: Set<String> = ["TrainingCenterDatabase"]

    var record = 0

    private let source: String
    private var point = TrackPoint()
    private(set) var isInRecord = false
    private var isInCourse = false

    init(_ options: ImportOptions) {
        source = options.source ?? "tcx"
    }

    mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>, into batch: inout ImportBatch) {
        if bytes.holds("Courses", at: name) { isInCourse = true }
        guard bytes.holds("Trackpoint", at: name) else { return }
        record += 1
        if isInCourse {
            batch.ignore("course", record: record)
        } else {
            point.removeAll()
            isInRecord = true
        }
    }

    mutating func beginAgain() {
        isInRecord = false
        isInCourse = false
    }

    mutating func end(
        _ bytes: Span<UInt8>,
        _ name: Range<Int>,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        if bytes.holds("Courses", at: name) { isInCourse = false }
        guard isInRecord else { return }
        if bytes.holds("Trackpoint", at: name) {
            isInRecord = false
            guard point.latitude != nil || point.longitude != nil else {
                return batch.ignore("no_position", record: record)
            }
            return point.write(of: source, record: record, into: &batch)
        }
        if bytes.holds("Time", at: name) { point.time = point.keep(text) }
        if bytes.holds("LatitudeDegrees", at: name) { point.latitude = point.keep(text) }
        if bytes.holds("LongitudeDegrees", at: name) { point.longitude = point.keep(text) }
        if bytes.holds("AltitudeMeters", at: name) { point.altitude = point.keep(text) }
        if bytes.holds("Speed", at: name) { point.speed = point.keep(text) }
    }
}
