import SystemPackage
import TripEvents
import TripLedger
import TripTracking

/// The trips that are going on, for finding the one that a decision about a recovery means.
struct OpenTrips {
    private let all: [Trip]
    private let recovering: [Trip]

    init(_ status: LedgerStatus) {
        all = status.sources.compactMap(\.live.trip)
        recovering = status.sources.filter { $0.live.phase == .recovering }
            .compactMap(\.live.trip)
    }

    /// Returns the trip with an id, or without one, the only trip that is recovering, or else the
    /// only one that goes on.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one.
    func trip(_ id: TripID?, in ledger: Ledger) throws(LedgerError) -> Trip {
        let candidates =
            id.map { id in all.filter { $0.id == id } } ?? (recovering.isEmpty ? all : recovering)
        guard let trip = candidates.first else {
            let what = id.map { "trip \($0.short) is not going on" } ?? "no trip is going on"
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "\(what), so there is nothing to recover",
                hint: "See what is going on with `ledger status`. A trip that should not count is "
                    + "voided with `ledger void`"
            )
        }
        guard candidates.count == 1 else {
            let names = candidates.map { "\($0.id.short) of \($0.source)" }
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "several trips are going on: \(names.joined(separator: ", "))",
                hint: "Name one of them by its id, or its source with --source"
            )
        }
        return trip
    }
}
