import Projections
public import RoutinesProjection

extension Ledger {
    /// Returns the routines with their uses.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func routines() throws(LedgerError) -> RoutineCatalogue {
        try withViews { store in
            var rows: [RoutineRow] = []
            try store.scanValues(.routinesInOrder) { row in
                rows.append(try StaleViews.takingDamage { try RoutineRow(decoding: row) })
                return true
            }
            return RoutineCatalogue(rows)
        }
    }
}
