import LedgerTestSupport
import Projections
import Testing
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// What a ledger says about trips and decisions, without when it was stored.
struct BookFacts: Equatable {
    /// Every trip as JSON, newest first.
    var trips: [String]

    /// What people decided about each trip, in the order of the trips.
    var histories: [String] = []

    /// The decisions whose trips have gone.
    var orphans: [String]

    /// The sums over all hours.
    var totals = TotalsSums()

    /// The sums over the trips that count, taken from the trips themselves.
    var sumsOfTrips = TotalsSums()

    init(_ book: TemporaryLedger) throws {
        trips = try book.rowsWithoutArrival()
        for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
            histories += try book.ledger.history(of: row.trip.id)
                .map { line in
                    "\(row.trip.id) \(line.trip) \(line.kind) \(line.change) \(line.why ?? "-") "
                        + "\(line.actor ?? "-") \(line.source) \(line.occurredAt)"
                }
            if row.booked.counts { sumsOfTrips += TotalsSums(row.booked) }
        }
        orphans = try book.ledger.orphans().map { "\($0.trip) \($0.decision.event.json)" }
        var totals = TotalsSums()
        try book.ledger.reading { snapshot in
            try snapshot.store.scanValues(.totalsInOrder) { row in
                for cell in try TotalsRow(decoding: row).cells { totals += cell.sums }
                return true
            }
        }
        self.totals = totals
    }
}
