/// The words of a map that are not part of its content, in one language.
package struct MapWords: Hashable, Sendable {
    /// The language, as HTML names it.
    package var language = "en"

    /// One trip.
    package var trip = "trip"

    /// Several trips.
    package var trips = "trips"

    /// The word between the least and the most trips.
    package var to = "to"

    /// A stretch that was not measured.
    package var gap = "gap: nothing was measured"

    /// Fixes that were not counted.
    package var notCounted = "not counted"

    /// Fixes that lie elsewhere.
    package var notShown = "not shown here"

    /// The ring around a place.
    package var place = "saved place"

    /// The line of the profile that shows the speed.
    package var speed = "Speed"

    /// The line of the profile that shows the distance.
    package var distance = "Distance so far"

    /// The button that makes the map larger.
    package var enlarge = "Enlarge"

    /// The button that shows more trips.
    package var showMore = "Show more"

    /// The description of the button that shows all trips.
    package var showAll = "Show all"

    /// The button that shows all trips.
    package var all = "All"

    /// Creates the words of English.
    package init() {}
}
