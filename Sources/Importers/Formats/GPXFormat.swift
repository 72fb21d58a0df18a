import TripEvents

/// The track points of GPX 1.0 and 1.1.
///
/// Speeds stand in the point (1.0) or in its extensions, in metres per second. Waypoints and routes
/// are no way that was driven.
struct GPXFormat: ElementFormat {
    var record = 0

    private let source: String
    private var point: TrackPoint?

    init(_ options: ImportOptions) {
        source = options.source ?? "gpx"
    }

    var isInRecord: Bool { point != nil }

    mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>, into batch: inout ImportBatch) {
        if bytes.holds("trkpt", at: name) {
            record += 1
            point = TrackPoint()
        } else if bytes.holds("wpt", at: name) || bytes.holds("rtept", at: name) {
            record += 1
            batch.ignore(String(decoding: bytes.bytes(in: name), as: UTF8.self), record: record)
        }
    }

    mutating func take(_ attribute: [UInt8], _ value: [UInt8]) {
        if attribute.elementsEqual("lat".utf8) { point?.latitude = value }
        if attribute.elementsEqual("lon".utf8) { point?.longitude = value }
    }

    mutating func end(
        _ bytes: Span<UInt8>,
        _ name: Range<Int>,
        _ text: [UInt8],
        into batch: inout ImportBatch
    ) {
        // A copy of the point for each of its elements would take a tenth of the time.
        guard isInRecord else { return }
        if bytes.holds("trkpt", at: name) {
            point.take()?.write(of: source, record: record, into: &batch)
            return
        }
        if bytes.holds("ele", at: name) { point?.altitude = text }
        if bytes.holds("time", at: name) { point?.time = text }
        if bytes.holds("speed", at: name) { point?.speed = text }
        if bytes.holds("course", at: name) { point?.course = text }
        if bytes.holds("accuracy", at: name) { point?.accuracy = text }
    }
}
