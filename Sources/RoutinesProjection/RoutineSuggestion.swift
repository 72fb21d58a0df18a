/// A routine that may fit a trip: an idea, never a fact until somebody applies it.
public struct RoutineSuggestion: Hashable, Sendable {
    /// The routine.
    public let summary: RoutineSummary

    /// Whether one of its latest trips started and ended where this one does, to 250 m.
    public let hasSamePlaces: Bool

    /// How far this trip's time of day lies from the nearest of its latest trips, in minutes.
    ///
    /// Of those with the same places, if there are any; `nil` if it was never used.
    public let minutesApart: Int?
}
