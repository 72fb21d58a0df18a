/// What changed in the book: the input of every projector.
public enum BookChange: Hashable, Sendable {
    /// A trip came, went or is another than before.
    case trip(TripChange)

    /// A routine came, went or is another than before.
    case routine(RoutineChange)
}
