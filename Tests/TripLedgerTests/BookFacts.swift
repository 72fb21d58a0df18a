import LedgerTestSupport
import Projections
import Testing
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// The content of a ledger about trips and decisions, without the times of storing.
struct BookFacts: Equatable {
    /// Every trip as JSON, newest first.
    var trips: [String]

    /// The decisions about each trip, in the order of the trips.
    var histories: [String] = []

    /// The decisions that have no effect, and why.
    var withoutEffect: [String]

    /// The sums over all hours, by the reason for which trips do not count.
    var totals: [AbandonReason?: TotalsSums] = [:]

    /// The same, taken from the trips themselves.
    var sumsOfTrips: [AbandonReason?: TotalsSums] = [:]

    init(_ book: TemporaryLedger) throws {
        trips = try book.rowsWithoutArrival()
        for row in try book.ledger.trips(TripFilter(includesUncounted: true)) {
            histories += try book.ledger.history(of: row.trip.id)
                .map { line in
                    "\(row.trip.id) \(line.trip) \(line.kind) \(line.change) \(line.why ?? "-") "
                        + "\(line.actor ?? "-") \(line.source) \(line.occurredAt)"
                }
            let booked = row.booked
            guard booked.counts || booked.uncountedReason != nil else { continue }
            sumsOfTrips[booked.uncountedReason, default: TotalsSums()] += TotalsSums(booked)
        }
        withoutEffect = try book.ledger.decisionsWithoutEffect()
            .map { "\($0.trip.map(\.description) ?? "-") \($0.obstacle) \($0.decision.event.json)" }
        var totals: [AbandonReason?: TotalsSums] = [:]
        try book.ledger.reading { snapshot in
            try snapshot.store.scanValues(.totalsInOrder) { row in
                for cell in try TotalsRow(decoding: row).cells {
                    totals[cell.key.uncounted, default: TotalsSums()] += cell.sums
                }
                return true
            }
        }
        self.totals = totals
    }
}
