import TripEvents

/// The track points of GPX 1.0 and 1.1.
///
/// Speeds stand in the point (1.0) or in its extensions, in metres per second. Waypoints and routes
/// are not ways that were driven.
struct GPXFormat: ElementFormat {
    static let recordNames: Set<String> = ["trkpt", "wpt", "rtept"]
    static let rootNames: Set<String> = ["gpx"]

    var record = 0

    private let source: String
    private var point = TrackPoint()
    private(set) var isInRecord = false

    init(_ options: ImportOptions) {
        source = options.source ?? "gpx"
    }

    mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>, into batch: inout ImportBatch) {
        if bytes.holds("trkpt", at: name) {
            record += 1
            point.removeAll()
            isInRecord = true
        } else if bytes.holds("wpt", at: name) || bytes.holds("rtept", at: name) {
            record += 1
            batch.ignore(String(decoding: bytes.bytes(in: name), as: UTF8.self), record: record)
        }
    }

    mutating func beginAgain() { isInRecord = false }

    mutating func take(_ bytes: Span<UInt8>, _ attribute: Range<Int>, _ value: Range<Int>) {
        let text = bytes.extracting(value)
        if bytes.holds("lat", at: attribute) { point.latitude = point.keep(text) }
        if bytes.holds("lon", at: attribute) { point.longitude = point.keep(text) }
    }

    mutating func end(
        _ bytes: Span<UInt8>,
        _ name: Range<Int>,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        guard isInRecord else { return }
        if bytes.holds("trkpt", at: name) {
            isInRecord = false
            point.write(of: source, record: record, into: &batch)
            return
        }
        if bytes.holds("ele", at: name) { point.altitude = point.keep(text) }
        if bytes.holds("time", at: name) { point.time = point.keep(text) }
        if bytes.holds("speed", at: name) { point.speed = point.keep(text) }
        if bytes.holds("course", at: name) { point.course = point.keep(text) }
        if bytes.holds("accuracy", at: name) { point.accuracy = point.keep(text) }
    }
}
