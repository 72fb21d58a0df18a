import Geodesy
import Papers
import Projections
import Rates
package import Tables
package import TripEvents
package import TripLedger

/// The results of a jurisdiction's methods for a year: `methods.v1.schema.json`.
package struct MethodsReport: PrintedReport {
    /// How an amount is computed; the raw value is its name in JSON.
    package enum Method: String, Sendable {
        /// The rates per distance of the jurisdiction, with what comes on top of them.
        case rate

        /// The business share of the vehicle's expenses.
        case expenses

        /// No money: a distance of the year that should not be exceeded.
        case limit
    }

    /// The result of a method for a vehicle.
    package struct Row: Sendable {
        let vehicle: String?
        let method: Method

        /// The class that the rate is for; `nil` where it is for business.
        let tripClass: TripClass?
        let distance: Distance
        let share: Int64?
        let limit: Distance?

        /// The vehicle's expenses, of which the share counts.
        let shared: Money?

        /// The expenses of trips, which count in full.
        let direct: Money?
        let amount: Money?
        let currency: String?
    }

    /// The days and entries from which it was made.
    package let frame: ReportFrame

    private let jurisdiction: LogJurisdiction
    private let rows: [Row]
    private let samples: [UseSample]
    private let rates: [String]

    /// The amounts above the yearly maximum, which the rows do not include.
    private let cuts: [ClaimCut]

    /// Tolls and parking that no method counts.
    private let loose: [RecordedExpense]

    /// Reads a ledger.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: The days, which are a tax year, and the vehicle.
    ///   - jurisdiction: The jurisdiction of the methods.
    ///   - days: The days of the year.
    ///   - baseYear: The days of the base year; `nil` for none.
    ///   - loaded: The rates.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        for jurisdiction: LogJurisdiction,
        on days: ClosedRange<CivilDate>,
        baseYear: ClosedRange<CivilDate>?,
        rates loaded: LoadedRates
    ) throws {
        self.frame = frame
        self.jurisdiction = jurisdiction
        let localDay = frame.period.localDay
        let (use, trips) = try Self.use(
            snapshot,
            frame,
            for: jurisdiction,
            from: min(days.lowerBound, baseYear?.lowerBound ?? days.lowerBound)
        )
        let claim = Claim(
            by: RateBook(loaded.tables, knownOn: nil)
                .stretches(in: jurisdiction.rawValue, scheme: nil, region: nil),
            on: days,
            vehicle: frame.vehicle,
            vehicles: try snapshot.namedVehicles().claimVehicles
        )
        let (result, _, paidOn) = try snapshot.finish(claim, localDay: localDay)
        // As in a claim, an expense belongs to the trip that it names, or that was under way.
        let tripOf = { (recorded: RecordedExpense) in
            (recorded.expense.trip ?? paidOn[recorded.id]).flatMap { trips[$0] }
        }
        let vehicleOf = { (recorded: RecordedExpense) in
            recorded.expense.vehicle ?? tripOf(recorded)?.vehicle
        }
        let expenses = VehicleExpenses(
            try snapshot.expenses().expenses
                .filter { recorded in
                    // An expense of a trip counts on the trip's day, as in a claim.
                    days.contains(tripOf(recorded)?.day ?? recorded.day(localDay))
                        && (frame.vehicle == nil
                            || vehicleOf(recorded).hasSameBytes(as: frame.vehicle))
                },
            vehicleOf: vehicleOf,
            isForBusiness: { tripOf($0).map { use.isBusiness($0.tripClass) } ?? false }
        )
        loose = expenses.loose
        rates = Self.uniqued(result.lines.map(\.rate.row.id))
        cuts = result.cuts
        rows =
            Self.byRate(result)
            + use.vehicles.flatMap { vehicle in
                let share = use.share(of: vehicle) { days.contains($0) }
                return expenses.rows(of: vehicle, share)
            }
        samples = use.vehicles.flatMap { vehicle in
            use.samples(of: vehicle, for: jurisdiction, in: days, baseYear: baseYear)
        }
    }

    /// The facts about the trip that an expense belongs to.
    private struct PaidTrip {
        let tripClass: TripClass
        let day: CivilDate
        let vehicle: String?
    }

    /// Reads how much of each vehicle's distance was for business, and the class, the day and the
    /// vehicle of each trip.
    private static func use(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        for jurisdiction: LogJurisdiction,
        from first: CivilDate
    ) throws -> (BusinessUse, [TripID: PaidTrip]) {
        let period = LocalPeriod(from: first, to: frame.period.to, localDay: frame.period.localDay)
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        var log = MileageLog(in: period, vehicle: frame.vehicle)
        log.overlaps = overlaps
        var use = BusinessUse(for: jurisdiction)
        var trips: [TripID: PaidTrip] = [:]
        let only = overlaps.fillsTrips ? nil : frame.vehicle
        let filter = TripFilter(vehicle: only, isOldestFirst: true)
        try snapshot.readTrips(filter) { row in
            guard !overlaps.leaveOut(row.booked.id), let line = log.line(of: row.booked) else {
                return true
            }
            use.add(line)
            trips[line.trip] = PaidTrip(
                tripClass: line.tripClass,
                day: line.date,
                vehicle: line.vehicle
            )
            return true
        }
        return (use, trips)
    }

    private static func uniqued(_ names: [String]) -> [String] {
        var seen: Set<NameKey> = []
        return names.filter { seen.insert(NameKey($0)).inserted }
    }

    /// Adds up the lines of a claim for each class and vehicle, minus the excess over the yearly
    /// maximum.
    private static func byRate(_ result: ClaimResult) -> [Row] {
        var rows: [Row] = []
        for line in result.lines where line.rate.row.shape != .perPassenger {
            let same = result.lines.filter {
                $0.vehicle.hasSameBytes(as: line.vehicle) && $0.tripClass == line.tripClass
            }
            guard line == same.first(where: { $0.rate.row.shape != .perPassenger }) else {
                continue
            }
            if line.rate.row.shape == .limit {
                // All classes and vehicles count towards it together: one row of a vehicle says it.
                let isSaid = rows.contains {
                    $0.method == .limit && $0.vehicle.hasSameBytes(as: line.vehicle)
                }
                if !isSaid { rows.append(Row(limit: line)) }
                continue
            }
            let expenses = result.expenses.filter {
                $0.vehicle.hasSameBytes(as: line.vehicle) && $0.tripClass == line.tripClass
                    && $0.currency == line.rate.row.currency
            }
            let cut = same.reduce(Money.zero) { $0 + $1.cut }
            rows.append(Row(lines: same, expenses: expenses, less: cut))
        }
        return rows
    }

    /// The columns of JSON.
    package static let columns = Columns<MethodsReport> {
        Column.name("report") { _ in "methods" }
        Column.name("jurisdiction") { $0.jurisdiction.rawValue }
        ReportFrame.columns.of { $0.frame }
        Column.rows("methods", Row.columns) { $0.rows }
        Column.rows("samples", UseSample.columns) { $0.samples }
        Column.list("rates") { $0.rates }
        Column.integer("expenses_in_no_method") { $0.loose.count }
    }

    /// The columns of CSV: the result of each method.
    package static var lineColumns: Columns<Row> { Row.columns }

    /// The lines of CSV.
    package var lines: [Row] { rows }

    /// Returns what people read.
    package func page(_ style: TextStyle) -> ReportPage {
        let facts = frame.facts(in: style.unit) + [ReportFact(jurisdiction)]
        var page = ReportPage(.methodsTitle, facts, frame, .portrait, style)
        guard !rows.isEmpty || !samples.isEmpty else {
            page.add([.noTripOfVehicle])
            return page
        }
        page.add(rows, Row.columns, under: .methods)
        page.add(samples, UseSample.columns, under: .businessUse)
        page.add(sentences)
        return page
    }

    private var sentences: [Phrase] {
        var sentences: [Phrase] = [.byExpenses]
        if rows.contains(where: { $0.method == .rate }) {
            sentences.insert(.byRates(rates), at: 0)
        }
        if let cut = cuts.first { sentences.insert(.takenOff(cut), at: 1) }
        if !loose.isEmpty { sentences.append(.looseExpenses(loose.count)) }
        if samples.contains(where: { $0.part == .projected }) {
            sentences.append(.projectedUse)
        }
        sentences.append(.rulesSayWhichMethod)
        return sentences
    }
}

/// The expenses of each vehicle in a year.
private struct VehicleExpenses {
    private struct Sums {
        var shared = Money.zero
        var direct = Money.zero
    }

    private var sums: [[UInt8]: [String: Sums]] = [:]

    /// Tolls and parking outside of business trips, and amounts that are not added up.
    private(set) var loose: [RecordedExpense] = []

    init(
        _ expenses: [RecordedExpense],
        vehicleOf: (RecordedExpense) -> String?,
        isForBusiness: (RecordedExpense) -> Bool
    ) {
        for recorded in expenses {
            let expense = recorded.expense
            guard let vehicle = vehicleOf(recorded),
                let amount = Money(rounding: expense.amount),
                amount.hundredths <= ClaimExpense.most.hundredths
            else {
                loose.append(recorded)
                continue
            }
            var sum = sums[Array(vehicle.utf8)]?[expense.currency] ?? Sums()
            switch expense.kind {
            case .fuel, .charging, .other: sum.shared += amount
            case .toll, .parking:
                guard isForBusiness(recorded) else {
                    loose.append(recorded)
                    continue
                }
                sum.direct += amount
            }
            sums[Array(vehicle.utf8), default: [:]][expense.currency] = sum
        }
    }

    /// Returns a row for each currency in which something was paid for a vehicle.
    func rows(of vehicle: String, _ share: BusinessUse.Share) -> [MethodsReport.Row] {
        (sums[Array(vehicle.utf8)] ?? [:]).sorted { $0.key < $1.key }
            .map { currency, sums in
                MethodsReport.Row(
                    vehicle: vehicle,
                    method: .expenses,
                    tripClass: nil,
                    distance: share.business,
                    share: share.thousandths,
                    limit: nil,
                    shared: sums.shared,
                    direct: sums.direct,
                    amount: sums.shared.share(share.business, of: share.total) + sums.direct,
                    currency: currency
                )
            }
    }
}

extension MethodsReport.Row: Tabular {
    /// Adds up the lines of a claim, and what was paid beside them, less what is cut.
    fileprivate init(lines: [ClaimLine], expenses: [ExpenseLine], less cut: Money) {
        let first = lines[0]
        let paid = lines.filter { $0.rate.row.shape != .limit }
        let beside = expenses.reduce(Money.zero) { $0 + $1.amount }
        vehicle = first.vehicle
        method = .rate
        tripClass = first.tripClass
        distance = paid.filter { $0.rate.row.shape != .perPassenger }
            .reduce(.zero) { $0 + $1.distance }
        share = nil
        limit = nil
        shared = nil
        direct = expenses.isEmpty ? nil : beside
        amount = paid.reduce(beside - cut) { $0 + ($1.amount ?? .zero) }
        currency = first.rate.row.currency
    }

    /// Shows how much of a limit a year has used.
    fileprivate init(limit line: ClaimLine) {
        vehicle = line.vehicle
        method = .limit
        tripClass = line.tripClass
        distance = line.countedAfter
        share = nil
        limit = line.threshold
        shared = nil
        direct = nil
        amount = nil
        currency = nil
    }

    /// The columns.
    package static let columns = Columns<MethodsReport.Row> {
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.name("method", .method) { $0.method.rawValue }
            .shown(as: { .phrase($0.method.phrase) })
        Column.name("class", .tripClass) { $0.tripClass?.rawValue }
            .shown(as: { row in row.tripClass.map { .phrase($0.phrase) } ?? .none })
            .narrowing(.leaves(1))
        Column.distance("distance_m", .distance) { $0.distance }
        Column.distance("limit_m", .limit) { $0.limit }
        Column.thousandths("business_share", .business) { $0.share }
            .shown(as: { row in row.share.map { .phrase(.share($0)) } ?? .none })
        Column.hundredths("paid_for_vehicle", .paid) { $0.shared?.hundredths }
        Column.hundredths("paid_for_trips", .onTop) { $0.direct?.hundredths }
        Column.hundredths("amount", .amount) { $0.amount?.hundredths }
        Column.name("currency", .money) { $0.currency }
    }
}

extension UseSample: Tabular {
    /// The columns.
    package static let columns = Columns<UseSample> {
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.name("part", .part) { $0.part.rawValue }
            .shown(as: { .phrase($0.part.phrase) })
        Column.day("first_day", .fromTime) { $0.days.lowerBound }
        Column.day("last_day", .toTime) { $0.days.upperBound }
        Column.distance("business_m", .business) { $0.use?.business }
        Column.distance("distance_m", .all) { $0.use?.total }
        Column.thousandths("business_share", .use) { $0.thousandths }
            .shown(as: { sample in
                sample.thousandths.map { .phrase(.share($0)) } ?? .none
            })
    }
}
