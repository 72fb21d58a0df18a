/// A piece of a document that is placed on pages: a heading, a row, a picture.
///
/// Lengths are points.
package struct FlowItem: Hashable, Sendable {
    /// How many lines it has, at least one.
    package let lineCount: Int

    /// How high each line is.
    package let lineHeight: Double

    /// The space above the first line and below the last one, which belongs to the piece.
    package let padding: Double

    /// The space to the piece above it; none at the top of a page.
    package var spaceBefore = 0.0

    /// Whether it introduces the next piece, as a heading does: it never ends a page.
    package var keepsWithNext = false

    /// Whether the next one should stand on the same page if there is room for both: a total should
    /// not stand alone.
    package var prefersNext = false

    /// The most lines with which it moves to the next page: a piece with more is cut where it is,
    /// so that no page loses more; `nil` for a piece that is never cut if it fits on a page.
    package var mostMovedLines: Int?

    /// The height of the head that is repeated above it at the top of a page; 0 for none.
    package var headHeight = 0.0

    /// Creates a piece.
    package init(lineCount: Int, lineHeight: Double, padding: Double = 0) {
        self.lineCount = max(1, lineCount)
        self.lineHeight = lineHeight
        self.padding = padding
    }

    /// How high it is.
    package var height: Double { height(ofLines: lineCount) }

    /// Returns how high a part of so many lines is.
    package func height(ofLines count: Int) -> Double { Double(count) * lineHeight + 2 * padding }

    /// Returns how many of its lines a height holds.
    func lineCount(in height: Double) -> Int {
        guard height > 2 * padding, lineHeight > 0 else { return 0 }
        return Int(((height - 2 * padding) / lineHeight).rounded(.down))
    }
}
