import DriveSimulation
import Papers
import TestSupport
import Testing

@Suite struct TableFitTests {
    private let padding = 8.0

    private static func columns(_ random: inout SplitMix64) -> [ColumnMeasure] {
        (0..<Int.random(in: 1...16, using: &random))
            .map { _ in
                var column = ColumnMeasure(wraps: Bool.random(using: &random))
                column.title = Double.random(in: 0...90, using: &random)
                column.titleWord = column.title * Double.random(in: 0.4...1, using: &random)
                column.titlePart = column.titleWord * Double.random(in: 0.3...1, using: &random)
                column.cell = Double.random(in: 0...(column.wraps ? 500 : 90), using: &random)
                column.cellWord = column.cell * Double.random(in: 0.1...1, using: &random)
                return column
            }
    }

    @Test(arguments: Seeds.fresh(400))
    func `columns fill the page exactly where they need it, and never go beyond`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let columns = Self.columns(&random)
        let width = Double.random(in: 200...800, using: &random)
        let fit = TableFit(columns, width: width, padding: padding)
        let sum = fit.widths.reduce(0, +)
        #expect(fit.widths.count == columns.count)
        let least = padding * TableFit.tightGap - 1e-9
        #expect(zip(fit.widths, fit.texts).allSatisfy { $0 >= $1 + least && $1 >= 0 })
        #expect(sum <= width + 1e-6)
        let natural = columns.reduce(0) { $0 + max($1.cell, $1.title) + padding }
        if natural >= width { #expect(abs(sum - width) < 1e-6, "seed \(seed)") }
        #expect((TableFit.smallestSize...TableFit.largestSize).contains(fit.size))
    }

    @Test(arguments: Seeds.fresh(400))
    func `text is no larger than is asked, and as large as that if there is room`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let columns = Self.columns(&random)
        let width = Double.random(in: 200...800, using: &random)
        let free = TableFit(columns, width: width, padding: padding)
        for largest in [TableFit.smallestSize, 8.5, TableFit.largestSize] {
            let fit = TableFit(columns, width: width, padding: padding, largest: largest)
            #expect(fit.size == min(free.size, largest), "seed \(seed)")
            #expect(fit.widths.reduce(0, +) <= width + 1e-6, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(400))
    func `a column that does not wrap keeps its width until the text is smallest`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let columns = Self.columns(&random)
        let width = Double.random(in: 200...800, using: &random)
        let fit = TableFit(columns, width: width, padding: padding)
        let scale = fit.size / TableFit.largestSize
        for (column, text) in zip(columns, fit.texts)
        where !column.wraps && fit.size > TableFit.smallestSize {
            #expect(text >= max(column.cell, column.titleWord) * scale - 1e-6)
        }
    }

    @Test(arguments: Seeds.fresh(400))
    func `a wider page never has smaller text`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let columns = Self.columns(&random)
        let sizes = stride(from: 200.0, through: 1_600, by: 100)
            .map {
                TableFit(columns, width: $0, padding: padding).size
            }
        #expect(sizes == sizes.sorted())
    }

    @Test(arguments: Seeds.fresh(400))
    func `a date or figure is broken only if the page does not hold it`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let columns = Self.columns(&random)
        let width = Double.random(in: 200...800, using: &random)
        let fit = TableFit(columns, width: width, padding: padding)
        let scale = fit.size / TableFit.largestSize
        // A few letters of texts and titles stay beside dates and figures.
        let letters = 2 * TableFit.smallestSize
        let least = columns.reduce(0) { sum, column in
            let word = column.cellWord * TableFit.smallestSize / TableFit.largestSize
            return sum + (column.wraps ? letters : max(word, letters))
                + padding * TableFit.tightGap
        }
        guard least <= width else { return }
        for (column, text) in zip(columns, fit.texts) where !column.wraps {
            #expect(text >= column.cellWord * scale - 1e-6, "seed \(seed)")
        }
    }

    @Test func `of columns that wrap, the widest shrink to the same width`() throws {
        let shared = try #require(ColumnWidths.share(100, among: [5...10, 0...80, 0...300]))
        for (width, expected) in zip(shared, [10.0, 45, 45]) {
            #expect(abs(width - expected) < 1e-9)
        }
    }

    @Test func `no row is printed smaller than 8 points, however many columns there are`() {
        var column = ColumnMeasure(wraps: true)
        (column.cell, column.cellWord, column.title, column.titleWord) = (300, 60, 60, 60)
        for count in [1, 8, 20, 40] {
            let fit = TableFit(
                Array(repeating: column, count: count),
                width: 760,
                padding: padding
            )
            #expect(fit.size >= 8, "\(count) columns")
        }
    }

    @Test func `a short table stays together instead of filling the page`() {
        var column = ColumnMeasure(wraps: false)
        column.cell = 50
        let fit = TableFit([column, column], width: 500, padding: padding)
        #expect(fit.widths.reduce(0, +) < 200)
    }

    @Test func `long words of titles are broken before dates are`() {
        var date = ColumnMeasure(wraps: false)
        (date.cell, date.cellWord, date.title, date.titleWord) = (45, 45, 90, 90)
        let fit = TableFit(Array(repeating: date, count: 10), width: 500, padding: padding)
        let scale = TableFit.smallestSize / TableFit.largestSize
        #expect(fit.size == TableFit.smallestSize)
        for text in fit.texts { #expect(text >= 45 * scale - 1e-9) }
    }

    @Test func `a short title is broken at its hyphens before it is broken anywhere`() {
        var (figure, hyphened) = (ColumnMeasure(wraps: false), ColumnMeasure(wraps: false))
        (figure.cell, figure.cellWord) = (20, 20)
        (figure.title, figure.titleWord, figure.titlePart) = (32, 32, 32)
        hyphened = figure
        (hyphened.title, hyphened.titleWord, hyphened.titlePart) = (60, 60, 30)
        let columns = Array(repeating: figure, count: 5) + Array(repeating: hyphened, count: 5)
        let scale = TableFit.smallestSize / TableFit.largestSize
        // Room for all parts, not for all words.
        let fit = TableFit(columns, width: 311 * scale + 10 * padding, padding: padding)
        #expect(fit.size == TableFit.smallestSize)
        for (column, text) in zip(columns, fit.texts) {
            #expect(text >= column.titlePart * scale - 1e-6)
        }
    }

    @Test func `a time goes below its date before words of titles or texts are broken`() {
        var (time, name) = (ColumnMeasure(wraps: false), ColumnMeasure(wraps: true))
        (time.cell, time.cellWord, time.title, time.titleWord) = (100, 54, 30, 30)
        time.titlePart = 30
        (name.cell, name.cellWord, name.title, name.titleWord) = (300, 60, 72, 72)
        name.titlePart = 72
        let columns = [time] + Array(repeating: name, count: 6)
        let fit = TableFit(columns, width: 500, padding: padding)
        let scale = TableFit.smallestSize / TableFit.largestSize
        #expect(fit.texts[0] >= 54 * scale - 1e-6)
        #expect(fit.texts[0] < 100 * scale)
        for text in fit.texts.dropFirst() { #expect(text >= 72 * scale - 1e-6) }
    }

    @Test func `a time below its date leaves its room to columns of words`() {
        var moment = ColumnMeasure(wraps: false)
        (moment.cell, moment.cellWord, moment.title, moment.titleWord) = (90, 54, 27, 27)
        moment.titlePart = 27
        var words = ColumnMeasure(wraps: true)
        (words.cell, words.cellWord, words.title, words.titleWord) = (400, 45, 27, 27)
        words.titlePart = 27
        let columns = [moment, words, words, words, words]
        let fit = TableFit(columns, width: 360, padding: padding)
        let scale = TableFit.smallestSize / TableFit.largestSize
        #expect(abs(fit.texts[0] - 54 * scale) < 1e-6)
        #expect(fit.texts.dropFirst().allSatisfy { $0 > fit.texts[0] })
        // Where the words have all the room that they need, the date and its time have a line.
        words.cell = 46
        let short = TableFit([moment, words, words], width: 160, padding: padding)
        #expect(short.texts[0] > 54 * scale)
    }

    @Test func `long words of columns that wrap are broken before dates and figures are`() {
        var (name, figure) = (ColumnMeasure(wraps: true), ColumnMeasure(wraps: false))
        (name.cell, name.cellWord, name.title, name.titleWord) = (200, 80, 20, 20)
        (figure.cell, figure.cellWord, figure.title, figure.titleWord) = (54, 54, 20, 20)
        let columns = Array(repeating: name, count: 6) + Array(repeating: figure, count: 6)
        let scale = TableFit.smallestSize / TableFit.largestSize
        let fit = TableFit(columns, width: 660, padding: padding)
        for (column, text) in zip(columns, fit.texts) {
            #expect(text >= (column.wraps ? 38 : 54 * scale) - 1e-6)
        }
        #expect(fit.widths.reduce(0, +) <= 660 + 1e-6)
    }

    @Test func `words that no page holds are broken, in proportion`() {
        var (wide, wider) = (ColumnMeasure(wraps: false), ColumnMeasure(wraps: false))
        (wide.cell, wide.cellWord) = (1_000, 1_000)
        (wider.cell, wider.cellWord) = (3_000, 3_000)
        let fit = TableFit([wide, wider], width: 416, padding: padding)
        #expect(fit.size == TableFit.smallestSize)
        for (width, expected) in zip(fit.widths, [108.0, 308]) {
            #expect(abs(width - expected) < 1e-9)
        }
    }
}
