import JSONText

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

    /// The letter of the north.
    package var north = "N"

    /// The letter of the east.
    package var east = "E"

    /// The letter of the south.
    package var south = "S"

    /// The letter of the west.
    package var west = "W"

    /// The word before the latitude at which a scale holds.
    package var at = "at"

    /// The mark before decimals.
    package var decimalMark = "."

    /// Creates the words of English.
    package init() {}

    /// Returns a number, given as a whole number of its last decimal.
    func number(_ number: Int64, decimals: Int) -> String {
        FixedPoint.text(number, decimals: decimals).replacing(".", with: decimalMark)
    }

    /// Returns a number without the zeros at its end, given as a whole number of its last decimal.
    func shortNumber(_ number: Int64, decimals: Int) -> String {
        var digits = FixedPoint.text(number, decimals: decimals)
        while digits.hasSuffix("0") { digits.removeLast() }
        if digits.hasSuffix(".") { digits.removeLast() }
        return digits.replacing(".", with: decimalMark)
    }
}
