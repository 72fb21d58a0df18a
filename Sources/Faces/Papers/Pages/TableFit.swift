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

    /// The smallest size; people do not read smaller print.
    package static let smallestSize = 8.0

    /// One attempt to fit a table: how far its text shrinks, its columns narrow and its titles
    /// break.
    private struct Step {
        /// The size of the text in points.
        let size: Double

        /// The width that columns that wrap keep, in times the size.
        let readable: Double

        /// The length from which words of titles are broken, in times the size.
        var keptTitle = Double.infinity

        /// Whether shorter words of titles are broken at their hyphens too.
        var hyphenates = false

        /// Whether lines of other columns, such as a date and a time, may end at spaces.
        var splits = false

        /// The part of the space between columns that stays.
        var gap = 1.0
    }

    /// The steps, of which the first that fits is taken.
    ///
    /// Lines of a few words in smaller print are easier to read than single words below one
    /// another, and rows take fewer pages; the same holds for less space between columns. A broken
    /// word in a title is read once, a broken date in every row. A short word is broken last, and
    /// only at its hyphens if that is possible.
    private static let steps = [
        Step(size: largestSize, readable: 12), Step(size: 8.5, readable: 12),
        Step(size: smallestSize, readable: 12), Step(size: smallestSize, readable: 8),
        Step(size: smallestSize, readable: 8, hyphenates: true, splits: true, gap: tightGap),
        Step(size: smallestSize, readable: 5, hyphenates: true, splits: true, gap: tightGap),
        Step(size: smallestSize, readable: 5, keptTitle: shortWord, hyphenates: true),
        Step(size: smallestSize, readable: 4, keptTitle: shortWord, hyphenates: true),
        Step(size: smallestSize, readable: 5, keptTitle: 0, hyphenates: true),
    ]

    /// The width of a short word, in times the size of the text: of about six capital letters.
    private static let shortWord = 4.8

    /// The lengths from which words of texts are broken if nothing else fits, in times the size:
    /// the first that fits, to break few words.
    private static let keptWords = [.infinity, 9, 8, 7, 6.5, 6, 5.5, shortWord]

    /// The width of a few letters, in times the size of the text: narrower columns are not read.
    private static let fewLetters = 2.0

    /// The lengths from which words of titles and of texts are broken, in times the size.
    ///
    /// The first that fits is taken. If even titles broken at their hyphens are too wide, they are
    /// broken anywhere before texts are. Dates and figures are whole with all of them.
    private static let kept: [(title: Double, word: Double)] =
        keptWords.map { (.infinity, $0) }
        + keptWords.flatMap { word in [(shortWord, word), (fewLetters, word)] }
        + [4, 3, fewLetters].map { (fewLetters, $0) }

    /// The part of the space between columns that stays if nothing else can give way.
    package static let tightGap = 0.625

    /// The smallest part of the page that a table fills entirely: a narrower one keeps its columns
    /// near one another, because the eye loses the line on the way to a distant column.
    private static let fullWidth = 0.6

    /// The most that a narrow table adds to the space between columns, in points.
    private static let largestExtra = 14.0

    /// Fits columns into a width, in points.
    ///
    /// Columns are measured at `largestSize`, and `padding` is what each needs beside its text.
    /// Columns that wrap give way first, then the size of the text, then the words of titles, then
    /// the space between columns and all other columns. If even words are too wide, they are
    /// broken: those of columns that wrap first.
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
                    hyphenates: step.hyphenates,
                    splits: step.splits
                )
            }
            let gap = padding * step.gap
            let room = width - gap * Double(columns.count)
            // A time below its date leaves room for words, of which every row has some.
            let narrowed = zip(columns, ranges)
                .map { column, range in
                    guard step.splits, column.splits else { return range }
                    let title = column.titleWord * step.size / Self.largestSize
                    let width = max(range.lowerBound, min(title, range.upperBound))
                    return width...width
                }
            let isFilled = narrowed.reduce(0) { $0 + $1.upperBound } >= room
            let narrow = isFilled ? ColumnWidths.share(room, among: narrowed) : nil
            guard let shared = narrow ?? ColumnWidths.share(room, among: ranges) else { continue }
            self.init(step.size, shared, room: room, padding: gap)
            return
        }
        self.init(tight: columns, width: width, padding: padding)
    }

    /// Fits columns if even cells of columns that do not wrap must be broken at spaces: it puts
    /// columns nearer to one another, and breaks words of texts and titles before dates and
    /// figures, which are broken only if the page does not hold them.
    private init(tight columns: [ColumnMeasure], width: Double, padding: Double) {
        let size = Self.smallestSize
        let scale = size / Self.largestSize
        let tight = padding * Self.tightGap
        let room = width - tight * Double(columns.count)
        for kept in Self.kept {
            let ranges = columns.map {
                $0.brokenRange(
                    scale: scale,
                    keptTitle: kept.title * size,
                    keptWord: kept.word * size
                )
            }
            guard let shared = ColumnWidths.share(room, among: ranges) else { continue }
            self.init(size, shared, room: room, padding: tight)
            return
        }
        let wide = width - padding * Double(columns.count)
        let words = columns.map { column in
            let word = column.cellWord * scale
            return column.wraps ? min(word, Self.shortWord * size) : word
        }
        self.init(size, ColumnWidths.squeeze(words, into: wide), room: wide, padding: padding)
    }

    private init(_ size: Double, _ texts: [Double], room: Double, padding: Double) {
        self.size = size
        self.texts = texts
        let used = texts.reduce(0, +)
        let last = texts.count - 1
        // The extra room goes between columns, because figures at the right of one would touch
        // words of the next.
        let share = (room - used) / Double(max(1, last))
        let extra = used >= Self.fullWidth * room ? share : min(share, Self.largestExtra)
        widths = texts.enumerated().map { $1 + padding + ($0 < last ? extra : 0) }
    }
}
