import ActiveTripProjection
import EventStore
import Projections
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

    /// Returns how many trips of a period go on, which is why no sum counts them yet.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func unfinishedTripCount(in period: LocalPeriod) throws(LedgerError) -> Int {
        try withViews { store in
            try activeTrips(in: store).values
                .filter { $0.status == .active && period.contains($0.startedAt) }
                .count
        }
    }
}
