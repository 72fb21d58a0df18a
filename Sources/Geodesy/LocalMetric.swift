/// Measures one distance after the other, fast while the points stay at nearly the same latitude.
///
/// It remembers the lengths of a degree in the last 0.01° of latitude. That changes how long a call
/// takes and nothing else: the result has the same bits as `Coordinate.distance(to:)`, whatever was
/// measured before.
///
///     var metric = LocalMetric()
///     let driven =
///         metric.distance(from: home, to: corner) + metric.distance(from: corner, to: work)
///
/// All metrics are equal, so that a state that contains one is compared by its other members.
public struct LocalMetric: Hashable, Sendable {
    @usableFromInline var cell: LatitudeCell

    /// Creates a metric that has measured nothing yet.
    public init() {
        cell = LatitudeCell(index: 0)
    }

    /// Returns the length of the shortest line on the ellipsoid between two points, in whole
    /// millimetres, rounded to nearest.
    @inlinable @inline(__always)
    public mutating func distance(from start: Coordinate, to end: Coordinate) -> Distance {
        Distance(roundingMeters: geodesicMeters(from: start, to: end))
    }

    /// Returns the length in metres of the shortest line on the ellipsoid between two points.
    @inlinable @inline(__always)
    public mutating func geodesicMeters(from start: Coordinate, to end: Coordinate) -> Double {
        let index = LatitudeCell.index(middleDegrees: (start.latitude + end.latitude) / 2)
        if index != cell.index {
            cell = LatitudeCell(index: index)
        }
        return cell.geodesicMeters(from: start, to: end)
    }

    /// Returns `true`: what a metric remembers changes no result.
    public static func == (left: LocalMetric, right: LocalMetric) -> Bool {
        true
    }

    /// Feeds nothing to the hasher.
    public func hash(into hasher: inout Hasher) {}
}
