/// The size of a table's text and the widths of its columns, so that it fits on the page.
package struct TableFit: Hashable, Sendable {
    /// The size of the text in points.
    package let size: Double

    /// The width of each column's text in points.
    package let texts: [Double]

    /// The width of each column in points, with the space that follows its text.
    package let widths: [Double]

    /// The size at which texts are measured, and which is tried first.
    package static let largestSize = 9.0

    /// The smallest size; smaller print is not read.
    package static let smallestSize = 8.0

    /// Sizes in points, each with the width that columns that wrap keep, in times the size, and the
    /// length from which words of titles are broken.
    ///
    /// Lines of a few words in smaller print are easier to read than one word below another, and
    /// rows take fewer pages. A broken word above a column is read once, a broken date in each row;
    /// a short word is broken last, and only at its hyphens as long as there is any way.
    private static let steps:
        [(size: Double, readable: Double, keptTitle: Double, hyphenates: Bool)] = [
            (largestSize, 12, .infinity, false), (8.5, 12, .infinity, false),
            (smallestSize, 12, .infinity, false), (smallestSize, 8, .infinity, false),
            (smallestSize, 8, shortWord, false), (smallestSize, 5, shortWord, false),
            (smallestSize, 5, shortWord, true), (smallestSize, 4, shortWord, true),
            (smallestSize, 5, 0, true),
        ]

    /// The width of a short word, in times the size of the text: of about six capital letters.
    private static let shortWord = 4.8

    /// The smallest part of the page that a table fills entirely: a narrower one keeps its columns
    /// near one another, for the eye loses the line on the way to a far one.
    private static let fullWidth = 0.6

    /// The most that a narrow table adds to the space between columns, in points.
    private static let largestExtra = 14.0

    /// Fits columns into a width, in points.
    ///
    /// Columns are measured at `largestSize`, and `padding` is what each needs beside its text.
    /// Columns that wrap give way first, then the size of the text, then the words of titles, then
    /// all other columns. If even words are too wide, they are broken.
    ///
    /// - Parameters:
    ///   - columns: The widths that their texts need.
    ///   - width: The width of the page.
    ///   - padding: The space that follows the text of each column.
    ///   - largest: The size that is tried first; no text is larger.
    package init(
        _ columns: [ColumnMeasure],
        width: Double,
        padding: Double,
        largest: Double = largestSize
    ) {
        let room = width - padding * Double(columns.count)
        let natural = columns.map { $0.natural(scale: largest / Self.largestSize) }
        if natural.reduce(0, +) <= room {
            self.init(largest, natural, room: room, padding: padding)
            return
        }
        for step in Self.steps where step.size <= largest {
            let ranges = columns.map {
                $0.range(
                    size: step.size,
                    measured: Self.largestSize,
                    readable: step.readable,
                    keptTitle: step.keptTitle,
                    hyphenates: step.hyphenates
                )
            }
            guard let shared = ColumnWidths.share(room, among: ranges) else { continue }
            self.init(step.size, shared, room: room, padding: padding)
            return
        }
        let scale = Self.smallestSize / Self.largestSize
        let ranges = columns.map { $0.brokenRange(scale: scale) }
        let shared =
            ColumnWidths.share(room, among: ranges)
            ?? ColumnWidths.squeeze(ranges.map(\.lowerBound), into: room)
        self.init(Self.smallestSize, shared, room: room, padding: padding)
    }

    private init(_ size: Double, _ texts: [Double], room: Double, padding: Double) {
        self.size = size
        self.texts = texts
        let used = texts.reduce(0, +)
        let last = texts.count - 1
        // It goes between columns, for figures at the right of one would touch words of the next.
        let share = (room - used) / Double(max(1, last))
        let extra = used >= Self.fullWidth * room ? share : min(share, Self.largestExtra)
        widths = texts.enumerated().map { $1 + padding + ($0 < last ? extra : 0) }
    }
}
