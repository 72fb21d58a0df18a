public import Geodesy
public import TripEvents

/// A place as it was saved once, and the time for which that holds.
public struct SavedPlace: Hashable, Sendable {
    /// What was said of it.
    public let saving: PlaceSaved

    /// When it was saved.
    public let savedAt: EventTime

    /// The middle.
    public let center: Coordinate

    /// How far it reaches.
    public let radius: Distance

    /// The first instant at which it is the place.
    public let holdsFrom: Timestamp

    /// The first instant at which it is the place no more; `nil` if it still is.
    public internal(set) var holdsUntil: Timestamp?

    /// Creates a place from the event that saved it, or returns `nil` if it lies nowhere.
    init?(_ saving: PlaceSaved, savedAt: EventTime, holdsFrom: Timestamp) {
        let center = Coordinate(
            latitude: saving.latitude.doubleValue,
            longitude: saving.longitude.doubleValue
        )
        guard let center else { return nil }
        self.saving = saving
        self.savedAt = savedAt
        self.center = center
        self.holdsFrom = holdsFrom
        radius = Distance(nearestTo: saving.radiusMeters)
    }

    /// The name that other events call it by.
    public var name: String { saving.place }

    /// What people see: the label, else the name.
    public var title: String { saving.label ?? saving.place }
}
