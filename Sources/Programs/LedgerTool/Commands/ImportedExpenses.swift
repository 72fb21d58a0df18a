import Importers
import Platform
import Projections
import TripEvents
import TripLedger

/// What tables of other apps say was paid on their trips: parking and tolls, which become expenses
/// of those trips, each once.
struct ImportedExpenses {
    /// The fields of a trip in which importers write what was paid.
    private static let fields: [(name: String, kind: ExpenseKind)] = [
        ("parking", .parking), ("tolls", .toll),
    ]

    /// The apps that count in dollars of the United States, if the ledger says no country.
    private static let appsInDollars = [ImportFormat.mileiq.title, ImportFormat.everlance.title]

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

    /// In how many of them the currency is not known, so that they stay fields of their trips.
    private(set) var withoutCurrency = 0

    /// Records what was paid on some trips.
    ///
    /// An expense that a trip has already is not recorded again, nor one that was taken back.
    ///
    /// - Parameters:
    ///   - isWanted: Whether a trip is one of those.
    ///   - ledger: The ledger.
    /// - Throws: `LedgerError`.
    init(ofTrips isWanted: (TripRow) -> Bool, in ledger: Ledger) throws {
        let now = WallClock.now
        let (trips, known, country) = try ledger.readNow { snapshot in
            (
                try snapshot.trips(TripFilter(isOldestFirst: true)).filter(isWanted),
                try snapshot.expenses(),
                snapshot.settings.country(at: now)
            )
        }
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
                guard let currency = Self.currency(of: row.booked.importedFrom, country) else {
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

    /// What was paid for on a trip.
    private struct Paid: Hashable {
        let trip: TripID
        let kind: ExpenseKind
    }

    private static func currency(of app: String?, _ country: String?) -> String? {
        guard let country else {
            return app.flatMap { appsInDollars.contains($0) ? "USD" : nil }
        }
        return countriesInEuros.contains(country) ? "EUR" : currencies[country]
    }

    /// Says to people what was recorded.
    func say() {
        if count > 0 {
            let expenses = Count.text(count, "expense", "expenses")
            Diagnostic.say(
                "\(expenses) of these trips: parking and tolls. `ledger expense list` has them.\n"
            )
        }
        if withoutCurrency > 0 {
            let amounts = Count.text(withoutCurrency, "amount", "amounts")
            Diagnostic.say(
                "\(amounts) for parking and tolls stay fields of their trips, for nothing says the "
                    + "currency: `ledger settings --country` does.\n"
            )
        }
    }
}
