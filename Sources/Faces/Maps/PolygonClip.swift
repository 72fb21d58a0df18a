import Papers

/// Leaves out everything beyond a rectangle.
enum PolygonClip {
    /// Returns an area as far as it lies in a rectangle (Sutherland and Hodgman, 1974).
    static func area(_ ring: [Point], in box: Box) -> [Point] {
        let sides: [(inside: (Point) -> Bool, cut: (Point, Point) -> Point)] = [
            ({ $0.x >= box.origin.x }, { Self.cut($0, $1, x: box.origin.x) }),
            ({ $0.x <= box.right }, { Self.cut($0, $1, x: box.right) }),
            ({ $0.y >= box.origin.y }, { Self.cut($0, $1, y: box.origin.y) }),
            ({ $0.y <= box.bottom }, { Self.cut($0, $1, y: box.bottom) }),
        ]
        var ring = ring
        for side in sides {
            guard var last = ring.last else { return [] }
            var kept: [Point] = []
            for point in ring {
                if side.inside(point) != side.inside(last) { kept.append(side.cut(last, point)) }
                if side.inside(point) { kept.append(point) }
                last = point
            }
            ring = kept
        }
        return ring
    }

    /// Returns the pieces of a line that may lie in a rectangle, whole from point to point.
    static func pieces(_ line: [Point], in box: Box) -> [[Point]] {
        var pieces: [[Point]] = []
        var piece: [Point] = []
        for (first, second) in zip(line, line.dropFirst()) {
            let mayMeet =
                max(first.x, second.x) >= box.origin.x && min(first.x, second.x) <= box.right
                && max(first.y, second.y) >= box.origin.y && min(first.y, second.y) <= box.bottom
            if mayMeet {
                if piece.isEmpty { piece.append(first) }
                piece.append(second)
            } else if !piece.isEmpty {
                pieces.append(piece)
                piece = []
            }
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    private static func cut(_ first: Point, _ second: Point, x: Double) -> Point {
        Point(x, first.y + (second.y - first.y) * (x - first.x) / (second.x - first.x))
    }

    private static func cut(_ first: Point, _ second: Point, y: Double) -> Point {
        Point(first.x + (second.x - first.x) * (y - first.y) / (second.y - first.y), y)
    }
}
