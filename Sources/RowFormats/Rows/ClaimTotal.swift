import Geodesy
package import Rates
package import TripEvents
package import TripLedger

/// A distance at a rate: `claim.v1.schema.json`.
extension ClaimLine: Tabular {
    /// The columns.
    package static let columns = Columns<ClaimLine> {
        Column.name("kind") { _ in "line" }.notInCSV
        Column.day("year_from") { $0.year.lowerBound }
        Column.day("year_to") { $0.year.upperBound }
        Column.name("class", "CLASS") { $0.tripClass.rawValue }
        Column.text("vehicle", "VEHICLE") { $0.vehicle }
        Column.integer("trips", "TRIPS") { $0.trips }
        Column.distance("distance_m", "DISTANCE") { $0.distance }
        Column.name("rate", "PER UNIT") { $0.rateDigits }
            .shown(as: { .name($0.rateText) })
        Column.name("constant") { $0.rate.row.shape == .limit ? nil : $0.tier.plus.description }
        Column.name("multiplier") { $0.multiplier?.row.tiers.first?.rate.description }
        Column.hundredths("amount", "AMOUNT") { $0.amount?.hundredths }
        Column.name("currency") { $0.rate.row.currency }
        Column.name("unit") { $0.rate.row.unit.rawValue }
        Column.name("shape") { $0.rate.row.shape.rawValue }
        Column.distance("before_m", "BEFORE") { $0.before }
            .shown(onlyWhere: { $0.before > .zero })
        Column.distance("threshold_m", "THRESHOLD") { $0.threshold }
            .shown(onlyWhere: { $0.threshold != nil })
            .narrowing(.leaves(1))
        Column.distance("counted_before_m", "COUNTED BEFORE") { $0.countedBefore }
            .shown(onlyWhere: { $0.threshold != nil })
            .narrowing(.leaves(0))
        Column.distance("counted_after_m", "COUNTED AFTER") { $0.countedAfter }
            .shown(onlyWhere: { $0.threshold != nil })
            .narrowing(.leaves(0))
        Column.name("rate_id", "RATE") { $0.rate.row.id }
            .narrowing(.leaves(2))
        Column.name("multiplier_id") { $0.multiplier?.row.id }
        Column.text("table") { $0.rate.table }
        Column.day("rate_from") { $0.rate.from }
        Column.day("rate_to") { $0.rate.to }
        Column.day("rate_known_from") { $0.rate.row.knownFrom }
        Column.boolean("rate_known_from_assumed") { $0.rate.row.isKnownFromAssumed }
        Column.name("confidence", "CONFIDENCE") { $0.rate.row.confidence.rawValue }
            .narrowing(.leaves(3))
    }

    /// The money for one unit of distance; `nil` for a limit.
    fileprivate var rateDigits: String? {
        rate.row.shape == .limit ? nil : tier.rate.description
    }

    fileprivate var rateText: String {
        guard rate.row.shape != .limit else { return "at most \(tier.upTo ?? 0)" }
        return tier.text + (multiplier?.row.tiers.first.map { " x \($0.text)" } ?? "")
    }
}

/// A line of a claim for people and in CSV: a distance at a rate, or what was paid beside it.
package enum ClaimRow: Tabular {
    case line(ClaimLine)
    case expenses(ExpenseLine)

    /// The lines of a claim, whose amounts add up to its total.
    package static func all(of result: ClaimResult) -> [ClaimRow] {
        result.lines.map { .line($0) } + result.expenses.map { .expenses($0) }
    }

    /// The columns: those of distances, and two of expenses.
    package static let columns = Columns<ClaimRow> {
        ClaimLine.columns.of { $0.line }.map { shared[$0.name] ?? $0 }
        Column.name("expense") { $0.expenses?.kind.rawValue }
        Column.integer("expenses") { $0.expenses?.count }
    }

    /// The columns in which both have something.
    private static let shared: [String: Column<ClaimRow>] = [
        "class": Column.name("class", "CLASS") { row in
            (row.line?.tripClass ?? row.expenses?.tripClass)?.rawValue
        },
        "vehicle": Column.text("vehicle", "VEHICLE") { $0.line?.vehicle ?? $0.expenses?.vehicle },
        "rate": Column.name("rate", "PER UNIT") { $0.line?.rateDigits }
            .shown(as: { row in
                let text = row.line?.rateText ?? row.expenses?.kind.rawValue
                return text.map { .name($0) } ?? .none
            }),
        "amount": Column.hundredths("amount", "AMOUNT") { row in
            (row.line?.amount ?? row.expenses?.amount)?.hundredths
        },
        "currency": Column.name("currency", "MONEY") { row in
            row.line?.rate.row.currency ?? row.expenses?.currency
        },
    ]

    private var line: ClaimLine? {
        guard case .line(let line) = self else { return nil }
        return line
    }

    private var expenses: ExpenseLine? {
        guard case .expenses(let expenses) = self else { return nil }
        return expenses
    }
}

extension ExpenseLine: Tabular {
    /// What was paid beside the distance: `claim.v1.schema.json`.
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
    /// What was paid and is not in a claim: `claim.v1.schema.json`.
    package static let columns = Columns<UnclaimedExpenses> {
        Column.name("kind") { _ in "unclaimed_expense" }
        Column.name("expense", "NOT CLAIMED") { $0.kind.rawValue }
        Column.integer("expenses", "TIMES") { $0.count }
        Column.hundredths("amount", "AMOUNT") { $0.amount.hundredths }
        Column.name("currency", "CURRENCY") { $0.currency }
        Column.name("reason", "WHY") { $0.reason.rawValue }
            .shown(as: { .name($0.reason.text) })
    }
}

extension UnclaimedExpenseReason {
    /// The reason as people read it.
    fileprivate var text: String {
        switch self {
        case .noTrip: "it names no trip that counts in these days"
        case .noRate: "nothing is paid for its trip"
        case .inRate: "the rate names nothing of this kind that comes on top"
        case .tooLarge: "above ten billion, which is not added"
        }
    }
}

extension UnclaimedLine: Tabular {
    /// What a claim does not have: `claim.v1.schema.json`.
    package static let columns = Columns<UnclaimedLine> {
        Column.name("kind") { _ in "unclaimed" }.notInCSV
        Column.name("class", "NOT CLAIMED") { $0.tripClass.rawValue }
        Column.text("vehicle", "VEHICLE") { $0.vehicle }
            .shown(onlyWhere: { $0.vehicle != nil })
        Column.integer("trips", "TRIPS") { $0.trips }
        Column.distance("distance_m", "DISTANCE") { $0.distance }
        Column.name("reason", "WHY") { $0.reason.rawValue }
            .shown(as: { .name($0.reason.text) })
    }
}

extension UnclaimedReason {
    /// The reason as people read it.
    fileprivate var text: String {
        switch self {
        case .unclassified: "they have no class yet"
        case .noRate: "no rate is for this class"
        case .noRateForVehicle: "no rate is for this kind of vehicle"
        case .noFiscalPower: "the vehicle's fiscal power is not registered"
        case .noRateForDay: "no rate was known for these days"
        case .aboveLimit: "above the distance that is paid"
        case .oneWayADay: "one way a day is paid, in full units"
        }
    }
}

/// The last line of a claim, with what it was made from: `claim.v1.schema.json`.
package struct ClaimTotal: Tabular {
    /// What the claim came to.
    package let result: ClaimResult

    /// What was asked for.
    package let question: ClaimQuestion

    /// The tables that lines come from, with the SHA-256 of each.
    package let tables: [RateTableHash]

    /// On which day a trip counts.
    package let localDay: LocalDay

    /// What the ledger's first entry says.
    package let founding: LedgerCreated

    /// The head of the entries that it was made from; `nil` for a draft.
    package let head: LedgerHead?

    /// When time alone last ended a trip; `nil` if it has ended none.
    package let passedTo: Timestamp?

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
        Column.name("jurisdiction") { $0.question.jurisdiction }
        Column.name("scheme") { $0.question.scheme }
        Column.name("region") { $0.question.region }
        Column.day("first_day") { $0.question.days.lowerBound }
        Column.day("last_day") { $0.question.days.upperBound }
        Column.text("vehicle") { $0.question.vehicle }
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

/// A table of rates and what it says, as a hash.
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
        _ title: String? = nil,
        _ value: @escaping @Sendable (Row) -> Int64?
    ) -> Column {
        Column(name, title, .number) { row in value(row).map { .hundredths($0) } ?? .none }
    }
}
