package import Papers

/// Leaves out points that do not show; those that stay are where they were.
package enum LineThinning {
    /// How often a point may be looked at, on average, before long parts are cut in the middle:
    /// where many points lie equally far from a line, as on laps, each look may cut off only a few.
    private static let mostLooks = 64

    /// A part of at most so many points is always examined in full.
    private static let shortPart = 1_024

    /// Returns the indexes of the points that stay (Douglas and Peucker, 1973): none that is left
    /// out lies farther from the line than a tolerance.
    package static func kept(_ points: [Point], tolerance: Double) -> [Int] {
        guard points.count > 2 else { return Array(points.indices) }
        var stays = [Bool](repeating: false, count: points.count)
        stays[0] = true
        stays[points.count - 1] = true
        var parts = [(0, points.count - 1)]
        var looks = 0
        while let (first, last) = parts.popLast() {
            var (farthest, index) = (tolerance * tolerance, 0)
            if looks > mostLooks * points.count, last - first > shortPart {
                index = (first + last) / 2
                stays[index] = true
                parts += [(first, index), (index, last)]
                continue
            }
            looks += last - first
            for middle in first + 1..<max(first + 1, last) {
                let square = squaredDistance(points[middle], points[first], points[last])
                if square > farthest { (farthest, index) = (square, middle) }
            }
            guard index > 0 else { continue }
            stays[index] = true
            parts.append((first, index))
            parts.append((index, last))
        }
        return points.indices.filter { stays[$0] }
    }

    /// Returns the lines thinned to about `most` points in all, or to those that cannot be left
    /// out.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - tolerance: The deviation that never shows, in pixels; it is doubled until the points are
    ///     few enough.
    ///   - most: The most points.
    /// - Returns: The same number of lines, with the same ends.
    package static func thinned(
        _ lines: [[Point]],
        tolerance: Double,
        most: Int
    ) -> [[Point]] {
        var (thin, tolerance) = (lines, tolerance)
        // Two points of each line always stay.
        for _ in 0..<12 {
            thin = thin.map { line in kept(line, tolerance: tolerance).map { line[$0] } }
            guard thin.reduce(0, { $0 + $1.count }) > most else { break }
            tolerance *= 2
        }
        return thin
    }

    /// Returns a line without points that lie nearer than a distance to the one before them.
    static func coarse(_ line: [Point], distance: Double) -> [Point] {
        var kept: [Point] = []
        for (index, point) in line.enumerated() {
            if let last = kept.last, index < line.count - 1 {
                let (dx, dy) = (point.x - last.x, point.y - last.y)
                guard dx * dx + dy * dy >= distance * distance else { continue }
            }
            kept.append(point)
        }
        return kept
    }

    private static func squaredDistance(_ point: Point, _ first: Point, _ last: Point) -> Double {
        let (dx, dy) = (last.x - first.x, last.y - first.y)
        let length = dx * dx + dy * dy
        let along = (point.x - first.x) * dx + (point.y - first.y) * dy
        let share = length > 0 ? min(max(along / length, 0), 1) : 0
        let (x, y) = (point.x - first.x - share * dx, point.y - first.y - share * dy)
        return x * x + y * y
    }
}
