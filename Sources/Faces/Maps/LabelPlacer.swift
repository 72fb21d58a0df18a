import Papers

/// Finds room for names beside points, so that none covers another one.
struct LabelPlacer {
    private let box: Box
    private var taken: [Box]

    /// Creates a placer.
    ///
    /// - Parameters:
    ///   - box: The rectangle in which names may stand.
    ///   - taken: The boxes that are already taken.
    init(_ box: Box, taken: [Box]) {
        self.box = box
        self.taken = taken
    }

    /// Notes that a sign stands at a point.
    mutating func reserve(_ point: Point, radius: Double) {
        taken.append(
            Box(x: point.x - radius, y: point.y - radius, width: 2 * radius, height: 2 * radius)
        )
    }

    /// Returns a name at a place with room for it; `nil` if there is no room, or if its point is
    /// not visible.
    mutating func place(
        _ text: String,
        at point: Point,
        radius: Double,
        size: Double,
        isBold: Bool = false,
        _ ink: Ink
    ) -> Label? {
        guard box.contains(point) else { return nil }
        let (near, far) = (radius + 4, radius + 5)
        let ways: [(Point, Label.Anchor)] = [
            (Point(near, size * 0.36), .start), (Point(-near, size * 0.36), .end),
            (Point(0, -far), .middle), (Point(0, far + size * 0.75), .middle),
            (Point(near, -near), .start), (Point(near, near + size * 0.75), .start),
            (Point(-near, -near), .end), (Point(-near, near + size * 0.75), .end),
        ]
        for (offset, anchor) in ways {
            let label = Label(
                text,
                at: point,
                offset: offset,
                size: size,
                isBold: isBold,
                anchor: anchor,
                ink,
                halo: .casing
            )
            // Some fonts are wider than the estimate.
            let space = label.estimatedBox.expanded(by: 0.05 * label.estimatedWidth, 0)
            let isInside =
                space.origin.x > box.origin.x + 2 && space.right < box.right - 2
                && space.origin.y > box.origin.y + 2 && space.bottom < box.bottom - 2
            guard isInside, !taken.contains(where: { $0.overlaps(space) }) else { continue }
            taken.append(space)
            return label
        }
        return nil
    }
}
