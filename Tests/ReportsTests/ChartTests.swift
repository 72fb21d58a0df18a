import DriveSimulation
import Geodesy
import Papers
import Projections
import ProjectorTestSupport
import Reports
import Tables
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking

/// Distances drawn as bars, and a year day by day.
@Suite struct ChartTests {
    /// Totals of trips on some days of 2024, which is a leap year.
    private static func table(
        by grouping: TotalsGrouping,
        seed: UInt64
    ) throws -> (table: TotalsTable, driven: [CivilDate: Int64]) {
        var random = SplitMix64(seed: seed)
        var rows = ViewRows()
        var driven: [CivilDate: Int64] = [:]
        for index in 0..<Int.random(in: 1...60, using: &random) {
            let day =
                try #require(CivilDate(year: 2024, month: 1, day: 1)).daysSince1970
                + Int.random(in: 0..<366, using: &random)
            var trip = SampleTrip.active(
                high: UInt64(index),
                startedAt: Int64(day) * 86_400_000 + 3_600_000
            )
            trip.status = .completed
            // Whole hundredths of kilometres, so that sums are those of what is printed.
            trip.distance = Distance(
                millimeters: Int64.random(in: 0...50_000, using: &random) * 10_000
            )
            let change = BookChange.trip(TripChange(old: nil, new: BookedTrip(trip)))
            try TotalsProjector().evolve(change, in: &rows)
            driven[CivilDate(daysSince1970: day), default: 0] += trip.distance.millimeters / 10_000
        }
        var table = TotalsTable(by: grouping, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
        for row in rows.inOrder.added { table.add(try TotalsRow(decoding: row.value)) }
        return (table, driven)
    }

    private static func svg(_ draw: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        draw(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: Seeds.fresh(20), [20, 40, 80, 200])
    func `a bar is as long as its share of the longest`(seed: UInt64, width: Int) throws {
        let (table, driven) = try Self.table(by: .day, seed: seed)
        let chart = BarChart(table, TextStyle(width: width))
        let lines = chart.text.split(separator: "\n").map { $0.split(separator: " ") }
        let dates = driven.keys.sorted()
        let first = try #require(dates.first)
        let last = try #require(dates.last)
        #expect(lines.count == last.daysSince1970 - first.daysSince1970 + 3, "seed \(seed)")
        #expect(lines.allSatisfy { $0.joined(separator: "  ").count <= max(width, 40) })
        let lengths = lines.dropFirst().dropLast()
            .map { parts in
                (hundredths: driven[CivilDate(String(parts[0])) ?? first] ?? 0, parts: parts)
            }
            .map { ($0.hundredths, Self.eighths(of: $0.parts.count > 2 ? $0.parts[2] : "")) }
        let longest = lengths.map(\.0).max() ?? 0
        let most = lengths.map(\.1).max() ?? 0
        for (hundredths, eighths) in lengths {
            let share = Double(hundredths) / Double(max(1, longest)) * Double(most)
            #expect(abs(share - Double(eighths)) <= 1, "seed \(seed)")
            #expect((hundredths > 0) == (eighths > 0), "seed \(seed)")
        }
        let sum = driven.values.reduce(0, +)
        #expect(lines.last == ["total", "\(sum / 100).\(sum % 100 / 10)\(sum % 10)"])
        #expect(chart.remark.isEmpty)
        #expect(Self.svg(chart.appendSVG).split(separator: "<rect ").count == lines.count)
    }

    @Test func `a year that was mistyped makes one more line and not half a million`() throws {
        var rows = ViewRows()
        for (index, year) in [26, 2_024].enumerated() {
            let day = try #require(CivilDate(year: year, month: 3, day: 1)).daysSince1970
            var trip = SampleTrip.active(
                high: UInt64(index),
                startedAt: Int64(day) * 86_400_000 + 3_600_000
            )
            trip.status = .completed
            trip.distance = Distance(millimeters: 10_000_000)
            let change = BookChange.trip(TripChange(old: nil, new: BookedTrip(trip)))
            try TotalsProjector().evolve(change, in: &rows)
        }
        var table = TotalsTable(by: .day, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
        for row in rows.inOrder.added { table.add(try TotalsRow(decoding: row.value)) }
        let chart = BarChart(table, TextStyle(width: 80))
        let lines = chart.text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.dropFirst().map(\.first) == ["0026-03-01", "…", "2024-03-01", "total"])
        #expect(lines.dropFirst().map { $0[1] } == ["10.00", "0.00", "10.00", "20.00"])
    }

    private static func eighths(of bar: some StringProtocol) -> Int {
        bar.reduce(0) { $0 + 1 + (Array("▏▎▍▌▋▊▉█").firstIndex(of: $1) ?? 0) }
    }

    @Test(arguments: Seeds.fresh(20), [20, 40, 60, 80, 200])
    func `each day of a year has its field, darker where more was driven`(
        seed: UInt64,
        width: Int
    ) throws {
        let (table, driven) = try Self.table(by: .day, seed: seed)
        let calendar = YearCalendar(2024, table, TextStyle(width: width))
        let lines = calendar.text.split(separator: "\n")
        let rows = lines.filter { $0.contains(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s/) }
        #expect(rows.allSatisfy { $0.count <= max(width, 31) }, "seed \(seed)")
        let fields = rows.joined().filter { "·░▒▓█".contains($0) }
        #expect(fields.count == 366 * (width == 200 ? 2 : 1), "seed \(seed)")
        let drivenDays = driven.values.count { $0 > 0 }
        #expect(fields.count { $0 != "·" } == drivenDays * (width == 200 ? 2 : 1))

        let picture = Self.svg(calendar.appendSVG)
        let squares = picture.matches(
            of: #/fill="(\#\w+)"><title>(2024-\d\d-\d\d): (\d+)\.(\d\d) km/#
        )
        #expect(squares.count == 366)
        let shades = ["#ebedf0", "#b7d3ea", "#7aaed6", "#3f82b8", "#1d5687"]
        let darkness = squares.map { square in
            (
                hundredths: Int64("\(square.3)\(square.4)") ?? -1,
                date: CivilDate(String(square.2)),
                shade: shades.firstIndex(of: String(square.1)) ?? -1
            )
        }
        for square in darkness {
            let date = try #require(square.date)
            #expect(square.hundredths == driven[date] ?? 0, "seed \(seed)")
            #expect((square.shade == 0) == (square.hundredths == 0), "seed \(seed)")
        }
        let sorted = darkness.sorted { $0.hundredths < $1.hundredths }.map(\.shade)
        #expect(sorted == sorted.sorted(), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(20))
    func `shades end at round numbers, and the last one holds the longest day`(
        seed: UInt64
    ) throws {
        let (table, driven) = try Self.table(by: .day, seed: seed)
        let legend = YearCalendar(2024, table, TextStyle(width: 80)).text.split(separator: "\n")
            .last
        let limits = try (legend ?? "").matches(of: #/to (\d+)(?:\.(\d\d))?/#)
            .map { match in
                try #require(Int64("\(match.1)\(match.2.map(String.init) ?? "00")"))
            }
        guard let longest = driven.values.max(), longest > 0 else { return }
        #expect((1...4).contains(limits.count), "seed \(seed): \(limits)")
        #expect(limits == limits.sorted() && Set(limits).count == limits.count, "seed \(seed)")
        #expect(limits.last ?? 0 >= longest, "seed \(seed)")
        for limit in limits {
            let digits = "\(limit)".replacing(#/0+$/#, with: "")
            #expect(["1", "2", "3", "5"].contains(digits), "seed \(seed): \(limit)")
        }
        #expect(legend?.hasPrefix("· none, ") ?? false)
    }

    @Test(arguments: [
        (Language.nl, "mrt", "geen", "totaal", "per maand"),
        (.de, "Mär", "keine", "Summe", "je Monat"),
        (.fr, "mar", "aucun", "total", "par mois"), (.en, "Mar", "none", "total", "by month"),
    ])
    func `a chart speaks each language`(
        language: Language,
        march: String,
        none: String,
        total: String,
        heading: String
    ) throws {
        let (days, _) = try Self.table(by: .day, seed: 1)
        let (months, _) = try Self.table(by: .month, seed: 1)
        var style = TextStyle(width: 80)
        style.language = language
        let calendar = YearCalendar(2024, days, style)
        #expect(calendar.text.contains(march) && calendar.text.contains("· \(none), "))
        #expect(Self.svg(calendar.appendSVG).contains(">\(none)<"))
        let chart = BarChart(months, style)
        #expect(chart.text.split(separator: "\n").last?.hasPrefix(total) ?? false)
        let picture = Self.svg(chart.appendSVG)
        #expect(picture.contains(heading))
        #expect(picture.contains(language == .en ? "." : ","))
    }

    @Test(arguments: Language.allCases, Seeds.fresh(4))
    func `a label of the calendar's legend ends before the next square`(
        language: Language,
        seed: UInt64
    ) throws {
        let (days, _) = try Self.table(by: .day, seed: seed)
        var style = TextStyle(width: 80)
        style.language = language
        let picture = Self.svg(YearCalendar(2024, days, style).appendSVG)
        // The legend is the last row of squares; each has its label behind it.
        let pattern = #/<rect x="(\d+)".*\n<text x="(\d+)" y="179">(.*)</text>/#
        let entries = picture.matches(of: pattern)
            .map { (square: Double($0.1) ?? 0, label: Double($0.2) ?? 0, words: String($0.3)) }
        #expect(entries.count > 1, "seed \(seed)")
        for (entry, next) in zip(entries, entries.dropFirst()) {
            let end = entry.label + 12 * TextWidth.estimate(entry.words)
            #expect(end < next.square, "seed \(seed): \(entry.words)")
        }
    }

    @Test func `names are escaped where they must be`() {
        var table = TotalsTable(by: .client, in: LocalPeriod(localDay: LocalDay(zone: .utc)))
        #expect(BarChart(table, TextStyle()).isEmpty)
        var trip = SampleTrip.active(high: 1)
        trip.status = .completed
        var booked = BookedTrip(trip)
        booked.details.client = "A & B <\u{7}>"
        var rows = ViewRows()
        let change = BookChange.trip(TripChange(old: nil, new: booked))
        #expect(throws: Never.self) {
            try TotalsProjector().evolve(change, in: &rows)
            for row in rows.inOrder.added { table.add(try TotalsRow(decoding: row.value)) }
        }
        let chart = BarChart(table, TextStyle())
        #expect(chart.text.contains("A & B <"))
        #expect(!chart.text.contains("\u{7}"))
        #expect(Self.svg(chart.appendSVG).contains("A &amp; B &lt;"))
    }
}
