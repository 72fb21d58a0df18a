import Geodesy
package import Rates
package import Tables
package import TripEvents
package import TripLedger

/// A distance at a rate: `claim.v1.schema.json`.
extension ClaimLine: Tabular {
    /// The columns.
    package static let columns = Columns<ClaimLine> {
        Column.name("kind") { _ in "line" }.notInCSV
        Column.day("year_from") { $0.year.lowerBound }
        Column.day("year_to") { $0.year.upperBound }
        Column.name("class", .tripClass) { $0.tripClass.rawValue }
            .shown(as: { .phrase($0.tripClass.phrase) })
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.name("mode", .means) { $0.mode?.rawValue }
            .shown(as: { line in line.mode.map { .phrase($0.phrase) } ?? .none })
        Column.integer("trips", .trips) { $0.trips }
        Column.distance("distance_m", .distance) { $0.distance }
        Column.figures("rate", .perUnit) { $0.rateDigits }
        Column.figures("constant") { line in
            line.rate.row.shape == .limit ? nil : line.tier.plus.description
        }
        Column.figures("multiplier") { $0.multiplier?.row.tiers.first?.rate.description }
        Column.hundredths("amount", .amount) { $0.amount?.hundredths }
        Column.name("currency") { $0.rate.row.currency }
        Column.name("unit") { $0.rate.row.unit.rawValue }
        Column.name("shape") { $0.rate.row.shape.rawValue }
        Column.distance("before_m", .before) { $0.before }
            .shown(onlyWhere: { $0.before > .zero })
        Column.distance("threshold_m", .threshold) { $0.threshold }
            .shown(onlyWhere: { $0.threshold != nil })
            .narrowing(.leaves(1))
        Column.distance("counted_before_m", .countedBefore) { $0.countedBefore }
            .shown(onlyWhere: { $0.threshold != nil })
            .narrowing(.leaves(0))
        Column.distance("counted_after_m", .countedAfter) { $0.countedAfter }
            .shown(onlyWhere: { $0.threshold != nil })
            .narrowing(.leaves(0))
        Column.name("rate_id", .rate) { $0.rate.row.id }
            .narrowing(.leaves(2))
        Column.name("multiplier_id") { $0.multiplier?.row.id }
        Column.text("table") { $0.rate.table }
        Column.day("rate_from") { $0.rate.from }
        Column.day("rate_to") { $0.rate.to }
        Column.day("rate_known_from") { $0.rate.row.knownFrom }
        Column.boolean("rate_known_from_assumed") { $0.rate.row.isKnownFromAssumed }
        Column.name("confidence", .confidence) { $0.rate.row.confidence.rawValue }
            .shown(as: { .phrase($0.confidence.phrase) })
            .narrowing(.leaves(3))
        Column.boolean("own_rate") { $0.rate.isOwn || $0.multiplier?.isOwn == true }
        Column.integer("half_days") { $0.isOfDays ? $0.halfDays : nil }
        Column.integer("open_days") { $0.isOfDays ? $0.openDays : nil }
        Column.hundredths("amount_if_alone") { line in
            line.isOfDays && line.openDays > 0 ? line.amountIfAlone.hundredths : nil
        }
    }

    /// Whether it pays for days with ways to work.
    fileprivate var isOfDays: Bool { rate.row.shape == .oneWayDayTiers }

    /// The money for one unit of distance; `nil` for a limit.
    fileprivate var rateDigits: String? {
        rate.row.shape == .limit ? nil : tier.rate.description
    }

    /// How sure the rate is; the confidence that a table of the ledger's owner claims does not
    /// count.
    fileprivate var confidence: RateConfidence {
        rate.isOwn || multiplier?.isOwn == true ? .own : rate.row.confidence
    }

    /// The same for people, with the rate by which it is multiplied, and with its unit where
    /// distances have another one.
    fileprivate func ratePhrase(in unit: DistanceUnit) -> Phrase {
        let other = rate.row.unit == unit ? nil : rate.row.unit
        guard rate.row.shape != .limit else {
            let limit = Phrase.atMost(tier.upTo ?? 0)
            return other.map { Phrase("\(limit) \(own: $0.rawValue)") } ?? limit
        }
        let phrase = tier.phrase(per: other)
        guard let factor = multiplier?.row.tiers.first else { return phrase }
        return Phrase("\(phrase) \(own: "x") \(factor.phrase(per: nil))")
    }
}

/// A line of a claim for people and in CSV: a distance at a rate, or an expense beside it.
package enum ClaimRow: Tabular {
    /// A distance at a rate, with the unit in which people see the distances of the claim.
    case line(ClaimLine, in: DistanceUnit)
    case cut(ClaimCut)
    case energy(EnergyLine)
    case expenses(ExpenseLine)

    /// The lines of a claim, whose amounts add up to its total, for people who see distances in a
    /// unit.
    package static func all(of result: ClaimResult, in unit: DistanceUnit) -> [ClaimRow] {
        result.lines.map { .line($0, in: unit) } + result.cuts.map { .cut($0) }
            + result.energies.map { .energy($0) } + result.expenses.map { .expenses($0) }
    }

    /// The columns: those of distances, and two of expenses.
    package static let columns = Columns<ClaimRow> {
        ClaimLine.columns.of { $0.line }.map { shared[$0.name] ?? $0 }
        Column.name("expense") { row in
            row.energy.map { _ in ExpenseKind.charging.rawValue } ?? row.expenses?.kind.rawValue
        }
        Column.integer("expenses") { $0.energy?.count ?? $0.expenses?.count }
        Column.figures("kilowatt_hours") { $0.energy?.kilowattHours }
    }

    /// The columns in which several kinds of lines have something.
    private static let shared: [String: Column<ClaimRow>] = [
        "year_from": Column.day("year_from") { $0.year?.lowerBound },
        "year_to": Column.day("year_to") { $0.year?.upperBound },
        "class":
            Column.name("class", .tripClass) { row in
                row.tripClass?.rawValue
            }
            .shown(as: { row in row.tripClass.map { .phrase($0.phrase) } ?? .none }),
        "vehicle": Column.text("vehicle", .vehicle) { row in
            row.line?.vehicle ?? row.energy?.vehicle ?? row.expenses?.vehicle
        },
        "rate": Column.figures("rate", .perUnit) { $0.line?.rateDigits ?? $0.energy?.rateDigits }
            .shown(as: { row in row.ratePhrase.map { .phrase($0) } ?? .none }),
        "amount": Column.hundredths("amount", .amount) { $0.amount?.hundredths },
        "currency": Column.name("currency", .money) { row in
            row.rate?.row.currency ?? row.expenses?.currency
        },
        "rate_id": Column.name("rate_id", .rate) { $0.rate?.row.id }
            .narrowing(.leaves(2)),
    ]

    private var amount: Money? {
        switch self {
        case .line(let line, in: _): line.amount
        case .cut(let cut): .zero - cut.amount
        case .energy(let line): line.amount
        case .expenses(let line): line.amount
        }
    }

    private var ratePhrase: Phrase? {
        switch self {
        case .line(let line, in: let unit): line.ratePhrase(in: unit)
        case .cut(let cut): .atMostAYear(cut.most)
        case .energy(let line): .perKilowattHour(line.rate.row.tiers.first?.rate ?? 0)
        case .expenses(let line): line.kind.phrase
        }
    }

    private var rate: RateStretch? {
        switch self {
        case .line(let line, in: _): line.rate
        case .cut(let cut): cut.rate
        case .energy(let line): line.rate
        case .expenses: nil
        }
    }

    private var year: ClosedRange<CivilDate>? {
        switch self {
        case .line(let line, in: _): line.year
        case .cut(let cut): cut.year
        case .energy(let line): line.year
        case .expenses: nil
        }
    }

    private var tripClass: TripClass? { line?.tripClass ?? expenses?.tripClass }

    private var line: ClaimLine? {
        guard case .line(let line, in: _) = self else { return nil }
        return line
    }

    private var energy: EnergyLine? {
        guard case .energy(let energy) = self else { return nil }
        return energy
    }

    private var expenses: ExpenseLine? {
        guard case .expenses(let expenses) = self else { return nil }
        return expenses
    }
}

extension ClaimCut: Tabular {
    /// The excess over the yearly maximum: `claim.v1.schema.json`.
    package static let columns = Columns<ClaimCut> {
        Column.name("kind") { _ in "cut" }
        Column.day("year_from") { $0.year.lowerBound }
        Column.day("year_to") { $0.year.upperBound }
        Column.hundredths("most") { $0.most.hundredths }
        Column.hundredths("amount") { -$0.amount.hundredths }
        Column.name("currency") { $0.rate.row.currency }
        Column.name("rate_id") { $0.rate.row.id }
    }
}

extension EnergyLine: Tabular {
    /// What was charged at home: `claim.v1.schema.json`.
    package static let columns = Columns<EnergyLine> {
        Column.name("kind") { _ in "energy" }
        Column.day("year_from") { $0.year.lowerBound }
        Column.day("year_to") { $0.year.upperBound }
        Column.text("vehicle") { $0.vehicle }
        Column.integer("expenses") { $0.count }
        Column.figures("kilowatt_hours") { $0.kilowattHours }
        Column.figures("kilowatt_hours_before") { $0.kilowattHoursBefore }
        Column.figures("rate") { $0.rateDigits }
        Column.hundredths("amount") { $0.amount.hundredths }
        Column.name("currency") { $0.rate.row.currency }
        Column.name("rate_id") { $0.rate.row.id }
        Column.text("table") { $0.rate.table }
        Column.boolean("own_rate") { $0.rate.isOwn }
    }

    /// The money for a kilowatt-hour.
    fileprivate var rateDigits: String? { rate.row.tiers.first?.rate.description }
}

extension ExpenseLine: Tabular {
    /// Expenses beside the distance: `claim.v1.schema.json`.
    package static let columns = Columns<ExpenseLine> {
        Column.name("kind") { _ in "expense" }
        Column.name("class") { $0.tripClass.rawValue }
        Column.text("vehicle") { $0.vehicle }
        Column.name("expense") { $0.kind.rawValue }
        Column.integer("expenses") { $0.count }
        Column.hundredths("amount") { $0.amount.hundredths }
        Column.name("currency") { $0.currency }
    }
}

extension UnclaimedExpenses: Tabular {
    /// Expenses that are not in a claim: `claim.v1.schema.json`.
    package static let columns = Columns<UnclaimedExpenses> {
        Column.name("kind") { _ in "unclaimed_expense" }
        Column.name("expense", .kind) { $0.kind.rawValue }
            .shown(as: { .phrase($0.kind.phrase) })
        Column.integer("expenses", .times) { $0.count }
        Column.hundredths("amount", .amount) { $0.amount.hundredths }
        Column.name("currency", .money) { $0.currency }
        Column.name("reason", .why) { $0.reason.rawValue }
            .shown(as: { .phrase($0.reason.phrase(for: $0.kind)) })
    }
}

extension UnclaimedLine: Tabular {
    /// Trips that are not in a claim: `claim.v1.schema.json`.
    package static let columns = Columns<UnclaimedLine> {
        Column.name("kind") { _ in "unclaimed" }.notInCSV
        Column.name("class", .tripClass) { $0.tripClass.rawValue }
            .shown(as: { .phrase($0.tripClass.phrase) })
        Column.text("vehicle", .vehicle) { $0.vehicle }
            .shown(onlyWhere: { $0.vehicle != nil })
        Column.integer("trips", .trips) { $0.trips }
        Column.distance("distance_m", .distance) { $0.distance }
        Column.name("reason", .why) { $0.reason.rawValue }
            .shown(as: { .phrase($0.reason.phrase) })
    }
}

/// The last line of a claim, with what it was made from: `claim.v1.schema.json`.
package struct ClaimTotal: Tabular {
    /// The result of the claim.
    package let result: ClaimResult

    /// The question that it answers.
    package let question: ClaimQuestion

    /// The schemes that were not requested and that pay for what was charged at home.
    package let chargingSchemes: [String]

    /// The tables that lines come from, with the SHA-256 of each.
    package let tables: [RateTableHash]

    /// The day on which a trip counts.
    package let localDay: LocalDay

    /// The content of the ledger's first entry.
    package let founding: LedgerCreated

    /// The head of the entries that it was made from; `nil` for a draft.
    package let head: LedgerHead?

    /// When time alone last ended a trip; `nil` if it has ended none.
    package let passedTo: Timestamp?

    /// The only group of sources that counts, or the owner's; `nil` for all.
    let group: GroupSelection?

    /// The currency of the rates; `nil` if there are none.
    let currency: String?

    /// The columns.
    package static let columns = Columns<ClaimTotal> {
        Column.name("kind") { _ in "total" }
        Column.rows("amounts", ClaimAmount.columns) { $0.amounts }
        Column.integer("trips") { $0.result.origins.trips }
        Column.distance("distance_m") { $0.result.origins.distance }
        Column.distance("measured_m") { $0.result.origins.distances[.measured] ?? .zero }
        Column.distance("odometer_m") { $0.result.origins.distances[.odometer] ?? .zero }
        Column.distance("adjusted_m") { $0.result.origins.distances[.adjusted] ?? .zero }
        Column.distance("reported_m") { $0.result.origins.distances[.reported] ?? .zero }
        Column.integer("gaps") { $0.result.origins.gaps }
        Column.distance("gap_distance_m") { $0.result.origins.gapDistance }
        Column.integer("other_ways") { $0.result.otherWays.trips }
        Column.distance("other_ways_m") { $0.result.otherWays.distance }
        Column.integer("unread_passengers") { $0.result.unreadPassengers }
        Column.integer("contradicted") { $0.result.contradicted }
        Column.name("jurisdiction") { $0.question.jurisdiction }
        Column.name("scheme") { $0.question.scheme }
        Column.name("region") { $0.question.region }
        Column.day("first_day") { $0.question.days.lowerBound }
        Column.day("last_day") { $0.question.days.upperBound }
        Column.text("group") { $0.group?.shownName }.optional
        Column.text("vehicle") { $0.question.vehicle }
        Column.text("driver") { $0.question.driver }.optional
        Column.day("rates_known_on") { $0.question.knownOn }
        Column.rows("tables", RateTableHash.columns) { $0.tables }
        Column.text("time_zone") { $0.localDay.zone.name }
        Column.boolean("uses_own_offsets") { $0.localDay.usesOwnOffsets }
        Column.name("ledger") { $0.founding.ledger }
        Column.integer("size") { $0.head?.size }
        Column.name("root") { $0.head?.root }
        Column.instant("as_of") { $0.passedTo }
    }

    /// The sum of each currency.
    package var amounts: [ClaimAmount] {
        result.totals.map { ClaimAmount(currency: $0.currency, amount: $0.amount) }
    }

    /// The same as people see it: zero in the rates' currency if there is no sum.
    var shownAmounts: [ClaimAmount] {
        guard amounts.isEmpty, let currency else { return amounts }
        return [ClaimAmount(currency: currency, amount: .zero)]
    }
}

/// A sum of money of a claim.
package struct ClaimAmount: Tabular {
    /// The currency.
    package let currency: String

    /// The sum of the lines.
    package let amount: Money

    /// The columns.
    package static let columns = Columns<ClaimAmount> {
        Column.name("currency") { $0.currency }
        Column.hundredths("amount") { $0.amount.hundredths }
    }
}

/// A table of rates, with the hash of its content.
package struct RateTableHash: Tabular {
    /// The table.
    package let table: String

    /// The SHA-256 of its rows.
    package let hash: String

    /// The columns.
    package static let columns = Columns<RateTableHash> {
        Column.text("table") { $0.table }
        Column.name("sha256") { $0.hash }
    }
}

extension Column {
    /// An amount of money with two decimals, given in hundredths.
    package static func hundredths(
        _ name: String,
        _ title: ColumnTitle? = nil,
        _ value: @escaping @Sendable (Row) -> Int64?
    ) -> Column {
        Column(name, title, .number) { row in value(row).map { .hundredths($0) } ?? .none }
    }
}
