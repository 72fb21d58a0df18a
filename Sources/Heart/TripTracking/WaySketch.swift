package import Geodesy
package import RowCoding
package import TripEvents

/// The places of a trip at a few instants of its way: they show whether two recorders were in one
/// car.
///
/// The instants are multiples of the same span of time for every trip, half a minute or that
/// doubled, so that two trips can be compared without interpolating twice. They are kept as bytes,
/// which are read where trips are compared and nowhere else.
public struct WaySketch: Hashable, Sendable {
    private var bytes: [UInt8]

    /// A place on the way.
    package struct Point: Hashable, Sendable {
        /// When the trip was there.
        package let at: Timestamp

        /// Where it was, in whole ten-thousandths of a degree: to some ten metres.
        package let coordinate: Coordinate

        /// Creates a place; `at` is to be a multiple of half a minute.
        package init(at: Timestamp, coordinate: Coordinate) {
            self.at = at
            self.coordinate = coordinate
        }
    }

    /// A way of which nothing is known.
    public init() {
        bytes = []
    }

    /// Creates a sketch of places that are given in order of time.
    package init(_ points: [Point]) {
        self.init(
            points.map {
                WaySketcher.Mark($0.at.milliseconds / WaySketcher.shortestSpan, $0.coordinate)
            }
        )
    }

    /// The places in order of time.
    ///
    /// - Throws: `RowCodingError` if what was stored is not what was written.
    package func points() throws(RowCodingError) -> [Point] {
        var points: [Point] = []
        for mark in try marks() {
            guard let point = mark.point else { throw .invalidValue }
            points.append(point)
        }
        return points
    }

    /// Adds the places of another trip that is a part of the same.
    ///
    /// Parts of either that cannot be read are left out: a sketch only serves to compare trips.
    package mutating func add(_ other: WaySketch) {
        let marks = ((try? marks()) ?? []) + ((try? other.marks()) ?? [])
        self = WaySketch(marks.sorted { $0.number < $1.number })
    }

    private func marks() throws(RowCodingError) -> [WaySketcher.Mark] {
        guard !bytes.isEmpty else { return [] }
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        let stride = try reader.readAmount()
        var marks: [WaySketcher.Mark] = []
        var last = WaySketcher.Mark(number: 0, latitude: 0, longitude: 0)
        for _ in 0..<(try reader.readAmount()) {
            last = WaySketcher.Mark(
                number: last.number &+ (try reader.readInt64()) &* stride,
                latitude: last.latitude &+ (try Self.difference(from: &reader)),
                longitude: last.longitude &+ (try Self.difference(from: &reader))
            )
            marks.append(last)
        }
        try reader.finish()
        return marks
    }

    private static let formatVersion: UInt8 = 1

    /// Creates a sketch from places in order of time.
    init(_ marks: some Collection<WaySketcher.Mark>) {
        guard !marks.isEmpty else {
            bytes = []
            return
        }
        let stride = WaySketcher.stride(of: marks)
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(stride)
        writer.write(UInt64(marks.count))
        var last = WaySketcher.Mark(number: 0, latitude: 0, longitude: 0)
        for mark in marks {
            writer.write((mark.number &- last.number) / stride)
            Self.write(mark.latitude &- last.latitude, to: &writer)
            Self.write(mark.longitude &- last.longitude, to: &writer)
            last = mark
        }
        bytes = writer.bytes
    }

    /// Writes a difference, which is small in either direction: its sign is the lowest bit.
    private static func write(_ difference: Int64, to writer: inout RowEncoder) {
        writer.write(UInt64(bitPattern: (difference << 1) ^ (difference >> 63)))
    }

    private static func difference(
        from reader: inout RowDecoder
    ) throws(RowCodingError) -> Int64 {
        let bits = try reader.readUInt64()
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    /// Writes the sketch.
    package func write(to writer: inout RowEncoder) { writer.write(bytes) }

    /// Reads a sketch.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        bytes = try reader.readBytes()
    }
}

/// Sketches the way of a trip in progress, fix by fix.
struct WaySketcher: Hashable, Sendable {
    /// The shortest span between two instants, in milliseconds.
    fileprivate static let shortestSpan: Int64 = 30_000

    /// How many places are kept: with more, every second one is forgotten.
    private static let mostMarks = 16

    /// A place at a multiple of half a minute since 1970.
    struct Mark: Hashable, Sendable {
        /// The number of the multiple.
        var number: Int64

        /// In ten-thousandths of a degree.
        var latitude: Int64
        var longitude: Int64
    }

    /// How many times half a minute lies between two instants: a power of two.
    private var stride: Int64 = 1

    /// In order of time.
    private var marks: [Mark] = []

    /// Before this, in milliseconds since 1970, no fix adds a place.
    private(set) var due = Int64.min

    /// Takes a kept fix at or after the instant that is due.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - earlier: The kept fix before it; `nil` if there is none, or a gap lies between.
    @inline(never)
    mutating func take(_ fix: Fix, after earlier: Waypoint?) {
        let end = fix.occurredAt.milliseconds
        // The instants after the earlier fix, up to this one; without one, only this one's.
        let begin = earlier.map { $0.at.milliseconds } ?? end - 1
        var number = (begin.flooredQuotient(by: span) + 1) * stride
        while number * Self.shortestSpan <= end {
            let at = number * Self.shortestSpan
            var place = fix.coordinate
            var share = 1.0
            if let earlier, end > begin {
                place = earlier.coordinate
                share = Double(at - begin) / Double(end - begin)
            }
            add(number, from: place, to: fix.coordinate, share)
            // The stride may have been doubled.
            number = (number.flooredQuotient(by: stride) + 1) * stride
        }
        due = (end.flooredQuotient(by: span) + 1) * span
    }

    /// Returns the largest power of two of which the numbers of all marks are multiples.
    fileprivate static func stride(of marks: some Collection<Mark>) -> Int64 {
        let all = marks.reduce(0) { $0 | $1.number }
        return all == 0 ? 1 : 1 << Int64(all.trailingZeroBitCount)
    }

    /// Returns the places from one instant to another.
    func sketch(from start: Timestamp, to end: Timestamp) -> WaySketch {
        WaySketch(
            marks.filter {
                let at = $0.number * Self.shortestSpan
                return start.milliseconds <= at && at <= end.milliseconds
            }
        )
    }

    private var span: Int64 { stride * Self.shortestSpan }

    private mutating func add(
        _ number: Int64,
        from earlier: Coordinate,
        to later: Coordinate,
        _ share: Double
    ) {
        // Across the antimeridian nothing is known.
        guard abs(later.longitude - earlier.longitude) < 180 else { return }
        let latitude = earlier.latitude + (later.latitude - earlier.latitude) * share
        let longitude = earlier.longitude + (later.longitude - earlier.longitude) * share
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else { return }
        marks.append(Mark(number, place))
        guard marks.count > Self.mostMarks else { return }
        stride *= 2
        marks.removeAll { $0.number % stride != 0 }
    }
}

extension WaySketcher.Mark {
    /// Creates the mark of a place.
    fileprivate init(_ number: Int64, _ place: Coordinate) {
        self.number = number
        latitude = Int64((place.latitude * 1e4).rounded())
        longitude = Int64((place.longitude * 1e4).rounded())
    }

    /// The place; `nil` if it is not on Earth.
    fileprivate var point: WaySketch.Point? {
        let (at, isTooLate) = number.multipliedReportingOverflow(
            by: WaySketcher.shortestSpan
        )
        guard !isTooLate,
            let coordinate = Coordinate(
                latitude: Double(latitude) / 1e4,
                longitude: Double(longitude) / 1e4
            )
        else { return nil }
        return WaySketch.Point(at: Timestamp(milliseconds: at), coordinate: coordinate)
    }
}

extension WaySketcher {
    /// Writes what is known of the way.
    func write(to writer: inout RowEncoder) {
        writer.write(stride)
        writer.write(due)
        writer.write(UInt64(marks.count))
        for mark in marks {
            writer.write(mark.number)
            writer.write(mark.latitude)
            writer.write(mark.longitude)
        }
    }

    /// Reads what is known of the way.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        stride = try reader.readInt64()
        guard stride > 0, stride & (stride - 1) == 0, stride <= 1 << 30 else {
            throw .invalidValue
        }
        due = try reader.readInt64()
        for _ in 0..<(try reader.readAmount()) {
            marks.append(
                Mark(
                    number: try reader.readInt64(),
                    latitude: try reader.readInt64(),
                    longitude: try reader.readInt64()
                )
            )
        }
    }
}
