/// Shares a width among columns.
package enum ColumnWidths {
    /// Returns a width for each column within its range, or `nil` if even the least are too wide.
    ///
    /// All of the width is given out while a column can use it. No column gets more than another
    /// one that still needs more: the widest shrink first, to the same width.
    package static func share(
        _ width: Double,
        among ranges: [ClosedRange<Double>]
    ) -> [Double]? {
        guard ranges.reduce(0, { $0 + $1.lowerBound }) <= width else { return nil }
        let natural = ranges.map(\.upperBound)
        guard natural.reduce(0, +) > width else { return natural }
        func widths(_ level: Double) -> [Double] {
            ranges.map { min(max(level, $0.lowerBound), $0.upperBound) }
        }
        // The sum grows with the level, so halving finds the level; 60 halvings leave no error that
        // a page shows.
        var (low, high) = (0.0, width)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if widths(middle).reduce(0, +) > width { high = middle } else { low = middle }
        }
        return widths(low)
    }

    /// Returns widths in proportion to the needed ones, with the given width as their sum.
    package static func squeeze(_ needed: [Double], into width: Double) -> [Double] {
        let total = needed.reduce(0, +)
        guard total > 0 else { return needed }
        return needed.map { max(0, $0 / total * width) }
    }
}
