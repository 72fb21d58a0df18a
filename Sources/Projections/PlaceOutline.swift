import Geodesy
import TripEvents

/// A version of a place as far as positions are compared with it.
struct PlaceOutline: Hashable, Sendable {
    /// The latest instant there is.
    static let never = Timestamp(milliseconds: .max)

    /// Where the version stands in the book.
    let index: Int

    /// Which name it has: names are numbered in order of their bytes.
    let name: Int

    /// The middle.
    let center: Coordinate

    /// How far it reaches.
    let radius: Distance

    /// What is looked at before anything is measured.
    let box: CoordinateBox

    /// The first instant at which it is the place.
    let holdsFrom: Timestamp

    /// The first instant at which it is the place no more.
    let holdsUntil: Timestamp

    /// Creates the outline of a version.
    init(_ place: SavedPlace, index: Int, name: Int) {
        self.index = index
        self.name = name
        center = place.center
        radius = place.radius
        box = CoordinateBox(around: place.center, reaching: place.radius)
        holdsFrom = place.holdsFrom
        holdsUntil = place.holdsUntil ?? Self.never
    }

    /// Returns whether it is the place at an instant.
    func holds(at instant: Timestamp) -> Bool {
        holdsFrom <= instant && instant < holdsUntil
    }
}
