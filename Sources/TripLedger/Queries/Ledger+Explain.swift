import EventStore
import Geodesy
import Projections
import SystemPackage
import TripEvents
import TripTracking
import TripsProjection

extension Ledger {
    /// Computes a trip again from the log and says what each event meant for it.
    ///
    /// Of a merged trip all parts are computed again, one after the other.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func explain(_ reference: TripReference) throws(LedgerError) -> TripExplanation {
        try withViews { store in
            let row = try trip(reference, in: store)
            // The rows were made up to there; what came since is not in them.
            let end = try validCursor(of: store).size
            var explainer = try TripExplainer(log: log, rules: rules, over: store, upTo: end)
            var events: [ExplainedEvent] = []
            var parts: [Trip] = []
            for id in row.booked.parts.isEmpty ? [row.trip.id] : row.booked.parts {
                guard let part = try Self.tripRow(id, in: store)?.trip,
                    let explained = try explainer.explain(part)
                else { throw missing(id) }
                // Nothing was measured on the way from the part before.
                let missed = Self.gaps(of: parts + [explained.trip]) - Self.gaps(of: parts)
                events += Self.continued(
                    explained.events,
                    after: events.last?.sum ?? .zero,
                    gap: missed - explained.trip.gaps.distance
                )
                parts.append(explained.trip)
            }
            guard let whole = Self.merged(parts) else { throw missing(row.trip.id) }
            return TripExplanation(
                trip: whole,
                row: row,
                events: events,
                amendments: try TripBook().history(of: row.trip.id, in: BookRows(over: store))
            )
        }
    }

    private static func merged(_ parts: [Trip]) -> Trip? {
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        return Trip(merging: first, with: Array(parts.dropFirst()))
    }

    private static func gaps(of parts: [Trip]) -> Distance {
        merged(parts)?.gaps.distance ?? .zero
    }

    /// Returns the events of a part of a merged trip as they continue the parts before it.
    private static func continued(
        _ events: [ExplainedEvent],
        after sum: Distance,
        gap: Distance
    ) -> [ExplainedEvent] {
        var continued = events
        for index in continued.indices {
            continued[index].sum += sum
        }
        if let first = continued.indices.first { continued[first].gap += gap }
        return continued
    }

    private func missing(_ trip: TripID) -> LedgerError {
        LedgerError(
            .damaged,
            at: path.string,
            cause: "the view has trip \(trip), but the log does not give it",
            hint: "Make the views anew with `ledger project --rebuild`"
        )
    }
}
