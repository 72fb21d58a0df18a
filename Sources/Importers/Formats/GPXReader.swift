import TripEvents
import XMLText

/// Reads the track points of GPX 1.0 and 1.1; times without an offset are UTC there.
///
/// Speeds stand in the point (1.0) or in its extensions, in metres per second. Waypoints and routes
/// are no way that somebody went.
struct GPXReader: FormatReader {
    /// What a track point says.
    private struct Point {
        var latitude: [UInt8]?
        var longitude: [UInt8]?
        var elevation: [UInt8]?
        var time: [UInt8]?
        var speed: [UInt8]?
        var course: [UInt8]?
        var accuracy: [UInt8]?
    }

    /// The most bytes of a text that is kept.
    private static let mostTextBytes = 256

    private let options: ImportOptions
    private let source: String
    private let scanner = XMLScanner()
    private var point: Point?

    /// The text of the element of a point that is being read.
    private var text: [UInt8] = []

    /// The attribute whose value comes next.
    private var attribute: [UInt8] = []

    private var record = 0
    private var isBroken = false

    init(_ options: ImportOptions) {
        self.options = options
        source = options.source ?? "gpx"
    }

    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        read(bytes, isLast: false, into: &batch)
    }

    mutating func finish(into batch: inout ImportBatch) {
        read([UInt8]().span, isLast: true, into: &batch)
    }

    private mutating func read(_ bytes: Span<UInt8>, isLast: Bool, into batch: inout ImportBatch) {
        guard !isBroken else { return }
        do throws(XMLProblem) {
            try scanner.read(bytes, isLast: isLast) { tokens in
                for token in tokens.tokens {
                    take(token, tokens.bytes.span, into: &batch)
                }
            }
        } catch {
            isBroken = true
            record += 1
            batch.reject(Rejection(.invalidXML, sentence: error.sentence), record: record)
        }
    }

    private mutating func take(
        _ token: XMLTokens.Token,
        _ bytes: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        let range = token.range
        switch token.kind {
        case .start:
            text.removeAll(keepingCapacity: true)
            if bytes.holds("trkpt", at: range) {
                record += 1
                point = Point()
            } else if bytes.holds("wpt", at: range) || bytes.holds("rtept", at: range) {
                record += 1
                batch.ignore(
                    String(decoding: bytes.bytes(in: range), as: UTF8.self),
                    record: record
                )
            }
        case .attribute: attribute = bytes.bytes(in: range)
        case .value:
            guard point != nil, range.count <= Self.mostTextBytes else { return }
            if attribute.elementsEqual("lat".utf8) { point?.latitude = bytes.bytes(in: range) }
            if attribute.elementsEqual("lon".utf8) { point?.longitude = bytes.bytes(in: range) }
        case .text:
            guard point != nil, text.count + range.count <= Self.mostTextBytes else { return }
            for position in range { text.append(bytes[position]) }
        case .end:
            guard let point else { return }
            if bytes.holds("trkpt", at: range) {
                self.point = nil
                write(point, into: &batch)
            } else {
                note(bytes, range)
            }
        }
    }

    /// Keeps the text of an element of a point that has ended.
    private mutating func note(_ bytes: Span<UInt8>, _ name: Range<Int>) {
        if bytes.holds("ele", at: name) { point?.elevation = text }
        if bytes.holds("time", at: name) { point?.time = text }
        if bytes.holds("speed", at: name) { point?.speed = text }
        if bytes.holds("course", at: name) { point?.course = text }
        if bytes.holds("accuracy", at: name) { point?.accuracy = text }
        text.removeAll(keepingCapacity: true)
    }

    private func write(_ point: Point, into batch: inout ImportBatch) {
        do throws(Rejection) {
            guard let time = point.time, !time.isEmpty else { throw .missingField("time") }
            let instant = try TimeText(zone: nil, isUTCUnlessSaid: true)
                .time(time.span, time.indices, in: "time")
            var fix = batch.begin(.fixRecorded, of: source, at: instant)
            add("lat", point.latitude, to: &fix, of: &batch)
            add("lon", point.longitude, to: &fix, of: &batch)
            if let accuracy = point.accuracy {
                batch.add("accuracy", known: accuracy.indices, of: accuracy.span, to: &fix)
            }
            if let elevation = point.elevation, !elevation.isEmpty {
                batch.add("altitude", number: elevation.span, elevation.indices, to: &fix)
            }
            if let speed = point.speed {
                batch.add("speed", known: speed.indices, of: speed.span, to: &fix)
            }
            if let course = point.course {
                batch.add("course", known: course.indices, of: course.span, to: &fix)
            }
            batch.end(fix, record: record)
        } catch {
            batch.reject(error, record: record)
        }
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
