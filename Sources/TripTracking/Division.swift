/// Whether the trip in progress is being divided in two.
///
/// It is kept elsewhere, so that a trip that nobody splits is not slowed down by its size.
indirect enum Division: Hashable, Sendable {
    case none

    /// It will be as soon as it moves on after the split.
    case pending(PendingDivision)

    /// It has just been: the trip in progress is the second part, and this was the first, at its
    /// last kept fix.
    case done(Rest)

    /// Whether it waits.
    @inline(__always)
    var isPending: Bool {
        switch self {
        case .pending: true
        case .none, .done: false
        }
    }

    /// The split that waits, if one does.
    var pending: PendingDivision? {
        switch self {
        case .pending(let pending): pending
        case .none, .done: nil
        }
    }
}
