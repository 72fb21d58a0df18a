/// What the texts of a column need, in the units of the size at which they were measured.
package struct ColumnMeasure: Hashable, Sendable {
    /// The width of the widest cell in one line.
    package var cell = 0.0

    /// The width of the widest word of a cell.
    package var cellWord = 0.0

    /// The width of the title in one line.
    package var title = 0.0

    /// The width of the widest word of the title.
    package var titleWord = 0.0

    /// Whether its cells may be broken into lines before the text becomes smaller.
    package let wraps: Bool

    /// Creates the measure of an empty column.
    package init(wraps: Bool) {
        self.wraps = wraps
    }

    /// A longer word is broken, in times the size of the text.
    private static let longestWord = 14.0

    /// The width at which nothing of it wraps, for text that is `scale` times as large.
    func natural(scale: Double) -> Double { max(cell, title) * scale }

    /// Returns between which widths the column may be where the table is wider than the page, for
    /// text of a size.
    ///
    /// Texts were measured at another size, `measured`. A column that wraps may become `readable`
    /// times as wide as the size. Titles always wrap there: one more line in the head leaves room
    /// to every row.
    func range(size: Double, measured: Double, readable: Double) -> ClosedRange<Double> {
        let scale = size / measured
        let most = max(cell, titleWord) * scale
        guard wraps else { return most...most }
        let words = max(readable * size, min(cellWord * scale, Self.longestWord * size))
        return max(min(cell * scale, words), titleWord * scale)...most
    }

    /// Returns between which widths the column may be if cells of every column wrap.
    func brokenRange(scale: Double) -> ClosedRange<Double> {
        max(cellWord, titleWord) * scale...max(cell, titleWord) * scale
    }
}
