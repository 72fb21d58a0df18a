/// The tables of the environment `views/`.
///
/// All of it is derived: it can be deleted at any time.
enum ViewTable: String, CaseIterable, Sendable {
    /// `"views"` → ``ViewCursor``.
    case state

    /// Source number → ``SourceFold``: the active-trip checkpoint and how far it has read.
    case folds

    /// Source number, end of a trip → ``RewindPoint``.
    case rewinds

    /// Time, position → ``AmbientEvent``.
    case ambient

    /// Key → row of the book of measured trips and decisions.
    case book

    /// Trip id → order key.
    case trips

    /// Order key → row of the view of trips.
    case tripsInOrder = "trips_in_order"

    /// Hour → order key.
    case totals

    /// Order key → sums of the trips that start in an hour.
    case totalsInOrder = "totals_in_order"

    /// Key → order key.
    case routines

    /// Order key → routine, or the trips to which it was applied.
    case routinesInOrder = "routines_in_order"

    /// Trip id → order key.
    case activeTrips = "active_trips"

    /// Order key → what people said about a trip that is going on.
    case activeTripsInOrder = "active_trips_in_order"
}
