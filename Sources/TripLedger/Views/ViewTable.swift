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

    /// Trip id → row of the view of trips.
    case trips

    /// Order key → trip id.
    case tripsInOrder = "trips_in_order"

    /// Hour → sums of the trips that start in it.
    case totals

    /// Order key → hour.
    case totalsInOrder = "totals_in_order"

    /// Key → routine, or the trips to which it was applied.
    case routines

    /// Order key → key.
    case routinesInOrder = "routines_in_order"

    /// Trip id → trip that is going on.
    case activeTrips = "active_trips"

    /// Order key → trip id.
    case activeTripsInOrder = "active_trips_in_order"
}
