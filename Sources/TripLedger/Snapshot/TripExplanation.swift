import EventStore
public import Geodesy
public import Projections
import SystemPackage
import TripEvents
public import TripTracking
public import TripsProjection

extension Snapshot {
    /// Computes a trip again from the log and says what each event meant for it.
    ///
    /// Of a merged trip all parts are computed again, one after the other.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func explain(_ reference: TripReference) throws(LedgerError) -> TripExplanation {
        try asking {
            let row = try store.trip(reference, of: path)
            var explainer = TripExplainer(try runner(), upTo: head.size)
            var events: [ExplainedEvent] = []
            var parts: [Trip] = []
            for id in row.booked.parts.isEmpty ? [row.trip.id] : row.booked.parts {
                guard let part = try store.tripRow(id)?.trip,
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

/// A trip computed again from the log, event by event.
public struct TripExplanation: Sendable {
    /// The trip as it comes out now.
    public var trip: Trip

    /// The trip as the view has it.
    public var row: TripRow

    /// What makes the trip, in event order.
    ///
    /// These are the events of its source from its start to its end; of a reported trip, the
    /// report; of a merged trip, what makes each part. A part of a trip that was split begins or
    /// ends with the event that splits.
    public var events: [ExplainedEvent]

    /// Every change that people made to the trip, in event order.
    public var amendments: [TripAmendment]

    /// Whether the view says what comes out now.
    public var isConfirmed: Bool { row.trip == trip }
}

/// One line of an explanation: an event of the trip's source and what it meant for the trip.
public struct ExplainedEvent: Hashable, Sendable {
    /// The event as stored.
    public var stored: StoredEvent

    /// What the rules made of it, if it is a fix.
    public var verdict: Verdict?

    /// What it added to the trip's distance.
    public var added: Distance

    /// The straight line across the gap that it ended, else nothing.
    public var gap: Distance

    /// The trip's distance after it.
    public var sum: Distance
}
