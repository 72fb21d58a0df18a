/// The widths that the texts of a column need, in the units of the size at which they were
/// measured.
package struct ColumnMeasure: Hashable, Sendable {
    /// The width of the widest cell in one line.
    package var cell = 0.0

    /// The width of the widest word of a cell.
    package var cellWord = 0.0

    /// The width of the title in one line.
    package var title = 0.0

    /// The width of the widest word of the title.
    package var titleWord = 0.0

    /// The width of the widest part of the title in which no line may end: in a word with hyphens,
    /// soft or not, the widest part between them, with the hyphen at its end.
    package var titlePart = 0.0

    /// Whether its cells may be broken into lines before the text becomes smaller.
    package let wraps: Bool

    /// Creates the measure of an empty column.
    package init(wraps: Bool) {
        self.wraps = wraps
    }

    /// The length from which a word is broken, in times the size of the text.
    private static let longestWord = 14.0

    /// Whether it has cells, such as a date and a time, whose lines end at spaces only if there is
    /// no other way.
    var splits: Bool { !wraps && cellWord < cell }

    /// The width at which nothing of it wraps, for text that is `scale` times as large.
    func natural(scale: Double) -> Double { max(cell, title) * scale }

    /// Returns the range of widths that the column may have if the table is wider than the page,
    /// for text of a size.
    ///
    /// A column that wraps may become `readable` times as wide as the size. Titles always wrap
    /// there: one more line in the head leaves room to every row.
    ///
    /// - Parameters:
    ///   - size: The size.
    ///   - measured: The size at which texts were measured.
    ///   - readable: The width that a column that wraps keeps, in times the size.
    ///   - keptTitle: The length from which a word of a title may be broken, in times the size;
    ///     words of cells are not.
    ///   - hyphenates: Whether shorter words of titles are broken at their hyphens too.
    ///   - splits: Whether lines of cells of a column that does not wrap may end at spaces.
    /// - Returns: The widths.
    func range(
        size: Double,
        measured: Double,
        readable: Double,
        keptTitle: Double,
        hyphenates: Bool,
        splits: Bool
    ) -> ClosedRange<Double> {
        let scale = size / measured
        let most = max(cell, titleWord) * scale
        let title = min(
            (hyphenates ? min(titlePart, titleWord) : titleWord) * scale,
            keptTitle * size
        )
        guard wraps else { return max((splits ? cellWord : cell) * scale, title)...most }
        let words = max(readable * size, min(cellWord * scale, Self.longestWord * size))
        return max(min(cell * scale, words), title)...most
    }

    /// Returns the range of widths of the column if cells of every column wrap, and titles are
    /// broken at their hyphens.
    ///
    /// - Parameters:
    ///   - scale: How large the text is, in times the size at which it was measured.
    ///   - keptTitle: The length from which a part of a title may be broken, in the units of the
    ///     widths.
    ///   - keptWord: The length from which a word may be broken if the column wraps, in the units
    ///     of the widths.
    /// - Returns: The widths.
    func brokenRange(
        scale: Double,
        keptTitle: Double,
        keptWord: Double
    ) -> ClosedRange<Double> {
        let most = max(cell, titleWord) * scale
        let words = max(cellWord * scale, min(min(titlePart, titleWord) * scale, keptTitle))
        return min(wraps ? min(words, keptWord) : words, most)...most
    }
}
