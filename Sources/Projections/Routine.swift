public import TripEvents

/// A template for trips, as it was last saved.
public struct Routine: Hashable, Sendable {
    /// Its name.
    public let name: String

    /// What the trips that it makes say about themselves.
    public let details: TripDetails

    /// Creates a routine.
    public init(name: String, details: TripDetails) {
        self.name = name
        self.details = details
    }
}
