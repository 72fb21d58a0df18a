public import Geodesy
import RowCoding
public import TripEvents
import TripTracking

/// An inference of another program, as the ledger has it: evidence that is shown beside trips.
///
/// No trip, place or distance follows from it. The book keeps each in a row of its own and changes
/// nothing else for it, so that trips are the same with it and without.
public struct ReportedInference: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// How far an end of another source's inference may be from the trip's end that it is taken
    /// for: programs place stays by buildings and car parks.
    private static let reach = Distance(millimeters: 1_000_000)

    /// What was inferred.
    public let inference: InferenceReported

    /// The source that it is about.
    public var source: String { event.source }

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    package var group: String? { event.group }

    /// When the ledger stored it.
    public let recordedAt: Timestamp

    private let event: TripEvent
    private let identity: IdentityDigest

    /// Creates an inference, or returns `nil` if the event reports none.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - identity: its identity digest.
    ///   - recordedAt: when the ledger stored it.
    public init?(_ event: TripEvent, identity: IdentityDigest, recordedAt: Timestamp) {
        guard case .inferenceReported(let inference) = event.body else { return nil }
        self.inference = inference
        self.event = event
        self.identity = identity
        self.recordedAt = recordedAt
    }

    /// The place, or where it began; `nil` if it does not say.
    public var start: Coordinate? {
        Self.position(inference.latitude, inference.longitude)
    }

    /// The place, or where it ended; `nil` if it does not say.
    public var end: Coordinate? {
        inference.inference == .visit
            ? start : Self.position(inference.toLatitude, inference.toLongitude)
    }

    /// The distance that the other program claims, which nothing measured; `nil` if it claims none.
    public var claimedDistance: Distance? {
        inference.claimedMeters.map { Distance(nearestTo: $0) }
    }

    /// Returns whether it lies in a span of time at least in part.
    public func overlaps(_ span: Range<Timestamp>) -> Bool {
        let (start, end) = (inference.startedAt.timestamp, inference.endedAt.timestamp)
        // An inference that takes no time lies in a span if its instant does.
        return start < span.upperBound
            && (end > span.lowerBound || start == end && end == span.lowerBound)
    }

    /// Returns whether it may be about the same drive as a trip that it overlaps in time.
    ///
    /// An inference of another source is about another way if neither of its ends is near that of
    /// the trip. If one of the two has no positions, nothing contradicts.
    public func mayBeAbout(_ booked: BookedTrip) -> Bool {
        let trip = booked.trip
        if trip.source.hasSameBytes(as: source) { return true }
        let isVisit = inference.inference == .visit
        let pairs = [
            (start, trip.start), (end, trip.end), (isVisit ? start : nil, trip.end),
            (isVisit ? end : nil, trip.start),
        ]
        let distances = pairs.compactMap { own, other -> Distance? in
            guard let own, let other else { return nil }
            return own.distance(to: other)
        }
        return distances.isEmpty || distances.contains { $0 <= Self.reach }
    }

    private static func position(
        _ latitude: ExactDecimal?,
        _ longitude: ExactDecimal?
    ) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
    }
}

extension ReportedInference: Comparable {
    /// Returns whether one comes before another: the one that began first, of these the longer one,
    /// of these the one with the lower identity.
    public static func < (left: ReportedInference, right: ReportedInference) -> Bool {
        let starts = (left.inference.startedAt.timestamp, right.inference.startedAt.timestamp)
        if starts.0 != starts.1 { return starts.0 < starts.1 }
        let ends = (left.inference.endedAt.timestamp, right.inference.endedAt.timestamp)
        if ends.0 != ends.1 { return ends.0 > ends.1 }
        return left.identity < right.identity
    }
}

// MARK: - The rows of the book

extension ReportedInference {
    /// Reads an inference from its row of the book.
    ///
    /// - Throws: why the bytes are no inference of this version; the view is then rebuilt.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        let (event, identity, recordedAt) = try reader.readEvent()
        try reader.finish()
        let inference = ReportedInference(event, identity: identity, recordedAt: recordedAt)
        guard let inference else { throw .invalidValue }
        self = inference
    }

    private var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(event, identity, recordedAt: recordedAt)
        return writer.bytes
    }

    /// Stores the inference in its row.
    func put(in rows: inout RowTable) {
        let (start, end) = (inference.startedAt.timestamp, inference.endedAt.timestamp)
        let level = Level(of: end.milliseconds(since: start))
        let key = BookKey.inference(level.number, start, identity)
        rows.put(encoded, key: key)
    }

    /// Returns what overlaps a span of time, in order.
    static func all(
        overlapping span: Range<Timestamp>,
        in rows: RowTable
    ) throws -> [ReportedInference] {
        var found: [ReportedInference] = []
        for level in Level.all {
            let keys = BookKey.inferences(level.number, from: level.earliestStart(of: span), span)
            found += try rows.rows(in: keys)
                .map { try ReportedInference(decoding: $0.value) }
                .filter { $0.overlaps(span) }
        }
        return found.sorted()
    }

    /// A class of lengths: inferences that are at most so many minutes long, and longer than the
    /// class below.
    ///
    /// Rows stand in order of their starts within their class. An inference that overlaps a span of
    /// time begins before the end of the span, and before its beginning by at most the length of
    /// the class: so a lookup reads little more than it finds, however long other inferences are.
    private struct Level {
        private static let millisecondsPerMinute: Int64 = 60_000

        /// Times are in the years 1 to 6428.
        static let all = (0...Int64.bitWidth - (10_000 * 366 * 1_440 as Int64).leadingZeroBitCount)
            .map { Level(number: UInt8($0)) }

        /// The bits of a whole number of minutes.
        let number: UInt8

        private init(number: UInt8) {
            self.number = number
        }

        init(of milliseconds: Int64) {
            let minutes = milliseconds / Self.millisecondsPerMinute
            number = UInt8(Int64.bitWidth - minutes.leadingZeroBitCount)
        }

        /// Returns the earliest time at which an inference of this class that overlaps a span can
        /// begin.
        func earliestStart(of span: Range<Timestamp>) -> Timestamp {
            let longest = Self.millisecondsPerMinute << Int64(number)
            let (start, overflows) = span.lowerBound.milliseconds.subtractingReportingOverflow(
                longest
            )
            return Timestamp(milliseconds: overflows ? .min : start)
        }
    }
}
