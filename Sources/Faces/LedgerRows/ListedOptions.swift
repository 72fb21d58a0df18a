package import Projections
package import Tables
import TripEvents
package import TripLedger

/// The decisions that a trip allows: `trip-options.v1.schema.json`.
package struct ListedOptions: Tabular, Sendable {
    private let options: TripOptions
    private let places: PlaceBook

    /// Joins what can be decided and the names of places.
    package init(_ options: TripOptions, places: PlaceBook) {
        self.options = options
        self.places = places
    }

    /// A trip with which it may be merged.
    private struct Neighbour: Tabular, Sendable {
        let neighbour: TripOptions.Neighbour
        let places: PlaceBook

        static let columns = Columns<Neighbour> {
            Column.row("trip", NamedTrip.columns) {
                NamedTrip($0.neighbour.booked, places: $0.places)
            }
            Column.duration("pause_s") { $0.neighbour.pauseMilliseconds }
            Column.row("refusal", LedgerError.refusalColumns) { $0.neighbour.refusal }.optional
        }
    }

    private func listed(_ neighbour: TripOptions.Neighbour?) -> Neighbour? {
        neighbour.map { Neighbour(neighbour: $0, places: places) }
    }

    /// The columns.
    package static let columns = Columns<ListedOptions> {
        Column.trip("trip") { $0.options.booked.id }
        Column.name("status") { $0.options.booked.status.rawValue }
        Column.name("waits_for") { $0.options.booked.missingDetail?.rawValue }.optional
        Column.list("restores") { $0.options.booked.restorable.map(\.rawValue) }
        Column.row("previous", Neighbour.columns) { $0.listed($0.options.previous) }
        Column.row("next", Neighbour.columns) { $0.listed($0.options.next) }
        Column.row("split", TripOptions.Span.columns) { $0.options.split }
        Column.row("exclude", TripOptions.Span.columns) { $0.options.exclusion }
        Column.list("recover") { $0.options.recoveries.map(\.rawValue) }
        Column.list("classes") { _ in TripClass.allCases.map(\.rawValue) }
        Column.list("modes") { _ in TravelMode.allCases.map(\.rawValue) }
        Column.rows("fields", FieldDefined.columns) { $0.options.fields }
    }
}

extension TripOptions.Span: Tabular {
    /// The times for which something can be decided, or why it cannot be.
    package static let columns = Columns<TripOptions.Span> {
        Column.time("after") { $0.times?.after }.optional
        Column.time("until") { $0.times?.until }.optional
        Column.row("refusal", LedgerError.refusalColumns) { $0.refusal }.optional
    }
}

extension LedgerError {
    /// Why a decision is refused, as the problem `refused` says it.
    fileprivate static let refusalColumns = Columns<LedgerError> {
        Column.name("code") { $0.code.rawValue }
        Column.text("detail") { $0.refusalText }
        Column.text("cause") { $0.cause }
        Column.text("hint") { $0.hint.isEmpty ? nil : $0.hint }.optional
    }
}
