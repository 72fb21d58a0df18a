import Glibc
import Papers

/// A circle as a line.
enum CirclePoints {
    private static let count = 48

    /// Returns the points of a circle, without the first one again at the end.
    static func around(_ center: Point, radius: Double) -> [Point] {
        (0..<count)
            .map { index in
                let angle = 2 * Double.pi * Double(index) / Double(count)
                return Point(center.x + radius * cos(angle), center.y + radius * sin(angle))
            }
    }
}
