/// Whether a trip moves.
///
/// The trip as it was is kept elsewhere, so that a trip that moves is not slowed down by its size.
indirect enum Pace: Hashable, Sendable {
    case moving

    /// It has not moved since then.
    case resting(Rest)

    var isResting: Bool {
        switch self {
        case .moving: false
        case .resting: true
        }
    }

    /// The trip when it last moved; `nil` if it moves.
    var rest: Rest? {
        switch self {
        case .moving: nil
        case .resting(let rest): rest
        }
    }
}
