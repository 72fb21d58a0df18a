import Documents
import Geodesy
import Projections
import Rates
package import Reports
import TripEvents
package import TripLedger
import TripTracking

/// The kilometres of each vehicle and year: `year-summary.v1.schema.json`.
package struct SummaryReport: PrintedReport {
    /// A vehicle in a year.
    package struct Row: Sendable {
        let group: YearSummary.Group
        let year: String
        let lines: [FormLine]
    }

    /// What an odometer showed, and how far trips went since it was read first.
    package struct OdometerPoint: Sendable {
        let vehicle: String
        let readAt: EventTime
        let odometer: Distance
        let driven: Distance
    }

    /// A month of all vehicles together, with what came before it in its year.
    package struct Month: Sendable {
        let year: Int
        let month: Int
        let tripClass: TripClass
        let figures: YearSummary.Figures
        let cumulative: Distance
    }

    /// What it was made of.
    package let frame: ReportFrame

    private let jurisdiction: LogJurisdiction?
    private let rows: [Row]
    private let months: [Month]
    private let odometers: [OdometerPoint]
    private let daily: DailyDistances

    /// The tables of rates, which have the thresholds.
    private let rates: [RateTable]

    /// Reads a ledger.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        for jurisdiction: LogJurisdiction?,
        _ style: TextStyle
    ) throws {
        self.frame = frame
        self.jurisdiction = jurisdiction
        let vehicles = try snapshot.vehicles()
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        var log = MileageLog(in: frame.period, vehicle: frame.vehicle)
        log.overlaps = overlaps
        var summary = YearSummary(for: jurisdiction) {
            DistanceText.scaled($0, in: style.unit, decimals: Cell.shownDecimals)
        }
        var daily = DailyDistances()
        var curves = OdometerCurves(vehicles, only: frame.vehicle)
        let filter = TripFilter(vehicle: frame.vehicle, isOldestFirst: true)
        try snapshot.readTrips(filter) { row in
            guard !overlaps.leaveOut(row.booked.id) else { return true }
            curves.add(row.booked)
            if let line = log.line(of: row.booked) {
                summary.add(line)
                daily.add(line)
            }
            return true
        }
        self.daily = daily
        rates = try snapshot.rates().tables
        let groups = summary.months
        rows = summary.years.map { group in
            Row(
                group,
                of: jurisdiction,
                groups,
                vehicles: vehicles,
                frame.period.localDay
            )
        }
        months = Self.months(groups)
        odometers = curves.points(in: frame.period)
    }

    /// Adds up the vehicles of each month, and the months of each year.
    private static func months(_ groups: [YearSummary.Group]) -> [Month] {
        var months: [Month] = []
        var cumulative: [TripClass: Distance] = [:]
        var year: Int?
        for group in groups {
            guard let month = group.month else { continue }
            if months.last.map({ ($0.year, $0.month) != (group.year, month) }) ?? true {
                if year != group.year { cumulative = [:] }
                year = group.year
                for tripClass in TripClass.allCases {
                    let figures = groups.filter { $0.year == group.year && $0.month == month }
                        .reduce(into: YearSummary.Figures()) { $0 += $1[tripClass] }
                    guard figures.trips > 0 || cumulative[tripClass] != nil else { continue }
                    cumulative[tripClass, default: .zero] += figures.distance
                    months.append(
                        Month(
                            year: group.year,
                            month: month,
                            tripClass: tripClass,
                            figures: figures,
                            cumulative: cumulative[tripClass] ?? .zero
                        )
                    )
                }
            }
        }
        return months
    }

    /// All trips together.
    private var total: YearSummary.Figures {
        rows.reduce(into: YearSummary.Figures()) { $0 += $1.group.figures() }
    }

    /// The columns of JSON.
    package static let columns = Columns<SummaryReport> {
        Column.name("report") { _ in "summary" }
        Column.name("jurisdiction") { $0.jurisdiction?.rawValue }
        ReportFrame.columns.of { $0.frame }
        Column.integer("trips") { $0.total.trips }
        Column.distance("distance_m") { $0.total.distance }
        Column.rows("years", Row.columns) { $0.rows }
        Column.rows("months", Month.columns) { $0.months }
        Column.rows("odometers", OdometerPoint.columns) { $0.odometers }
    }

    /// The columns of CSV: a line for each vehicle and year.
    package static var lineColumns: Columns<Row> { Row.columns }

    /// The lines of CSV.
    package var lines: [Row] { rows }

    /// Returns what people read.
    package func page(_ style: TextStyle) -> ReportPage {
        let facts =
            frame.facts(in: style.unit)
            + (jurisdiction.map { [("Jurisdiction", $0.rawValue.uppercased())] } ?? [])
        var page = ReportPage("Summary of the kilometres", facts, frame, .portrait, style)
        guard !rows.isEmpty else {
            page.add(["No trip counts in these days."])
            return page
        }
        page.add(table(style), under: "Each vehicle and year")
        SummaryCharts(
            daily: daily,
            odometers: odometers,
            jurisdiction: jurisdiction,
            rates: rates,
            style: style
        )
        .add(to: &page)
        for row in rows where !row.lines.isEmpty {
            let vehicle = Excerpt.escaped(row.group.vehicle ?? "trips without a vehicle")
            page.add(row.lines, FormLine.columns, under: "\(row.year), \(vehicle)")
        }
        var sentences = [
            "Each figure is the sum of its trips as they are printed, rounded one by one.",
            frame.period.localDay.sentence,
        ]
        if let remark = PrintedSums.sentence(
            on: total.distance,
            printedAs: total.printed,
            style
        ) {
            sentences.append(remark)
        }
        if jurisdiction != nil {
            sentences.append("Figures, not advice: which lines hold for you, the forms say.")
        }
        page.add(sentences)
        return page
    }

    /// The vehicles and years, with their total.
    private func table(_ style: TextStyle) -> TextTable {
        var table = Row.columns.table(style)
        for row in rows { Row.columns.add(row, to: &table, style) }
        if rows.count > 1 {
            Row.columns.add(Row(totalOf: rows), to: &table, style, isTotal: true)
        }
        return table
    }
}

extension SummaryReport.Row: Tabular {
    fileprivate init(
        _ group: YearSummary.Group,
        of jurisdiction: LogJurisdiction?,
        _ months: [YearSummary.Group],
        vehicles: VehicleBook,
        _ localDay: LocalDay
    ) {
        self.group = group
        year = jurisdiction?.name(ofTaxYear: group.year) ?? "\(group.year)"
        guard let jurisdiction else {
            lines = []
            return
        }
        func isOfYear(_ day: CivilDate) -> Bool { jurisdiction.taxYear(of: day) == group.year }
        let readings = group.vehicle
            .map { name in
                vehicles.readings(of: name)
                    .filter { isOfYear(localDay.day(of: localDay.local($0.readAt))) }
            }
        let form = FormLines(
            group,
            vehicle: group.vehicle.flatMap { vehicles.vehicle(named: $0) },
            readings: readings ?? [],
            localDay: localDay
        )
        lines = form.lines(
            for: jurisdiction,
            months: months.filter { month in
                month.year == group.year
                    && month.vehicle.map { Array($0.utf8) } == group.vehicle.map { Array($0.utf8) }
            }
        )
    }

    fileprivate init(totalOf rows: [Self]) {
        group = YearSummary.Group(totalOf: rows.map(\.group))
        year = "total"
        lines = []
    }

    private static let others: [TripClass] = [.personal, .medical, .charity, .moving]

    /// The columns.
    package static let columns = Columns<SummaryReport.Row> {
        Column.name("year", "YEAR") { $0.year }
        Column.text("vehicle", "VEHICLE") { $0.group.vehicle }
        Column.integer("trips", "TRIPS") { $0.group.figures().trips }
        figures("total_m", "TOTAL", TripClass.allCases)
        figures("business_m", "BUSINESS", [.business])
        figures("commute_m", "COMMUTE", [.commute])
        figures("other_m", "OTHER", others)
        figures("mixed_m", "MIXED", [.mixed])
        figures("unclassified_m", "UNCLASSIFIED", [.unclassified])
        for tripClass in others { figures("\(tripClass.rawValue)_m", nil, [tripClass]) }
        Column.rows("lines", FormLine.columns) { $0.lines }
    }

    private static func figures(
        _ name: String,
        _ title: String?,
        _ classes: [TripClass]
    ) -> Column<SummaryReport.Row> {
        Column.distance(name, title) { $0.group.figures(of: classes).distance }
            .shown(as: { row in
                let figures = row.group.figures(of: classes)
                return figures.trips == 0 ? .none : .printedDistance(figures.printed)
            })
    }
}

extension FormLine: Tabular {
    /// A line of a form.
    package static let columns = Columns<FormLine> {
        Column.text("form", "FORM") { $0.form }
        Column.name("line", "LINE") { $0.line }
        Column.text("label", "WHAT") { $0.label }
            .shown(as: { .name($0.label) })
        Column.shown("VALUE") { $0.shown }
        Column.name("kind") { $0.kindName }
        Column.distance("distance_m") { $0.distance }
        Column.thousandths("share") { $0.share }
        Column.day("day") { $0.day }
        Column.integer("count") { $0.count }
        Column.text("note", "NOTE") { $0.note }
            .shown(as: { $0.note.map { .name($0) } ?? .none })
    }

    private var distance: Distance? {
        switch value {
        case .distance(let figures): figures.distance
        case .odometer(let distance): distance
        case .share, .day, .count, .unknown: nil
        }
    }

    private var share: Int64? {
        guard case .share(let share) = value else { return nil }
        return share
    }

    private var day: CivilDate? {
        guard case .day(let day) = value else { return nil }
        return day
    }

    private var count: Int64? {
        guard case .count(let count) = value else { return nil }
        return count
    }

    private var kindName: String {
        switch value {
        case .distance, .odometer: "distance"
        case .share: "share"
        case .day: "day"
        case .count: "count"
        case .unknown: "unknown"
        }
    }

    private var shown: Cell {
        switch value {
        case .distance(let figures): .printedDistance(figures.printed)
        case .odometer(let distance): .distance(distance)
        case .share(let share): .name("\(FixedPoint.text(share, decimals: 1)) %")
        case .day(let day): .day(day)
        case .count(let count): .integer(count)
        case .unknown: .name("cannot tell")
        }
    }
}

extension SummaryReport.Month: Tabular {
    /// A class in a month.
    package static let columns = Columns<SummaryReport.Month> {
        Column.integer("year") { $0.year }
        Column.integer("month") { $0.month }
        Column.name("class") { $0.tripClass.rawValue }
        Column.integer("trips") { $0.figures.trips }
        Column.distance("distance_m") { $0.figures.distance }
        Column.distance("cumulative_m") { $0.cumulative }
    }
}

extension SummaryReport.OdometerPoint: Tabular {
    /// A reading beside the trips.
    package static let columns = Columns<SummaryReport.OdometerPoint> {
        Column.text("vehicle") { $0.vehicle }
        Column.time("read_at") { $0.readAt }
        Column.distance("odometer_m") { $0.odometer }
        Column.distance("trips_m") { $0.driven }
    }
}
