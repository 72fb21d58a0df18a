package import Projections
package import RoutinesProjection
package import Tables
import TripEvents
package import TripLedger
import TripTracking

/// A trip that needs a class or a purpose: `waiting-trip.v1.schema.json`.
package struct WaitingTrip: Tabular, Sendable {
    /// The trip.
    package let booked: BookedTrip

    /// The names of its ends.
    package let places: PlaceBook

    /// The routine that was applied to a trip between the same places.
    package let routine: Routine?

    /// Looks for the routine that fits a trip.
    package init(
        _ booked: BookedTrip,
        places: PlaceBook,
        of catalogue: RoutineCatalogue
    ) {
        self.booked = booked
        self.places = places
        let best = catalogue.suggestions(for: booked).first
        routine = best.flatMap { $0.hasSamePlaces ? $0.summary.routine : nil }
    }

    /// The trip's whole id, by which it is found whatever else is there.
    package var reference: TripReference { .prefix(booked.id.description) }

    /// The columns.
    package static let columns = Columns<WaitingTrip> {
        Column.trip("id", "TRIP") { $0.booked.id }.identifying
        Column.time("started_at", "STARTED") { $0.booked.trip.startedAt }
            .shown(as: { .dayAndMinute($0.booked.trip.startedAt) })
        Column.time("ended_at") { $0.booked.trip.endedAt }
        Column.distance("distance_m", "") { $0.booked.claimedDistance }
        Column("from", "FROM", .text) { Cell(.start(of: $0.booked, $0.places)) }
            .shown(as: { Cell(nearly: .start(of: $0.booked, $0.places)) })
        Column("to", "TO", .text) { Cell(.end(of: $0.booked, $0.places)) }
            .shown(as: { Cell(nearly: .end(of: $0.booked, $0.places)) })
        Column.name("class", "CLASS") { $0.booked.tripClass.rawValue }
            .shown(onlyWhere: { $0.booked.tripClass != .unclassified })
        Column.text("fits", "FITS") { $0.routine?.name }
    }
}
