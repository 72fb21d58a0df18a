import TripEvents

/// The tracks of KML (`gx:Track`, and `Track` of KML 2.3) and its points that have a time.
///
/// A track has its times first and its coordinates after them, which are matched by their indices;
/// an empty one of either is a pause and keeps its index. Coordinates are longitude, latitude and
/// altitude. Where there is a track, points with a time are marks on it: where someone stopped, or
/// the track ended. A line has no times. One that names a span of time is refused, because it may
/// be the only record of a drive; others are drawings.
struct KMLFormat: ElementFormat {
    /// What is being read.
    private enum Place {
        case track
        case point
        case line
    }

    /// The most times that wait for their coordinates.
    private static let mostTimes = 1_500_000

    /// The most points that wait for a track: more are no marks, but a way.
    private static let mostMarks = 100_000

    /// A point with a time, which is a mark if there is a track.
    private struct Mark {
        let record: Int
        let time: PreciseTime
        let coordinates: [UInt8]
    }

    static let recordNames: Set<String> = ["Placemark"]
    static let rootNames: Set<String> = ["kml"]

    var record = 0

    private let source: String
    private var place: Place?

    /// The times of the track that goes on; `nil` for one that tells none.
    private var times: [PreciseTime?] = []

    /// The problems of texts that should be times.
    private var problems: [Int: Rejection] = [:]

    /// The number of coordinates of the track that were read.
    private var coordinateCount = 0

    /// The time of the placemark that goes on.
    private var placemarkTime: [UInt8]?

    /// Whether the placemark that goes on names a span of time.
    private var hasSpan = false

    /// The coordinates of the point of the placemark that goes on.
    private var placemarkPoint: [UInt8]?

    /// The points that wait for a track; `nil` once there are too many to be marks.
    private var marks: [Mark]? = []

    /// Whether a track has told a position.
    private var hasTrack = false

    init(_ options: ImportOptions) {
        source = options.source ?? "kml"
    }

    // A time stamp stands before the point that it belongs to.
    var isInRecord: Bool { place != .line }

    mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>, into batch: inout ImportBatch) {
        if bytes.holds("Track", at: name) {
            place = .track
            times.removeAll(keepingCapacity: true)
            problems = [:]
            coordinateCount = 0
        }
        if bytes.holds("Point", at: name) { place = .point }
        if bytes.holds("LineString", at: name) { place = .line }
        if bytes.holds("TimeSpan", at: name) { hasSpan = true }
        if bytes.holds("Placemark", at: name) {
            placemarkTime = nil
            placemarkPoint = nil
            hasSpan = false
        }
    }

    mutating func beginAgain() { place = nil }

    mutating func end(
        _ bytes: Span<UInt8>,
        _ name: Range<Int>,
        _ text: Span<UInt8>,
        into batch: inout ImportBatch
    ) {
        if bytes.holds("when", at: name) { takeTime(text) }
        if bytes.holds("coord", at: name), place == .track { takeCoordinates(text, into: &batch) }
        if bytes.holds("coordinates", at: name), place == .point {
            placemarkPoint = text.bytes(in: text.indices)
        }
        if bytes.holds("Track", at: name) { endTrack(into: &batch) }
        if bytes.holds("Point", at: name) { place = nil }
        if bytes.holds("LineString", at: name) { endLine(into: &batch) }
        if bytes.holds("Placemark", at: name) { endPlacemark(into: &batch) }
    }

    private mutating func takeTime(_ text: Span<UInt8>) {
        guard place == .track else {
            placemarkTime = text.bytes(in: text.indices)
            return
        }
        guard times.count < Self.mostTimes else { return }
        guard !NumberText.trimmed(text, text.indices).isEmpty else { return times.append(nil) }
        do throws(Rejection) {
            times.append(try TrackPoint.time(text, text.indices))
        } catch {
            problems[times.count] = error
            times.append(nil)
        }
    }

    private mutating func takeCoordinates(_ text: Span<UInt8>, into batch: inout ImportBatch) {
        let index = coordinateCount
        coordinateCount += 1
        record += 1
        if let problem = problems[index] { return batch.reject(problem, record: record) }
        let numbers = Self.numbers(
            text.bytes(in: text.indices),
            separator: UInt8(ascii: " ")
        )
        guard let time = index < times.count ? times[index] : nil, !numbers.isEmpty else {
            guard index < times.count else {
                return batch.reject(.missingField("when"), record: record)
            }
            return batch.ignore("pause", record: record)
        }
        hasTrack = true
        write(numbers, at: time, record: record, into: &batch)
    }

    /// Says which times of a track have no coordinates.
    private mutating func endTrack(into batch: inout ImportBatch) {
        place = nil
        while coordinateCount < times.count {
            coordinateCount += 1
            record += 1
            batch.reject(.missingField("coord"), record: record)
        }
        times = []
    }

    private mutating func endLine(into batch: inout ImportBatch) {
        place = nil
        record += 1
        guard hasSpan else { return batch.ignore("LineString", record: record) }
        batch.reject(
            Rejection(
                .missingField,
                field: "when",
                sentence: "A LineString has no time for each of its points: export a track "
                    + "(gx:Track), GPX or CSV instead."
            ),
            record: record
        )
    }

    private mutating func endPlacemark(into batch: inout ImportBatch) {
        guard let point = placemarkPoint else { return }
        placemarkPoint = nil
        record += 1
        guard let text = placemarkTime else { return batch.ignore("Point", record: record) }
        do throws(Rejection) {
            let time = try TrackPoint.time(text.span, text.indices)
            keep(Mark(record: record, time: time, coordinates: point), into: &batch)
        } catch {
            batch.reject(error, record: record)
        }
    }

    private mutating func keep(_ mark: Mark, into batch: inout ImportBatch) {
        guard !hasTrack else { return batch.ignore("mark", record: mark.record) }
        guard let kept = marks else { return write(mark, into: &batch) }
        guard kept.count < Self.mostMarks else {
            marks = nil
            for mark in kept { write(mark, into: &batch) }
            return write(mark, into: &batch)
        }
        marks?.append(mark)
    }

    mutating func finish(into batch: inout ImportBatch) {
        let kept = marks ?? []
        marks = []
        for mark in kept {
            if hasTrack {
                batch.ignore("mark", record: mark.record)
            } else {
                write(mark, into: &batch)
            }
        }
    }

    private func write(_ mark: Mark, into batch: inout ImportBatch) {
        let numbers = Self.numbers(mark.coordinates, separator: UInt8(ascii: ","))
        write(numbers, at: mark.time, record: mark.record, into: &batch)
    }

    private func write(
        _ numbers: [ArraySlice<UInt8>],
        at time: PreciseTime,
        record: Int,
        into batch: inout ImportBatch
    ) {
        guard numbers.count >= 2 else { return batch.reject(.missingField("lat"), record: record) }
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        for (name, number) in zip(
            ["lat", "lon", "altitude"],
            [numbers[1], numbers[0]] + numbers[2...]
        ) {
            let text = Array(number)
            if name == "altitude" {
                batch.add(name, reading: text.span, text.indices, to: &fix)
            } else {
                batch.add(name, number: text.span, text.indices, to: &fix)
            }
        }
        batch.end(fix, record: record)
    }

    /// Returns what a tuple consists of.
    private static func numbers(_ text: [UInt8], separator: UInt8) -> [ArraySlice<UInt8>] {
        text[NumberText.trimmed(text.span, text.indices)].split(separator: separator)
    }
}
