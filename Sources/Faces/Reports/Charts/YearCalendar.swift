import Geodesy
import Papers
import Projections
package import Tables
package import TotalsProjection
import TripEvents

/// A year with a field for each day, which is darker the greater the day's distance.
///
/// Weeks are columns, from Monday to Sunday. The shades end at round numbers near the quarters of
/// the days on which something was driven, so that one long journey does not make all others pale.
package struct YearCalendar {
    private struct Day {
        let date: CivilDate
        let hundredths: Int64

        /// The column, and the row.
        let week: Int
        let weekday: Int

        /// 0 for nothing, 1 … 4.
        let shade: Int
    }

    private let year: Int
    private let style: TextStyle
    private let days: [Day]
    private let total: Distance

    /// The longest distance of each shade, except the one for no distance, in hundredths: round
    /// numbers, at most four.
    private let limits: [Int64]

    /// Draws a year.
    ///
    /// - Parameters:
    ///   - year: The year.
    ///   - table: Totals by day.
    ///   - style: How distances are shown, and how wide the screen is.
    package init(_ year: Int, _ table: TotalsTable, _ style: TextStyle) {
        self.year = year
        self.style = style
        var driven: [Int: Int64] = [:]
        var total = Distance.zero
        for group in table.lines {
            guard let date = group.name.flatMap({ CivilDate($0) }), date.year == year else {
                continue
            }
            total += group.sums.distance
            driven[date.daysSince1970] = DistanceText.scaled(
                group.sums.distance,
                in: style.unit,
                decimals: 2
            )
        }
        self.total = total
        let limits = Self.roundLimits(of: driven.values.filter { $0 > 0 }.sorted())
        self.limits = limits
        let first = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
        let next = CivilDate(year: year + 1, month: 1, day: 1)?.daysSince1970 ?? first
        let offset = CivilDate(daysSince1970: first).weekday.daysAfterMonday
        days = (first..<next)
            .map { number in
                let date = CivilDate(daysSince1970: number)
                let hundredths = driven[number] ?? 0
                let limit = limits.firstIndex { hundredths <= $0 } ?? limits.count - 1
                let shade = hundredths == 0 ? 0 : Self.shade(ofLimit: limit, among: limits.count)
                return Day(
                    date: date,
                    hundredths: hundredths,
                    week: (number - first + offset) / 7,
                    weekday: date.weekday.daysAfterMonday,
                    shade: shade
                )
            }
    }

    /// The steps of each power of ten that are round numbers.
    private static let roundSteps: [Int64] = [1, 2, 3, 5]

    /// Returns the round numbers at which shades end: the quarters, each raised to a round number
    /// above the one before; equal ones are merged.
    private static func roundLimits(of sorted: [Int64]) -> [Int64] {
        var limits: [Int64] = []
        for quarter in 1...4 where !sorted.isEmpty {
            let limit = round(sorted[max(0, sorted.count * quarter / 4 - 1)])
            if limit > limits.last ?? 0 { limits.append(limit) }
        }
        return limits
    }

    /// Returns the smallest round number that is not less.
    private static func round(_ hundredths: Int64) -> Int64 {
        var power: Int64 = 1
        while hundredths > 10 * power, power < .max / 100 { power *= 10 }
        return roundSteps.map { $0 * power }.first { $0 >= hundredths } ?? 10 * power
    }

    /// Returns the shade of days up to a limit; the last limit has the darkest shade.
    private static func shade(ofLimit index: Int, among count: Int) -> Int {
        SVGDrawing.shades.count - count + index
    }

    private var weekCount: Int { (days.last?.week ?? 0) + 1 }

    /// A sentence with the sum of the year.
    private var sentence: String {
        let driven = days.filter { $0.hundredths > 0 }
        guard let most = driven.max(by: { $0.hundredths < $1.hundredths }) else {
            return style.words.text(ChartPhrases.nothing(in: year))
        }
        return style.words.text(
            ChartPhrases.year(
                year,
                total,
                style.unit,
                days: driven.count,
                most: (most.date, most.hundredths)
            )
        )
    }

    /// The label of each limit, such as `to 20 km`, with its shade; the shade for no distance comes
    /// first.
    private var legendEntries: [(shade: Int, words: String)] {
        let entries = limits.enumerated()
            .map { index, limit in
                let isWhole = limit % 100 == 0
                let number = style.words.number(
                    isWhole ? limit / 100 : limit,
                    decimals: isWhole ? 0 : 2
                )
                return (
                    Self.shade(ofLimit: index, among: limits.count),
                    style.words.text(ChartPhrases.upTo(number, style.unit))
                )
            }
        return [(0, style.words.text(ChartPhrases.none))] + entries
    }
}

// MARK: - In characters

extension YearCalendar {
    private static let shades: [Character] = ["·", "░", "▒", "▓", "█"]
    private static let marginWidth = 4

    /// Returns the year in lines, in one piece or, where the screen is too narrow, in two.
    package var text: String {
        let width = (style.width ?? 80) - Self.marginWidth
        let size = width >= 2 * weekCount ? 2 : 1
        let half = (weekCount + 1) / 2
        let pieces = width >= weekCount ? [0..<weekCount] : [0..<half, half..<weekCount]
        return pieces.map { piece($0, size) }.joined(separator: "\n")
            + "\n\(sentence)\n\(legend)"
    }

    /// Returns some weeks, each of so many characters.
    private func piece(_ weeks: Range<Int>, _ size: Int) -> String {
        var heading = ""
        for day in days where day.date.day == 1 && weeks.contains(day.week) {
            let column = (day.week - weeks.lowerBound) * size
            // A month that begins in the last week has no room for its name.
            guard column + 3 <= weeks.count * size else { continue }
            heading += String(repeating: " ", count: column - heading.count)
            heading += ChartPhrases.month(day.date.month, style.words)
        }
        let margin = String(repeating: " ", count: Self.marginWidth)
        let rows = (0..<7)
            .map { weekday in
                let name = ChartPhrases.weekday(weekday, style.words)
                let space = String(repeating: " ", count: Self.marginWidth - name.count)
                var fields = [Character](repeating: " ", count: weeks.count * size)
                for day in days where day.weekday == weekday && weeks.contains(day.week) {
                    let start = (day.week - weeks.lowerBound) * size
                    for index in start..<start + size { fields[index] = Self.shades[day.shade] }
                }
                while fields.last == " " { fields.removeLast() }
                return "\(name)\(space)\(String(fields))\n"
            }
        return "\(margin)\(heading)\n\(rows.joined())"
    }

    private var legend: String {
        guard !limits.isEmpty else { return "" }
        return legendEntries.map { "\(Self.shades[$0.shade]) \($0.words)" }
            .joined(separator: ", ") + ".\n"
    }
}

// MARK: - As a picture

extension YearCalendar {
    private static let side = 13
    private static let step = 16
    private static let origin = (x: 36, y: 44)
    private static let legendTop = origin.y + 7 * step + 12

    /// The least space between a label and the next square.
    private static let legendGap = 8

    /// How far apart the entries of the legend are at least.
    private static let leastLegendStep = 110

    /// How far a label stands from the left edge of its square.
    private static let labelStep = step + 4

    /// How far apart the entries of the legend are: the longest label ends before the next square,
    /// also in fonts that are wider than the estimate.
    private var legendStep: Int {
        let widest = legendEntries.map { TextWidth.estimate($0.words) }.max() ?? 0
        let label = Int((1.15 * widest * SVGDrawing.letterSize).rounded(.up))
        return max(Self.leastLegendStep, Self.labelStep + label + Self.legendGap)
    }

    /// Appends a picture with a square for each day.
    package func appendSVG(to bytes: inout [UInt8]) {
        let drawing = SVGDrawing(
            width: Self.origin.x + weekCount * Self.step,
            height: Self.legendTop + Self.side
        )
        drawing.begin(sentence, to: &bytes)
        drawing.append(sentence, x: 0, y: 14, isBold: true, to: &bytes)
        for row in stride(from: 0, to: 7, by: 2) {
            let name = ChartPhrases.weekday(row, style.words)
            drawing.append(name, x: 0, y: Self.origin.y + row * Self.step + 11, to: &bytes)
        }
        for day in days {
            let x = Self.origin.x + day.week * Self.step
            if day.date.day == 1 {
                let name = ChartPhrases.month(day.date.month, style.words)
                drawing.append(name, x: x, y: Self.origin.y - 6, to: &bytes)
            }
            drawing.append(
                SVGDrawing.Box(
                    x: x,
                    y: Self.origin.y + day.weekday * Self.step,
                    width: Self.side,
                    height: Self.side
                ),
                style.words.text(ChartPhrases.day(day.date, day.hundredths, style.unit)),
                fill: SVGDrawing.shades[day.shade],
                to: &bytes
            )
        }
        let legendStep = legendStep
        for (index, entry) in legendEntries.enumerated() where !limits.isEmpty {
            let x = Self.origin.x + index * legendStep
            drawing.append(
                SVGDrawing.Box(x: x, y: Self.legendTop, width: Self.side, height: Self.side),
                entry.words,
                fill: SVGDrawing.shades[entry.shade],
                to: &bytes
            )
            let labelX = x + Self.labelStep
            drawing.append(entry.words, x: labelX, y: Self.legendTop + 11, to: &bytes)
        }
        drawing.end(to: &bytes)
    }
}
