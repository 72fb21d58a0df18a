package import Projections
package import RoutinesProjection
package import Tables
import TripEvents
package import TripLedger
import TripTracking

/// A trip that waits for a decision: for a class or a purpose, or about another trip of its drive:
/// `waiting-trip.v1.schema.json`.
package struct WaitingTrip: Tabular, Sendable {
    /// The trip.
    package let booked: BookedTrip

    /// The names of its ends.
    package let places: PlaceBook

    /// The routine that was applied to a trip between the same places.
    package let routine: Routine?

    /// The question that arises because its drive is in the book twice; `nil` for none.
    package let question: TripOverlaps.Question?

    /// Looks for the routine that fits a trip.
    package init(
        _ booked: BookedTrip,
        places: PlaceBook,
        of catalogue: RoutineCatalogue,
        asking question: TripOverlaps.Question? = nil
    ) {
        self.booked = booked
        self.question = question
        self.places = places
        let best = catalogue.suggestions(for: booked).first
        routine = best.flatMap { $0.hasSamePlaces ? $0.summary.routine : nil }
    }

    /// The trip's whole id, which no other trip can match.
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
        Column.name("asked") { $0.question?.subject.rawValue }.optional
        Column.trip("twin") { $0.question?.twin }.optional
        Column.name("waits_for") { $0.waitsFor }.optional
        Column.shown("REASON") { $0.reason.map { .text($0) } ?? .none }
    }

    /// What it waits for, by its name in JSON: the detail that it lacks, else a word about the
    /// other trip of its drive; `nil` for nothing.
    package var waitsFor: String? {
        booked.missingDetail?.rawValue ?? question.map { _ in "twin" }
    }

    /// Why it waits although it may have a class and a purpose, in words; `nil` if its drive is in
    /// the book once, or if both trips of it agree.
    package var reason: String? {
        question.map { question in
            let twin = "\(question.twin.short) by \(question.source)"
            return switch question.subject {
            case .tripClass: "\(twin) says class \(question.said ?? "")"
            case .purpose: "\(twin) says purpose \(question.said ?? "")"
            case .client: "\(twin) says client \(question.said ?? "")"
            case .vehicle: "\(twin) was at that time too; neither has a vehicle"
            }
        }
    }
}
