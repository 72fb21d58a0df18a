/// What a fix means for visits.
public enum VisitChange: Hashable, Sendable {
    /// A visit began.
    case entered(Visit)

    /// A visit is over.
    case left(Visit)
}
