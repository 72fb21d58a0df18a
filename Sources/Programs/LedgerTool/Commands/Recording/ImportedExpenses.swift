import Platform
import Projections
import TripEvents
import TripLedger

/// Parking and tolls that tables of other apps list for their trips: each becomes an expense of its
/// trip, once.
///
/// Their currency is the one that the table names or, if it names none or a dollar, that of the
/// ledger's country. It is not guessed: if neither gives it, amounts stay fields of their trips.
struct ImportedExpenses {
    /// The fields of a trip in which importers write paid amounts.
    private static let fields: [(name: String, kind: ExpenseKind)] = [
        ("parking", .parking), ("tolls", .toll),
    ]

    private static let currencies = [
        "us": "USD", "gb": "GBP", "ca": "CAD", "au": "AUD", "nz": "NZD", "ch": "CHF", "dk": "DKK",
        "se": "SEK", "no": "NOK", "pl": "PLN", "cz": "CZK", "hu": "HUF",
    ]

    private static let countriesInEuros: Set<String> = [
        "at", "be", "cy", "de", "ee", "es", "fi", "fr", "gr", "hr", "ie", "it", "lt", "lu", "lv",
        "mt", "nl", "pt", "si", "sk",
    ]

    /// How many expenses were recorded.
    private(set) var count = 0

    /// The number of expenses whose currency is not known, so that they stay fields of their trips.
    private(set) var withoutCurrency = 0

    /// Records what was paid on some trips.
    ///
    /// An expense that a trip has already is not recorded again, even if it was voided.
    ///
    /// - Parameters:
    ///   - payments: How many amounts the table has, by the sign of their currency.
    ///   - isWanted: Whether a trip is one of those.
    ///   - ledger: The ledger.
    /// - Throws: `LedgerError`.
    init(
        _ payments: [String: Int],
        ofTrips isWanted: (TripRow) -> Bool,
        in ledger: Ledger
    ) throws {
        let now = WallClock.now
        let (trips, known, country) = try ledger.readNow { snapshot in
            (
                try snapshot.trips(TripFilter(isOldestFirst: true)).filter(isWanted),
                try snapshot.expenses(),
                snapshot.settings.country(at: now)
            )
        }
        let currency = Self.currency(saidAs: Set(payments.keys), in: country)
        let paid = Set(
            (known.expenses + known.voided)
                .compactMap { recorded in
                    recorded.expense.trip.map { Paid(trip: $0, kind: recorded.expense.kind) }
                }
        )
        var decisions: [LedgerDecision] = []
        for row in trips {
            for (name, kind) in Self.fields {
                guard case .number(let amount) = row.booked.details.fields?[name],
                    amount.doubleValue > 0,
                    !paid.contains(Paid(trip: row.trip.id, kind: kind))
                else { continue }
                guard let currency else {
                    withoutCurrency += 1
                    continue
                }
                let expense = ExpenseRecorded(kind: kind, amount: amount, currency: currency)
                var edit = ExpenseEdit(expense)
                edit.trip = .prefix(row.trip.id.description)
                edit.paidAt = row.trip.endedAt ?? row.trip.startedAt
                decisions.append(.recordExpense(edit))
            }
        }
        guard !decisions.isEmpty else { return }
        let outcomes = try ledger.decide(
            decisions,
            by: DecisionOptions.decider(nil),
            now: EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        )
        count = outcomes.count { $0.receipt.isStored }
    }

    /// An expense on a trip.
    private struct Paid: Hashable {
        let trip: TripID
        let kind: ExpenseKind
    }

    /// Returns the currency of amounts that have some signs, or codes, in a ledger of a country.
    private static func currency(saidAs said: Set<String>, in country: String?) -> String? {
        let local = country.flatMap {
            countriesInEuros.contains($0) ? "EUR" : currencies[$0]
        }
        // Some amounts may have none beside them.
        let signs = said.subtracting([""])
        guard let sign = signs.first else { return local }
        guard signs.count == 1 else { return nil }
        switch sign {
        case "€": return "EUR"
        case "£": return "GBP"
        // Several countries write it so.
        case "$": return local.flatMap { dollars.contains($0) ? $0 : nil }
        default: return sign
        }
    }

    private static let dollars: Set<String> = ["USD", "CAD", "AUD", "NZD"]

    /// Says to people what was recorded.
    func say() {
        if count > 0 {
            let expenses = Count.text(count, "expense", "expenses")
            Diagnostic.say(
                "\(expenses) of these trips: parking and tolls. `ledger expense list` has them.\n"
            )
        }
        if withoutCurrency > 0 {
            let amounts =
                withoutCurrency == 1
                ? "1 amount for parking or tolls stays a field of its trip"
                : "\(withoutCurrency) amounts for parking and tolls stay fields of their trips"
            Diagnostic.say(
                "\(amounts), for nothing says in which currency: after "
                    + "`ledger settings --country us`, or another country, append the file again.\n"
            )
        }
    }
}
