import EventStore
public import TotalsProjection
import TripTracking

extension Ledger {
    /// Adds up the trips of a period, from views that are brought up to date before.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func totals(
        by grouping: TotalsGrouping,
        in period: LocalPeriod
    ) throws(LedgerError) -> TotalsTable {
        try withViews { store in
            var table = TotalsTable(by: grouping, in: period)
            let instants = period.instants
            let keys = ViewKeyRange(
                from: TotalsRow.key(of: instants.lowerBound),
                upTo: TotalsRow.key(of: instants.upperBound)
            )
            try store.scanValues(.totalsInOrder, in: keys) { row in
                table.add(try StaleViews.takingDamage { try TotalsRow(decoding: row) })
                return true
            }
            return table
        }
    }
}
