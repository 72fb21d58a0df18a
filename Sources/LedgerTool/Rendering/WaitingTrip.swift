import Projections
import Reports
import RowFormats
import TripEvents
import TripLedger
import TripTracking

/// A trip that needs a class or a purpose: `waiting-trip.v1.schema.json`.
struct WaitingTrip: Tabular {
    /// The trip.
    let booked: BookedTrip

    /// What its ends are called.
    let places: PlaceBook

    /// The routine that was applied to a trip between the same places.
    let routine: Routine?

    /// The trip's whole id, by which it is found whatever else is there.
    var reference: TripReference { .prefix(booked.id.description) }

    /// Whether a person has something left to say about a trip.
    static func isWaiting(_ booked: BookedTrip) -> Bool {
        switch booked.tripClass {
        case .unclassified: true
        case .business: booked.details.purpose == nil && booked.details.title == nil
        default: false
        }
    }

    static let columns = Columns<WaitingTrip> {
        Column.trip("id", "TRIP") { $0.booked.id }
        Column.time("started_at", "STARTED") { $0.booked.trip.startedAt }
            .shown(as: { .dayAndMinute($0.booked.trip.startedAt) })
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
