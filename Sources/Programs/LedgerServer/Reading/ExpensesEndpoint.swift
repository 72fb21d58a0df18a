import Hummingbird
import LedgerHTTP
import Tables
import TripEvents
import TripLedger

/// Lists what was paid beside the distance: tolls, parking, fuel, charging.
struct ExpensesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/expenses",
                "What was paid beside the distance, newest first",
                Query.days + [
                    Parameter("vehicle", .text, "Only with this vehicle"),
                    Parameter("trip", .text, "Only of this trip"),
                    Parameter(
                        "kind",
                        .word(ExpenseKind.allCases.map(\.rawValue)),
                        "Only of this kind"
                    ),
                    Parameter("voided", .word(["yes"]), "Also those that were taken back"),
                    .cursor, .longLimit, .atLeast,
                ],
                as: .page(of: "expense"),
                reaching: .seen,
                list
            )
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let query = call.query
        return try await reader.page(call, of: ListedExpense.columns) { snapshot in
            let rows = try Self.rows(query, in: snapshot)
            let page = try ListPage(of: rows, query) { $0.recorded.id.description }
            return (page.rows, page.next)
        }
    }

    /// Returns the expenses that a query chooses, the latest day first.
    private static func rows(
        _ query: Query,
        in snapshot: borrowing Snapshot
    ) throws -> [ListedExpense] {
        let clock = try snapshot.requireClock()
        let period = try query.period(by: clock)
        let (kind, vehicle) = (query.text("kind"), query.text("vehicle"))
        var trip: TripID?
        if let text = query.text("trip") {
            guard let reference = TripReference(text) else { throw Problem.unknown }
            trip = try snapshot.trip(reference).trip.id
        }
        let book = try snapshot.expenses()
        var rows: [ListedExpense] = []
        for recorded in book.expenses + (query.text("voided") == nil ? [] : book.voided) {
            let row = ListedExpense(recorded, localDay: clock)
            let expense = recorded.expense
            guard period?.containsDay(row.day) ?? true,
                kind.map({ expense.kind.rawValue == $0 }) ?? true,
                vehicle.map({ recorded.isOf(vehicle: $0) }) ?? true,
                trip == nil || expense.trip == trip,
                // A correction may name a trip that the asker does not see.
                try snapshot.areSeen(expense.trip.map { [$0] } ?? [])
            else { continue }
            rows.append(row)
        }
        return rows.sorted { $1.sortKey < $0.sortKey }
    }
}
