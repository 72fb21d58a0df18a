import Geodesy
import RowCoding
import TripEvents

/// A circle that the trip has not left since some instant.
struct Stay: Hashable, Sendable {
    /// More than the rounding of the distances between two measurements can add up to.
    private static let margin = Distance(millimeters: 1_000)

    /// The centre; `nil` until the first fix.
    var center: Coordinate?

    /// When the trip entered the circle.
    var since: Timestamp

    /// The distance travelled, gaps included, up to which the trip cannot have left the circle, so
    /// that no fix need be measured.
    var safeUntil = Distance.zero

    /// Takes a fix that moves the anchor.
    ///
    /// - Parameters:
    ///   - fix: the fix.
    ///   - travelled: how far the trip has got with it, gaps included.
    ///   - radius: the radius of the circle.
    ///   - metric: measures the fix.
    /// - Returns: whether it is farther than `radius` from the centre and so begins another stay.
    @inline(__always)
    mutating func isLeft(
        by fix: Fix,
        travelled: Distance,
        radius: Distance,
        metric: inout LocalMetric
    ) -> Bool {
        travelled >= safeUntil
            && measure(fix, travelled: travelled, radius: radius, metric: &metric)
    }

    @inline(never)
    private mutating func measure(
        _ fix: Fix,
        travelled: Distance,
        radius: Distance,
        metric: inout LocalMetric
    ) -> Bool {
        let way = center.map { metric.distance(from: $0, to: fix.coordinate) }
        if let way, way <= radius {
            safeUntil = travelled + radius - way - Self.margin
            return false
        }
        center = fix.coordinate
        since = fix.occurredAt
        safeUntil = travelled + radius - Self.margin
        return true
    }
}

extension Stay {
    func write(to writer: inout RowEncoder) {
        writer.write(center) { $0.write($1) }
        writer.write(since)
        writer.write(safeUntil.millimeters)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        center = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readCoordinate()
        }
        since = try reader.readTimestamp()
        safeUntil = Distance(millimeters: try reader.readInt64())
    }
}
