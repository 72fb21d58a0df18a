import Projections
public import RoutinesProjection

extension Ledger {
    /// Returns the routines with their uses.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func routines() throws(LedgerError) -> RoutineCatalogue {
        try withViews { store in
            var rows: [RoutineRow] = []
            try store.scan(.routines, from: nil) { key, stored in
                guard let row = ViewRows.row(key: key, stored: stored),
                    let decoded = try? RoutineRow(decoding: row.value)
                else { throw StaleViews(sentence: "the view of routines is damaged") }
                rows.append(decoded)
                return true
            }
            return RoutineCatalogue(rows)
        }
    }
}
