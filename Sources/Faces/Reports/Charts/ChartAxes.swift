import Papers
import Tables
import TripEvents

/// The background of a chart: lines of equal values with their labels, and a legend of the colours.
struct ChartAxes {
    /// A name in the legend, and how its lines or areas look.
    struct Series {
        let name: String
        let ink: Ink

        /// How long the dashes of its line are; `nil` for a line without any.
        var dash: Double?
    }

    /// How large a chart is, in pixels.
    private static let width = 640.0
    private static let height = 250.0

    private static let textSize = 10.5
    private static let spaces = 4

    /// The left and right edges of the values and of the legend.
    private static let left = 56.0
    private static let right = width - 16

    /// How far the first line of the legend is below the upper edge, and the next one below it.
    private static let legendTop = 12.0
    private static let legendLine = 16.0

    /// The rectangle of the values.
    let box: Box

    /// The value at its upper edge, which is above 0.
    let top: Double

    /// The value of each line, the lowest first.
    private let values: [Double]

    /// The names of the legend, each with the place where it begins.
    private let legend: [(series: Series, at: Point)]

    /// Creates axes for values from 0 on, below a legend of as many lines as it needs.
    init(upTo most: Double, _ series: [Series]) {
        legend = Self.placed(series)
        let rest = (legend.last?.at.y ?? Self.legendTop) - Self.legendTop
        box = Box(
            x: Self.left,
            y: 34 + rest,
            width: Self.right - Self.left,
            height: Self.height - 78 - rest
        )
        let step = Self.roundStep(max(most, 0.1) / Double(Self.spaces))
        let count = max(1, Int((most / step).rounded(.up)))
        values = (0...count).map { Double($0) * step }
        top = Double(count) * step
    }

    /// Returns where each name of the legend begins: on a new line if it has no room.
    private static func placed(_ series: [Series]) -> [(series: Series, at: Point)] {
        var at = Point(left, legendTop)
        var placed: [(series: Series, at: Point)] = []
        for series in series {
            let width = 40 + TextWidth.estimate(series.name) * textSize
            // The last name of a line needs no space after it.
            if at.x > left, at.x + width - 16 > right {
                at = Point(left, at.y + legendLine)
            }
            placed.append((series, at))
            at = Point(at.x + width, at.y)
        }
        return placed
    }

    /// Returns a chart of everything that is drawn.
    static func page(_ items: [Item]) -> Page {
        Page(width: width, height: height, layers: [Layer(.fixed, items)])
    }

    /// Returns how high a value stands.
    func y(_ value: Double) -> Double { box.bottom - box.height * value / top }

    /// Returns the lines with their values, the unit and the legend.
    func items(_ style: TextStyle) -> [Item] {
        let lines = values.map { [Point(box.origin.x, y($0)), Point(box.right, y($0))] }
        var items: [Item] = [.path(Path(lines, stroke: .grid, width: 0.8))]
        for value in values {
            let at = Point(box.origin.x - 6, y(value))
            items.append(label(Self.number(value, style.words), at, dy: 4, .end, .faint))
        }
        let name = style.unit.rawValue
        items.append(label(name, Point(box.origin.x - 6, 16), dy: 0, .end, .faint))
        for (series, at) in legend {
            let sample = [at, Point(at.x + 18, at.y)]
            items.append(
                .path(Path([sample], stroke: series.ink, width: 4, dash: series.dash))
            )
            items.append(label(series.name, Point(at.x + 24, at.y + 4), dy: 0, .start, .text))
        }
        return items
    }

    /// Returns a mark below the chart with its words.
    func tick(_ text: String, at x: Double, row: Int = 0) -> [Item] {
        let mark = [Point(x, box.bottom), Point(x, box.bottom + 4)]
        // At the right edge it would reach beyond the chart.
        let anchor: Label.Anchor = x > box.right - 1 ? .end : .middle
        return [
            .path(Path([mark], stroke: .faint, width: 0.8)),
            label(text, Point(x, box.bottom), dy: 16 + 13 * Double(row), anchor, .faint),
        ]
    }

    /// Returns words beside a point.
    func label(
        _ text: String,
        _ at: Point,
        dy: Double,
        _ anchor: Label.Anchor,
        _ ink: Ink
    ) -> Item {
        .label(
            Label(text, at: at, offset: Point(0, dy), size: Self.textSize, anchor: anchor, ink)
        )
    }

    /// Returns the next round number that is not less: 1, 2 or 5 times a power of ten.
    private static func roundStep(_ step: Double) -> Double {
        var power = 1e-3
        while power * 10 <= step { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= step } ?? 10 * power
    }

    /// Returns a number with as many decimals as it has, and the mark of a language before them.
    private static func number(_ value: Double, _ words: Words) -> String {
        var (scaled, decimals) = (Int64((value * 1_000).rounded()), 3)
        while decimals > 0, scaled % 10 == 0 { (scaled, decimals) = (scaled / 10, decimals - 1) }
        return words.number(scaled, decimals: decimals)
    }
}

/// Columns of parts that stand on one another, side by side.
struct StackedBars {
    /// A column.
    struct Column {
        /// The name below it.
        let name: String

        /// The name of its group below that, if there is one.
        let group: String?

        /// One for each series.
        let parts: [Double]
    }

    private static let mostNames = 24

    let series: [ChartAxes.Series]
    let columns: [Column]

    /// Draws it.
    func picture(_ style: TextStyle) -> Page {
        let axes = ChartAxes(upTo: columns.map { $0.parts.reduce(0, +) }.max() ?? 0, series)
        var items = axes.items(style)
        let step = axes.box.width / Double(max(1, columns.count))
        let width = min(34, step * 0.72)
        let interval = (columns.count + Self.mostNames - 1) / Self.mostNames
        for (index, column) in columns.enumerated() {
            let middle = axes.box.origin.x + (Double(index) + 0.5) * step
            var below = 0.0
            for (series, part) in zip(series, column.parts) where part > 0 {
                let (bottom, top) = (axes.y(below), axes.y(below + part))
                let bar = Box(
                    x: middle - width / 2,
                    y: top,
                    width: width,
                    height: bottom - top
                )
                items.append(.path(Path([bar.outline], fill: series.ink)))
                below += part
            }
            if index % interval == 0 { items += axes.tick(column.name, at: middle) }
            if let group = column.group { items += axes.tick(group, at: middle, row: 1).suffix(1) }
        }
        return ChartAxes.page(items)
    }
}

/// Lines that rise from left to right.
struct LineChart {
    /// A line, and its points: how far to the right, 0 … 1, and their values.
    struct Line {
        let series: ChartAxes.Series
        let points: [(x: Double, value: Double)]
    }

    let lines: [Line]

    /// The labels below it, each with its distance from the left.
    let ticks: [(x: Double, name: String)]

    /// A value that matters, with its name; `nil` without one.
    var limit: (value: Double, name: String)?

    /// Draws it.
    func picture(_ style: TextStyle) -> Page {
        let values = lines.flatMap { $0.points.map(\.value) } + (limit.map { [$0.value] } ?? [])
        let axes = ChartAxes(upTo: values.max() ?? 0, lines.map(\.series))
        var items = axes.items(style)
        func x(_ share: Double) -> Double { axes.box.origin.x + axes.box.width * share }
        if let limit {
            let y = axes.y(limit.value)
            let line = [Point(axes.box.origin.x, y), Point(axes.box.right, y)]
            items.append(.path(Path([line], stroke: .end, width: 1.2, dash: 5)))
            items.append(axes.label(limit.name, Point(axes.box.right, y), dy: -4, .end, .end))
        }
        for line in lines {
            let points = line.points.map { Point(x($0.x), axes.y(max(0, $0.value))) }
            items.append(
                .path(
                    Path(
                        [points],
                        stroke: line.series.ink,
                        width: 1.8,
                        dash: line.series.dash
                    )
                )
            )
        }
        for tick in ticks { items += axes.tick(tick.name, at: x(tick.x)) }
        return ChartAxes.page(items)
    }
}
