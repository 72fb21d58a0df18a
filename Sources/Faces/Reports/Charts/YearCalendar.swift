import Geodesy
import Projections
package import Tables
package import TotalsProjection
import TripEvents

/// A year with a field for each day, the darker the further was driven.
///
/// Weeks are columns, from Monday to Sunday. The shades are those of quarters of the days on which
/// something was driven, so that one long journey does not make all others pale.
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

    /// The longest distance of each shade but that of nothing, in hundredths.
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
        let sorted = driven.values.filter { $0 > 0 }.sorted()
        let limits =
            sorted.isEmpty
            ? [] : (1...4).map { sorted[max(0, sorted.count * $0 / 4 - 1)] }
        self.limits = limits
        let first = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
        let next = CivilDate(year: year + 1, month: 1, day: 1)?.daysSince1970 ?? first
        let offset = CivilDate(daysSince1970: first).weekday.daysAfterMonday
        days = (first..<next)
            .map { number in
                let date = CivilDate(daysSince1970: number)
                let hundredths = driven[number] ?? 0
                let shade =
                    hundredths == 0
                    ? 0 : 1 + (limits.firstIndex { hundredths <= $0 } ?? limits.count - 1)
                return Day(
                    date: date,
                    hundredths: hundredths,
                    week: (number - first + offset) / 7,
                    weekday: date.weekday.daysAfterMonday,
                    shade: shade
                )
            }
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var weekCount: Int { (days.last?.week ?? 0) + 1 }

    /// A sentence with the sum of the year.
    private var sentence: String {
        let driven = days.filter { $0.hundredths > 0 }
        let unit = style.unit.rawValue
        guard let most = driven.max(by: { $0.hundredths < $1.hundredths }) else {
            return "\(year): nothing was driven."
        }
        return "\(year): \(DistanceText.text(total, in: style.unit)) on \(driven.count) "
            + "day\(driven.count == 1 ? "" : "s"), most on \(most.date): "
            + "\(Self.number(most.hundredths)) \(unit)."
    }

    private static func number(_ hundredths: Int64) -> String {
        FixedPoint.text(hundredths, decimals: 2)
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
            heading += Self.months[day.date.month - 1]
        }
        let margin = String(repeating: " ", count: Self.marginWidth)
        let rows = Self.weekdays.enumerated()
            .map { weekday, name in
                var fields = [Character](repeating: " ", count: weeks.count * size)
                for day in days where day.weekday == weekday && weeks.contains(day.week) {
                    let start = (day.week - weeks.lowerBound) * size
                    for index in start..<start + size { fields[index] = Self.shades[day.shade] }
                }
                while fields.last == " " { fields.removeLast() }
                return "\(name) \(String(fields))\n"
            }
        return "\(margin)\(heading)\n\(rows.joined())"
    }

    private var legend: String {
        guard !limits.isEmpty else { return "" }
        let shades = zip(Self.shades.dropFirst(), limits)
            .map { "\($0) to \(Self.number($1))" }.joined(separator: ", ")
        return "\(Self.shades[0]) none, \(shades) \(style.unit.rawValue).\n"
    }
}

// MARK: - As a picture

extension YearCalendar {
    private static let side = 13
    private static let step = 16
    private static let origin = (x: 36, y: 44)
    private static let legendTop = origin.y + 7 * step + 12
    private static let legendStep = 110

    /// Appends a picture with a square for each day.
    package func appendSVG(to bytes: inout [UInt8]) {
        let drawing = SVGDrawing(
            width: Self.origin.x + weekCount * Self.step,
            height: Self.legendTop + Self.side
        )
        drawing.begin(sentence, to: &bytes)
        drawing.append(sentence, x: 0, y: 14, isBold: true, to: &bytes)
        for (row, name) in Self.weekdays.enumerated() where row % 2 == 0 {
            drawing.append(name, x: 0, y: Self.origin.y + row * Self.step + 11, to: &bytes)
        }
        for day in days {
            let x = Self.origin.x + day.week * Self.step
            if day.date.day == 1 {
                let name = Self.months[day.date.month - 1]
                drawing.append(name, x: x, y: Self.origin.y - 6, to: &bytes)
            }
            drawing.append(
                SVGDrawing.Box(
                    x: x,
                    y: Self.origin.y + day.weekday * Self.step,
                    width: Self.side,
                    height: Self.side
                ),
                "\(day.date): \(Self.number(day.hundredths)) \(style.unit.rawValue)",
                fill: SVGDrawing.shades[day.shade],
                to: &bytes
            )
        }
        for (index, limit) in limits.enumerated() {
            let x = Self.origin.x + index * Self.legendStep
            let words = "to \(Self.number(limit)) \(style.unit.rawValue)"
            drawing.append(
                SVGDrawing.Box(x: x, y: Self.legendTop, width: Self.side, height: Self.side),
                words,
                fill: SVGDrawing.shades[index + 1],
                to: &bytes
            )
            drawing.append(words, x: x + Self.step + 4, y: Self.legendTop + 11, to: &bytes)
        }
        drawing.end(to: &bytes)
    }
}
