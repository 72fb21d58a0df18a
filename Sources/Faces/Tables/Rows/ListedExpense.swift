package import Projections
package import TripEvents

/// Something that was paid, on its local day: `expense.v1.schema.json`.
package struct ListedExpense: Tabular {
    /// The expense.
    package let recorded: RecordedExpense

    /// The local day on which it was paid.
    package let day: CivilDate

    /// Finds the day of an expense.
    package init(_ recorded: RecordedExpense, localDay: LocalDay) {
        self.recorded = recorded
        day = recorded.day(localDay)
    }

    private var expense: ExpenseRecorded { recorded.expense }

    /// The key that gives the order of lists: the day, then the time.
    package var sortKey: (CivilDate, Timestamp) { (day, recorded.paidAt.timestamp) }

    /// The columns.
    package static let columns = Columns<ListedExpense> {
        Column.name("expense", "EXPENSE") { $0.recorded.id.description }
            .shown(as: { .name($0.recorded.id.short) })
            .identifying
        Column.day("day", "DAY") { $0.day }
        Column.time("paid_at") { $0.expense.day == nil ? $0.recorded.paidAt : nil }
        Column.name("kind", "KIND") { $0.expense.kind.rawValue }
        Column.decimal("amount", "AMOUNT") { $0.expense.amount }
            .shown(as: { .name(MoneyText.number($0.expense.amount)) })
        Column.name("currency", "CURRENCY") { $0.expense.currency }
        Column.decimal("quantity", "QUANTITY") { $0.expense.quantity }
            .narrowing(.leaves(4))
        Column.name("quantity_unit", "UNIT") { $0.expense.quantityUnit?.rawValue }
            .narrowing(.leaves(4))
        Column.text("vehicle", "VEHICLE") { $0.expense.vehicle }
        Column.trip("trip", "TRIP") { $0.expense.trip }
            .narrowing(.leaves(3))
        Column.text("place", "PLACE") { $0.expense.place }
        Column.decimal("lat") { $0.expense.latitude }
        Column.decimal("lon") { $0.expense.longitude }
        Column.text("merchant", "MERCHANT") { $0.expense.merchant }
        Column.text("notes", "NOTES") { $0.expense.notes }
            .narrowing(.leaves(1))
        Column.name("receipt_hash", "RECEIPT") { $0.expense.receiptHash }
            .shown(as: { row in
                row.expense.receiptHash.map { .name(String($0.prefix(8))) } ?? .none
            })
            .narrowing(.leaves(2))
        Column.text("actor", "BY") { $0.recorded.actor }
            .narrowing(.leaves(0))
        Column.instant("recorded_at") { $0.recorded.recordedAt }
        Column.time("corrected_at", "CORRECTED") { $0.recorded.correctedAt }.optional
            .narrowing(.leaves(0))
        Column.boolean("void", "VOID") { $0.expense.isVoid == true ? true : nil }.optional
    }
    .emphasizing { $0.expense.isVoid == true ? .faint : .none }
}

extension ExpenseID {
    /// The beginning of the id that people see.
    package var short: String { String(description.prefix(TripID.shortDigitCount)) }
}

/// Amounts of money for people.
package enum MoneyText {
    /// Returns an amount with its currency, such as `61.20 EUR`.
    package static func text(_ amount: ExactDecimal, _ currency: String) -> String {
        "\(number(amount)) \(Excerpt.escaped(currency))"
    }

    /// Returns an amount with two decimals, or with as many more as it has.
    package static func number(_ amount: ExactDecimal) -> String {
        amount.units(places: 2).map { FixedPoint.text($0, decimals: 2) } ?? amount.description
    }
}

/// The sum over the expenses of a kind in a currency.
package struct ExpenseSum {
    /// More decimals than any currency has.
    private static let places: UInt8 = 6

    /// Returns a line for each kind and currency with their sums, and one for each currency; empty
    /// if there are no expenses.
    package static func text(of expenses: [RecordedExpense]) -> String {
        let standing = expenses.filter { $0.expense.isVoid != true }
        var facts: [(label: String, fact: String)] = []
        for currency in Set(standing.map(\.expense.currency)).sorted() {
            let own = standing.filter { $0.expense.currency == currency }
            for kind in ExpenseKind.allCases {
                let amounts = own.filter { $0.expense.kind == kind }.map(\.expense.amount)
                guard !amounts.isEmpty else { continue }
                facts.append(("\(kind.rawValue) \(currency)", text(amounts)))
            }
            facts.append(("total \(currency)", text(own.map(\.expense.amount))))
        }
        return FactSheet(facts).text(width: nil)
    }

    private static func text(_ amounts: [ExactDecimal]) -> String {
        var sum: Int64 = 0
        for amount in amounts {
            guard let units = amount.units(places: places),
                case (let next, let overflow) = sum.addingReportingOverflow(units), !overflow
            else { return "beyond what is added exactly" }
            sum = next
        }
        return ExactDecimal(significand: sum, decimals: Int(places)).map(MoneyText.number)
            ?? "beyond what is added exactly"
    }
}
