import Geodesy
import Tables
import TripEvents
package import TripLedger
import TripTracking

/// The way of a trip as one line for a map: `trip-line.v1.schema.json`, a Feature of RFC 7946.
package struct TripLine {
    private let trip: TripID
    private let pointCount: Int

    /// The points that stay.
    private let fixes: [TrackedFix]

    /// The indices of the remaining points that come first after gaps, in which nothing was
    /// measured; the beginning is not included.
    private let breaks: [Int]

    /// Draws the way of a trip.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - mostPoints: How many points it may have, at least 2. If there are more, the points whose
    ///     absence changes the line least are left out.
    ///   - snapshot: Where the trip is read.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        of trip: TripID,
        mostPoints: Int,
        in snapshot: borrowing Snapshot
    ) throws(LedgerError) {
        let points = try snapshot.way(of: trip).points
        let kept = points.count > mostPoints ? LineReduction(of: points).kept(mostPoints) : nil
        self.trip = trip
        pointCount = points.count
        breaks = Self.breaks(in: kept ?? Array(points.indices), of: points)
        fixes = try snapshot.fixes(at: kept.map { $0.map { points[$0] } } ?? points)
    }

    /// Appends the line.
    package func write(to bytes: inout [UInt8]) {
        // A line has at least two points (RFC 7946, 3.1.4).
        if fixes.count > 1 {
            bytes += #"{"type":"Feature","geometry":{"type":"LineString","coordinates":["#.utf8
            append(to: &bytes) { $1 += "[\($0.fix.longitude),\($0.fix.latitude)]".utf8 }
            bytes += #"]},"#.utf8
        } else {
            bytes += #"{"type":"Feature","geometry":null,"#.utf8
        }
        bytes += #""properties":{"trip":"\#(trip)","point_count":\#(pointCount),"times":["#.utf8
        append(to: &bytes) { Cell.said($0.time).appendJSON(to: &$1, by: nil) }
        bytes += #"],"speeds":["#.utf8
        append(to: &bytes) { $1 += ($0.fix.speed.map { "\($0)" } ?? "null").utf8 }
        bytes += #"],"breaks":["#.utf8
        bytes += breaks.map(String.init).joined(separator: ",").utf8
        bytes += "]}}".utf8
    }

    private func append(to bytes: inout [UInt8], _ write: (TrackedFix, inout [UInt8]) -> Void) {
        for (number, fix) in fixes.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            write(fix, &bytes)
        }
    }

    private static func breaks(in kept: [Int], of points: [TripWay.Point]) -> [Int] {
        var breaks: [Int] = []
        var earlier = 0
        for (number, index) in kept.enumerated() {
            if number > 0, points[earlier + 1...index].contains(where: \.isAfterBreak) {
                breaks.append(number)
            }
            earlier = index
        }
        return breaks
    }
}

/// Finds out which points of a line matter.
private struct LineReduction {
    /// A position on a plane whose unit is the same in both directions.
    private struct Point {
        var x: Double
        var y: Double
    }

    private let points: [Point]

    /// How often a point may be looked at, on average, before parts are cut in the middle: where
    /// many points lie equally far from a line, as on laps, each look may cut off only a few.
    private static let mostLooks = 64

    /// Begins with all points, at least two.
    init(of points: [TripWay.Point]) {
        self.points = points.map { point in
            let latitude = point.coordinate.latitude
            let scale = Self.cosine(ofDegrees: latitude)
            return Point(x: point.coordinate.longitude * scale, y: latitude)
        }
    }

    /// Returns the points that stay, in order; `most` is less than there are.
    func kept(_ most: Int) -> [Int] {
        let weights = weights()
        let least = weights.sorted(by: >)[most - 1]
        // If points matter equally, the earlier ones stay, so that the choice is the same
        // everywhere.
        var room = most - weights.count(where: { $0 > least })
        return weights.indices.filter { index in
            guard weights[index] == least else { return weights[index] > least }
            room -= 1
            return room >= 0
        }
    }

    /// Returns how much each point matters: how far it lies off the line between those that matter
    /// more (Ramer 1972; Douglas and Peucker 1973), and never more than these do.
    private func weights() -> [Double] {
        var weights = [Double](repeating: 0, count: points.count)
        weights[0] = .infinity
        weights[points.count - 1] = .infinity
        var parts = [(first: 0, last: points.count - 1, limit: Double.infinity)]
        var looks = 0
        while let part = parts.popLast() {
            guard part.last - part.first > 1 else { continue }
            var (farthest, distance) = (part.first + 1, -1.0)
            var candidates = part.first + 1..<part.last
            if looks > Self.mostLooks * points.count {
                let middle = (part.first + part.last) / 2
                candidates = middle..<middle + 1
            }
            looks += candidates.count
            for index in candidates {
                let other = squaredDistance(of: index, from: part.first, to: part.last)
                if other > distance { (farthest, distance) = (index, other) }
            }
            let weight = min(distance, part.limit)
            weights[farthest] = weight
            parts.append((part.first, farthest, weight))
            parts.append((farthest, part.last, weight))
        }
        return weights
    }

    /// Returns the square of the distance of a point from the line between two others.
    private func squaredDistance(of index: Int, from first: Int, to last: Int) -> Double {
        let (point, start, end) = (points[index], points[first], points[last])
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        let share =
            length > 0
            ? max(0, min(1, ((point.x - start.x) * dx + (point.y - start.y) * dy) / length)) : 0
        let (x, y) = (point.x - start.x - share * dx, point.y - start.y - share * dy)
        return x * x + y * y
    }

    /// Returns the cosine of a latitude, to a few percent (Bhaskara I): it only decides which
    /// points of a line are left out.
    private static func cosine(ofDegrees latitude: Double) -> Double {
        let square = latitude * latitude
        return (32_400 - 4 * square) / (32_400 + square)
    }
}
