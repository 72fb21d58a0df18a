package import Rates
package import Tables
package import TripEvents

/// A rate with the days on which it holds: `rate.v1.schema.json`.
package struct ListedRate: Tabular {
    private let stretch: RateStretch

    private var row: RateRow { stretch.row }

    /// Returns the rates of a book in its order.
    ///
    /// - Parameters:
    ///   - book: The book.
    ///   - jurisdiction: The only jurisdiction; `nil` for all.
    ///   - day: The only day on which they hold; `nil` for all.
    ///   - setByHand: Whether only rates are listed that a person or a company set for itself, as
    ///     ``OwnRate`` does.
    /// - Returns: The rates.
    package static func all(
        of book: RateBook,
        jurisdiction: String? = nil,
        on day: CivilDate? = nil,
        setByHand: Bool = false
    ) -> [ListedRate] {
        book.stretches
            .filter { stretch in
                (jurisdiction.map { $0 == stretch.row.jurisdiction } ?? true)
                    && (day.map { stretch.from <= $0 && $0 <= stretch.to ?? $0 } ?? true)
                    && (!setByHand || stretch.row.scheme == OwnRate.scheme)
            }
            .map { ListedRate(stretch: $0) }
    }

    /// The row's name.
    package var id: String { row.id }

    /// The columns.
    package static let columns = Columns<ListedRate> {
        Column.name("id", "RATE") { $0.row.id }.identifying
        Column.name("jurisdiction") { $0.row.jurisdiction }
        Column.text("authority") { $0.row.authority }
        Column.name("scheme") { $0.row.scheme }
        Column.name("region") { $0.row.region }
        Column.boolean("by_name_only") { $0.row.isByNameOnly }
        Column.list("classes", "CLASSES") { $0.row.classes.map(\.rawValue) }
            .narrowing(.leaves(3))
        Column.list("vehicles", "VEHICLES") { $0.row.vehicles.map(\.rawValue) }
            .shown(as: { rate in
                .name(
                    rate.row.vehicles.isEmpty
                        ? "any" : rate.row.vehicles.map(\.rawValue).joined(separator: ", ")
                )
            })
            .narrowing(.leaves(2))
        Column.integer("power_from") { $0.row.fiscalPower?.lowerBound }
        Column.integer("power_to") { $0.row.fiscalPower?.upperBound }
        Column.list("fuels") { $0.row.fuels.map(\.rawValue) }
        Column.integer("engine_from") { $0.row.engine?.lowerBound }
        Column.integer("engine_to") { $0.row.engine?.upperBound }
        Column.day("from", "FROM") { $0.stretch.from }
        Column.day("to", "TO") { $0.stretch.to }
        Column.day("known_from", "KNOWN") { $0.row.knownFrom }
            .narrowing(.leaves(4))
        Column.boolean("known_from_assumed") { $0.row.isKnownFromAssumed }
        Column.name("shape") { $0.row.shape.rawValue }
        Column.figures("rates", "RATES") { $0.row.ratesText }
        Column.rows("tiers", RateTier.columns) { $0.row.tiers }
        Column.name("per", nil) { $0.row.subject?.rawValue }
        Column.name("year_begins") { $0.row.yearStart.description }
        Column.name("currency", "MONEY") { $0.row.currency }
            .shown(as: { .name("\($0.row.currency)/\($0.row.paidUnit)") })
        Column.name("unit") { $0.row.unit.rawValue }
        Column.list("beside", "BESIDE") { $0.row.beside.map(\.rawValue) }
            .shown(onlyWhere: { !$0.row.beside.isEmpty })
            .narrowing(.leaves(1))
        Column.figures("most_a_year") { $0.row.most?.amount.description }
        Column.list("most_not_for") { ($0.row.most?.exempt ?? []).map(\.rawValue) }
        Column.name("confidence", "CONFIDENCE") { $0.row.confidence.rawValue }
            .narrowing(.leaves(5))
        Column.text("table", "TABLE") { $0.stretch.table }
            .narrowing(.leaves(1))
        Column.text("note", "NOTE") { $0.row.note }
            .narrowing(.leaves(0))
        Column.rows("sources", RateSource.columns) { $0.row.sources }
    }
}

extension RateTier: Tabular {
    /// A tier of a rate.
    package static let columns = Columns<RateTier> {
        Column.integer("up_to") { $0.upTo }
        Column.figures("rate") { $0.rate.description }
        Column.figures("plus") { $0.plus.description }
    }
}

extension RateSource: Tabular {
    /// The source of a rate.
    package static let columns = Columns<RateSource> {
        Column.text("name") { $0.name }
        Column.text("url") { $0.url }
    }
}

extension RateRow {
    /// The rates in words, such as `0.45 to 10000, 0.25 above`; in a bracket, `d` is the distance.
    package var ratesText: String {
        switch shape {
        case .flat: tiers.map(\.text).joined()
        case .perPassenger: tiers.map(\.text).joined() + " a passenger"
        case .multiplier: "x " + tiers.map(\.text).joined()
        case .perKilowattHour: tiers.map(\.text).joined() + " a kWh"
        case .component: tiers.map(\.text).joined() + " of the rate"
        case .limit: "at most \(limit)"
        case .cap: tiers.map(\.text).joined() + " to \(limit), 0 above"
        case .oneWayDayTiers: tiersText + " a day, one way"
        case .marginalTiers, .wholeDistanceBracket: tiersText
        }
    }

    /// What the money is paid for.
    fileprivate var paidUnit: String { shape == .perKilowattHour ? "kWh" : unit.rawValue }

    private var limit: String { tiers.first?.upTo.map(String.init) ?? "" }

    private var tiersText: String {
        tiers.map { tier in
            tier.upTo.map { "\(tier.text) to \($0)" }
                ?? (tiers.count > 1 ? "\(tier.text) above" : tier.text)
        }
        .joined(separator: ", ")
    }
}

extension RateTier {
    /// The rate in words, with its constant: `0.357 d + 1395`.
    package var text: String {
        // Rates read best with two decimals, as money does.
        let number = rate.units(places: 2).map { FixedPoint.text($0, decimals: 2) }
        return (number ?? rate.description) + (plus == 0 ? "" : " d + \(plus)")
    }
}
