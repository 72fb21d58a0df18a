import Geodesy
import Papers
import Rates
import Tables
import TripEvents
import TripLedger

/// The distance of each class on each day.
struct DailyDistances {
    /// One distance for each class, in the order of `TripClass`.
    private(set) var days: [CivilDate: [Distance]] = [:]

    /// Adds a trip by its line in a mileage log.
    mutating func add(_ line: MileageLine) {
        days[line.date, default: TripClass.allCases.map { _ in .zero }][
            MileageLog.index(of: line.tripClass)
        ] += line.distance
    }

    /// Returns the distance of a class on a day.
    func distance(of tripClass: TripClass, on day: CivilDate) -> Distance {
        days[day]?[MileageLog.index(of: tripClass)] ?? .zero
    }
}

/// A distance of a year at which a jurisdiction's rates change or end.
struct YearThreshold {
    /// The distance.
    let distance: Distance

    /// The classes that count towards it.
    let classes: [TripClass]

    /// Returns the threshold of a jurisdiction's rates for cars on a day, if they have one.
    init?(of jurisdiction: LogJurisdiction, on day: CivilDate, _ tables: [RateTable]) {
        let rows = tables.flatMap(\.rows)
            .filter { row in
                row.jurisdiction == jurisdiction.rawValue && !row.isByNameOnly
                    && [.marginalTiers, .cap, .limit].contains(row.shape)
                    && (row.vehicles.isEmpty || row.vehicles.contains(.car))
                    && row.from <= day && row.to.map { day <= $0 } ?? true
            }
        // A row holds until another one takes its place.
        let latest = rows.max { $0.from < $1.from }
        guard let row = latest, let upTo = row.tiers.first?.upTo else { return nil }
        distance = Distance(millimeters: upTo * row.unit.millimeters)
        classes = row.classes
    }
}

/// The charts of a summary: kilometres by month, through the year, and odometers beside trips.
struct SummaryCharts {
    /// The look of a class: an ink and a dash that no other class has.
    private struct Kind {
        let tripClass: TripClass
        let ink: Ink
        let dash: Double?

        init(_ tripClass: TripClass) {
            self.tripClass = tripClass
            (ink, dash) =
                switch tripClass {
                case .business: (.line1, nil)
                case .commute: (.line2, 7)
                case .personal: (.line3, 3)
                case .medical: (.line4, 5)
                case .charity: (.line5, 2)
                case .moving: (.line6, 4)
                case .mixed: (.line8, 10)
                case .unclassified: (.line7, 1.5)
                }
        }

        func series(_ words: Words) -> ChartAxes.Series {
            ChartAxes.Series(name: words.text(tripClass.phrase), ink: ink, dash: dash)
        }
    }

    /// No report has charts of more years or vehicles.
    private static let mostCharts = 4

    let daily: DailyDistances
    let odometers: [SummaryReport.OdometerPoint]
    let jurisdiction: LogJurisdiction?
    let rates: [RateTable]
    let style: TextStyle

    /// Adds the charts to a page.
    func add(to page: inout ReportPage) {
        let kinds = TripClass.allCases
            .filter { tripClass in
                daily.days.keys.contains { daily.distance(of: tripClass, on: $0) > .zero }
            }
            .map { Kind($0) }
        guard !kinds.isEmpty else { return }
        page.add(
            months(kinds),
            alternative: .monthsShown,
            under: .byMonth
        )
        let years = Set(daily.days.keys.map { taxYear(of: $0) }).sorted().suffix(Self.mostCharts)
        for year in years {
            let name = jurisdiction?.name(ofTaxYear: year) ?? String(year)
            page.add(
                throughYear(year, kinds),
                alternative: .yearShown,
                under: .throughYear(name)
            )
        }
        let vehicles = odometers.reduce(into: [String]()) { names, point in
            if names.last != point.vehicle { names.append(point.vehicle) }
        }
        for vehicle in vehicles.prefix(Self.mostCharts) {
            guard let picture = odometer(of: vehicle) else { continue }
            page.add(
                picture,
                alternative: .odometerShown,
                under: .odometerBesideTrips(of: vehicle)
            )
        }
    }

    private func taxYear(of day: CivilDate) -> Int { jurisdiction?.taxYear(of: day) ?? day.year }

    private func value(_ distance: Distance) -> Double {
        let hundredths = DistanceText.scaled(distance, in: style.unit, decimals: 2)
        return Double(hundredths) / 100
    }

    private func months(_ kinds: [Kind]) -> Page {
        var sums: [Int: [Distance]] = [:]
        for day in daily.days.keys {
            let month = day.year * 12 + day.month - 1
            var parts = sums[month] ?? kinds.map { _ in .zero }
            for (index, kind) in kinds.enumerated() {
                parts[index] += daily.distance(of: kind.tripClass, on: day)
            }
            sums[month] = parts
        }
        let (first, last) = (sums.keys.min() ?? 0, sums.keys.max() ?? 0)
        let columns = (first...last)
            .map { month in
                StackedBars.Column(
                    name: String(month % 12 + 1),
                    group: month == first || month % 12 == 0 ? String(month / 12) : nil,
                    parts: (sums[month] ?? kinds.map { _ in .zero }).map { value($0) }
                )
            }
        return StackedBars(series: kinds.map { $0.series(style.words) }, columns: columns)
            .picture(style)
    }

    private func throughYear(_ year: Int, _ kinds: [Kind]) -> Page {
        let days = daily.days.keys.filter { taxYear(of: $0) == year }.sorted()
        let first = firstDay(of: year)
        let length = Double(firstDay(of: year + 1).daysSince1970 - first.daysSince1970)
        func share(_ day: CivilDate) -> Double {
            Double(day.daysSince1970 - first.daysSince1970) / length
        }
        let lines = kinds.map { kind in
            var sum = Distance.zero
            var points: [(x: Double, value: Double)] = [(0, 0)]
            for day in days {
                points.append((share(day), value(sum)))
                sum += daily.distance(of: kind.tripClass, on: day)
                points.append((share(day) + 1 / length, value(sum)))
            }
            return LineChart.Line(series: kind.series(style.words), points: points)
        }
        let months = (0..<12)
            .compactMap { index -> (x: Double, name: String)? in
                let number = first.month - 1 + index
                guard
                    let day = CivilDate(
                        year: first.year + number / 12,
                        month: number % 12 + 1,
                        day: 1
                    ), day >= first
                else { return nil }
                return (share(day), String(day.month))
            }
        return LineChart(lines: lines, ticks: months, limit: limit(of: year))
            .picture(style)
    }

    /// The threshold of a year, if its rates have one.
    private func limit(of year: Int) -> (value: Double, name: String)? {
        guard let jurisdiction,
            let threshold = YearThreshold(of: jurisdiction, on: firstDay(of: year), rates)
        else { return nil }
        let counted = threshold.classes.first ?? .business
        let name = Phrase.threshold(threshold.distance, in: style.unit, of: counted.phrase)
        return (value(threshold.distance), style.words.text(name))
    }

    /// The first day of a year, as the jurisdiction counts it.
    private func firstDay(of year: Int) -> CivilDate {
        let (month, day) =
            switch jurisdiction {
            case .gb: (4, 6)
            case .au: (7, 1)
            case .us, .ca, .nl, .de, .fr, nil: (1, 1)
            }
        guard let first = CivilDate(year: year, month: month, day: day) else {
            preconditionFailure("every year has this day")
        }
        return first
    }

    private func day(_ time: EventTime) -> String {
        style.words.day(CivilDate(of: time.told(by: style.clock)))
    }

    /// Draws an odometer; `nil` if it was read less than twice.
    private func odometer(of vehicle: String) -> Page? {
        let points = odometers.filter { $0.vehicle.hasSameBytes(as: vehicle) }
        guard let first = points.first, let last = points.last else { return nil }
        let start = first.readAt.timestamp.milliseconds
        let length = Double(last.readAt.timestamp.milliseconds - start)
        guard points.count > 1, length > 0 else { return nil }
        func x(_ point: SummaryReport.OdometerPoint) -> Double {
            Double(point.readAt.timestamp.milliseconds - start) / length
        }
        let odometer = points.map { (x: x($0), value: value($0.odometer - first.odometer)) }
        let driven = points.map { (x: x($0), value: value($0.driven - first.driven)) }
        return LineChart(
            lines: [
                LineChart.Line(
                    series: ChartAxes.Series(
                        name: style.words.text(.odometerWord),
                        ink: .line7,
                        dash: 7
                    ),
                    points: odometer
                ),
                LineChart.Line(
                    series: ChartAxes.Series(name: style.words.text(.tripsWord), ink: .line1),
                    points: driven
                ),
            ],
            ticks: [
                (0, day(first.readAt)), (1, day(last.readAt)),
            ]
        )
        .picture(style)
    }
}
