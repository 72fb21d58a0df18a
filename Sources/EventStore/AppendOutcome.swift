/// What became of one event of a batch.
package enum AppendOutcome: Hashable, Sendable {
    /// The event is stored at this position.
    case appended(position: UInt64)

    /// The same event was stored before, at this position.
    case duplicate(of: UInt64)

    /// Another event with this sender's id is stored at this position.
    case conflict(with: UInt64)

    /// The event needs more bytes than an entry may have.
    case tooLarge

    /// Whether the event is in the log now.
    package var isStored: Bool {
        switch self {
        case .appended, .duplicate: true
        case .conflict, .tooLarge: false
        }
    }
}
