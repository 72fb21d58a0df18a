import Geodesy
import Papers
import Projections
import Rates
package import Tables
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

        /// Whether it is the sum of the others.
        var isTotal = false
    }

    /// A reading of an odometer, and the distance of trips since its first reading.
    package struct OdometerPoint: Sendable {
        let vehicle: String
        let readAt: EventTime
        let odometer: Distance
        let driven: Distance
    }

    /// A month of all vehicles together, with the sums of the earlier months of its year.
    package struct Month: Sendable {
        let year: Int
        let month: Int
        let tripClass: TripClass
        let figures: YearSummary.Figures
        let cumulative: Distance
    }

    /// The days and entries from which it was made.
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
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: The days and the vehicle.
    ///   - jurisdiction: The jurisdiction of the forms and tax years; `nil` for years of the
    ///     calendar.
    ///   - style: How people see it.
    ///   - loaded: The rates, which may have thresholds; `nil` for the current ones.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        for jurisdiction: LogJurisdiction?,
        _ style: TextStyle,
        rates loaded: LoadedRates? = nil
    ) throws {
        self.frame = frame
        self.jurisdiction = jurisdiction
        let vehicles = try snapshot.namedVehicles()
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        var log = MileageLog(in: frame.period, vehicle: frame.vehicle)
        log.overlaps = overlaps
        log.drivers = try snapshot.drivers()
        log.driver = frame.driver
        var summary = YearSummary(for: jurisdiction) {
            DistanceText.scaled($0, in: style.unit, decimals: Cell.shownDecimals)
        }
        var daily = DailyDistances()
        var curves = OdometerCurves(vehicles, only: frame.vehicle)
        // Only the Dutch limit of private use needs it; nothing assigns it to drivers.
        var rests =
            jurisdiction == .nl && frame.driver == nil
            ? PrivateRests(vehicles, in: frame.period) : nil
        let only = overlaps.fillsTrips || rests != nil ? nil : frame.vehicle
        let filter = TripFilter(vehicle: only, isOldestFirst: true)
        try snapshot.readTrips(filter) { row in
            guard !overlaps.leaveOut(row.booked.id) else { return true }
            let filled = overlaps.filled(row.booked)
            curves.add(filled)
            rests?.add(filled)
            if let line = log.line(of: row.booked) {
                summary.add(line)
                daily.add(line)
            }
            return true
        }
        self.daily = daily
        rates = if let loaded { loaded.tables } else { try snapshot.rates().tables }
        rests?.finish()
        let groups = summary.months
        let today = frame.period.localDay.day(of: EventTime(snapshot.instant))
        let lastDay = min(frame.period.to ?? today, today)
        rows = summary.years.map { group in
            Row(
                group,
                of: jurisdiction,
                groups,
                vehicles: vehicles,
                rest: rests?.rest(of: group.vehicle, in: group.year) ?? PrivateRest(),
                frame.period.localDay,
                until: lastDay,
                hasAllPrivateUse: rests?.isAll(of: group.vehicle, in: group.year) ?? false
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
        Column.text("driver") { $0.frame.driver }.optional
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
            + (jurisdiction.map { [ReportFact($0)] } ?? [])
        var page = ReportPage(.summary, facts, frame, .portrait, style)
        guard !rows.isEmpty else {
            page.add([.noTripCounts])
            return page
        }
        page.add(table(style), under: .eachVehicleAndYear)
        SummaryCharts(
            daily: daily,
            odometers: odometers,
            jurisdiction: jurisdiction,
            rates: rates,
            style: style
        )
        .add(to: &page)
        for row in rows where !row.lines.isEmpty {
            let heading = Phrase.formHeading(year: row.year, vehicle: row.group.vehicle)
            page.add(row.lines, FormLine.columns, under: heading)
        }
        var sentences: [Phrase] = [.sumOfPrinted, frame.period.localDay.phrase]
        if let remark = PrintedSums.phrase(
            on: total.distance,
            printedAs: total.printed,
            style
        ) {
            sentences.append(remark)
        }
        if let year = lastYearWithoutLimit { sentences.append(.limitIsPerPerson(year)) }
        if jurisdiction != nil { sentences.append(.formsSayWhichLines) }
        page.add(sentences)
        return page
    }

    /// The last year in which lines do not say what is left of the Dutch limit of private use.
    private var lastYearWithoutLimit: String? {
        guard jurisdiction == .nl else { return nil }
        return rows.last { row in !row.lines.contains { $0.label == .leftOfLimit } }?.year
    }

    /// The vehicles and years, with their total.
    private func table(_ style: TextStyle) -> TextTable {
        let columns = Row.shownColumns
        var table = columns.table(style)
        for row in rows { columns.add(row, to: &table, style) }
        if rows.count > 1 { columns.add(Row(totalOf: rows), to: &table, style, isTotal: true) }
        return table
    }
}

extension SummaryReport.Row: Tabular {
    fileprivate init(
        _ group: YearSummary.Group,
        of jurisdiction: LogJurisdiction?,
        _ months: [YearSummary.Group],
        vehicles: VehicleBook,
        rest: PrivateRest,
        _ localDay: LocalDay,
        until lastDay: CivilDate,
        hasAllPrivateUse: Bool
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
            rest: rest,
            localDay: localDay,
            until: jurisdiction.days(ofTaxYear: group.year).map { min($0.upperBound, lastDay) },
            hasAllPrivateUse: hasAllPrivateUse
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
        isTotal = true
    }

    private static let others: [TripClass] = [.personal, .medical, .charity, .moving]

    /// The columns.
    package static let columns = Columns<SummaryReport.Row> {
        Column.name("year", .year) { $0.year }
            .shown(as: { $0.isTotal ? .phrase(.total) : .name($0.year) })
        Column.text("vehicle", .vehicle) { $0.group.vehicle }
        Column.integer("trips", .trips) { $0.group.figures().trips }
        figures("total_m", .total, TripClass.allCases)
        figures("business_m", .business, [.business])
        figures("commute_m", .commute, [.commute])
        figures("other_m", nil, others)
        figures("mixed_m", .mixed, [.mixed])
        figures("unclassified_m", .unclassified, [.unclassified])
        figures("personal_m", .personal, [.personal])
        figures("medical_m", .medical, [.medical]).narrowing(.leaves(2))
        figures("charity_m", .charity, [.charity]).narrowing(.leaves(1))
        figures("moving_m", .moving, [.moving]).narrowing(.leaves(0))
        Column.rows("lines", FormLine.columns) { $0.lines }
    }

    /// The columns that people see: the classes in their order, as the log has them.
    fileprivate static let shownColumns: Columns<SummaryReport.Row> = {
        let last = ["mixed_m", "unclassified_m"]
        return Columns(
            columns.all.filter { !last.contains($0.name) }
                + columns.all.filter { last.contains($0.name) }
        )
    }()

    private static func figures(
        _ name: String,
        _ title: ColumnTitle?,
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
        Column.text("form", .form) { $0.form }
        Column.name("line", .line) { $0.line }
        Column.phrase("label", .what) { $0.label.phrase }
        Column.shown(.value) { $0.shown }
        Column.name("kind") { $0.kindName }
        Column.distance("distance_m") { $0.distance }
        Column.thousandths("share") { $0.share }
        Column.day("day") { $0.day }
        Column.integer("count") { $0.count }
        Column.phrase("note", .note) { $0.note?.phrase }
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
        case .share(let share): .phrase(.share(share))
        case .day(let day): .day(day)
        case .count(let count): .integer(count)
        case .unknown: .phrase(.cannotTell)
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
