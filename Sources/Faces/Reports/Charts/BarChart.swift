import Geodesy
import Projections
package import Tables
package import TotalsProjection
import TripEvents

/// Distances as bars beside one another.
package struct BarChart {
    /// A bar with its name and its length.
    private struct Bar {
        let label: String
        let hundredths: Int64
    }

    private let bars: [Bar]
    private let grouping: TotalsGrouping
    private let exactTotal: Distance

    /// The longest bar, in hundredths; at least one, because bars are shares of it.
    private let longest: Int64
    private let style: TextStyle

    /// Whether there is nothing to draw.
    package var isEmpty: Bool { bars.isEmpty }

    /// Draws the groups of a table; days, weeks, months and years without trips stand between them.
    package init(_ table: TotalsTable, _ style: TextStyle) {
        self.style = style
        grouping = table.grouping
        exactTotal = table.total.distance
        bars = table.linesWithEmptyTimes.map { group in
            Bar(
                label: Self.label(of: group.name, table.grouping, style),
                hundredths: DistanceText.scaled(
                    group.sums.distance,
                    in: style.unit,
                    decimals: Self.decimals
                )
            )
        }
        longest = max(1, bars.map(\.hundredths).max() ?? 1)
    }

    private static func label(
        of name: String?,
        _ grouping: TotalsGrouping,
        _ style: TextStyle
    ) -> String {
        guard let name else { return style.words.text(ChartPhrases.unnamed) }
        if grouping == .tripClass, let tripClass = TripClass(rawValue: name) {
            return style.words.text(tripClass.phrase)
        }
        return Cell.text(name).text(in: style)
    }

    /// The title of the bars, above their labels.
    private var title: String { style.words.text(ChartPhrases.name(of: grouping)) }

    /// The same number of decimals as distances have everywhere.
    private static let decimals = 2

    /// The sum of the bars as they are printed.
    private var sum: Int64 { bars.reduce(0) { $0 + $1.hundredths } }

    private var total: String { number(sum) }

    /// A line that says so if that sum differs from the exact one; else empty.
    package var remark: String {
        PrintedSums.phrase(on: exactTotal, printedAs: sum, style)
            .map { style.words.text($0) + "\n" } ?? ""
    }

    private func number(_ hundredths: Int64) -> String {
        style.words.number(hundredths, decimals: Self.decimals)
    }
}

// MARK: - In characters

extension BarChart {
    /// The width if the output is not a screen.
    private static let defaultWidth = 80

    /// The least length of bars if the screen is too narrow.
    private static let leastBarWidth = 8

    private static let gap = "  "

    /// Eighths of a character.
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Returns a line for each bar, and their total.
    package var text: String {
        let sum = style.words.text(Phrase.total)
        let labels = ([title.uppercased(), sum] + bars.map(\.label)).map(\.count)
        let numbers = ([total, style.unit.rawValue] + bars.map { number($0.hundredths) })
            .map(\.count)
        let widths = (label: labels.max() ?? 0, number: numbers.max() ?? 0)
        func line(_ label: String, _ number: String, _ bar: String) -> String {
            let space = String(repeating: " ", count: widths.label - label.count)
            let indent = String(repeating: " ", count: widths.number - number.count)
            let end = bar.isEmpty ? "" : Self.gap + bar
            return label + space + Self.gap + indent + number + end + "\n"
        }
        let used = widths.label + widths.number + 2 * Self.gap.count
        let width = max(Self.leastBarWidth, (style.width ?? Self.defaultWidth) - used)
        return line(title.uppercased(), style.unit.rawValue, "")
            + bars.map { bar in
                line(bar.label, number(bar.hundredths), drawn(bar, in: width))
            }
            .joined() + line(sum, total, "")
    }

    /// Returns a bar in eighths of characters; any distance above zero is visible.
    private func drawn(_ bar: Bar, in width: Int) -> String {
        let whole = Int64(8 * width)
        let rounded = Int((2 * bar.hundredths * whole + longest) / (2 * longest))
        let eighths = bar.hundredths > 0 ? max(1, rounded) : 0
        return String(repeating: "█", count: eighths / 8) + Self.eighths[eighths % 8]
    }
}

// MARK: - As a picture

extension BarChart {
    private static let rowHeight = 22
    private static let barHeight = 14
    private static let barWidth = 480

    /// About the width of a character of the text beside a bar.
    private static let characterWidth = 8

    /// Appends a picture with a row for each bar.
    package func appendSVG(to bytes: inout [UInt8]) {
        let labelWidth = Self.characterWidth * (bars.map(\.label.count).max() ?? 0) + 8
        let height = Self.rowHeight * (bars.count + 1)
        let drawing = SVGDrawing(width: labelWidth + Self.barWidth + 120, height: height)
        let heading = style.words.text(
            ChartPhrases.heading(sum, style.unit, ChartPhrases.name(of: grouping))
        )
        drawing.begin(heading, to: &bytes)
        drawing.append(heading, x: 0, y: 14, isBold: true, to: &bytes)
        for (row, bar) in bars.enumerated() {
            let top = Self.rowHeight * (row + 1)
            let baseline = top + Self.barHeight - 3
            let width = Int(Int64(Self.barWidth) * bar.hundredths / longest)
            let number = "\(number(bar.hundredths)) \(style.unit.rawValue)"
            drawing.append(bar.label, x: 0, y: baseline, to: &bytes)
            drawing.append(
                SVGDrawing.Box(x: labelWidth, y: top, width: width, height: Self.barHeight),
                "\(bar.label): \(number)",
                fill: SVGDrawing.shades[SVGDrawing.shades.count - 1],
                to: &bytes
            )
            drawing.append(number, x: labelWidth + width + 6, y: baseline, to: &bytes)
        }
        drawing.end(to: &bytes)
    }
}
