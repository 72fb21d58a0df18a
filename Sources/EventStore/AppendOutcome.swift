/// What became of one event of a batch.
///
/// A position in an outcome may be that of an earlier event of the same batch. If the batch was not
/// committed, that event is not in the log: ask `AppendResult.isStored(at:)`.
package enum AppendOutcome: Hashable, Sendable {
    /// The event got this position.
    case appended(position: UInt64)

    /// The same event was there before, at this position.
    case duplicate(of: UInt64)

    /// Another event with this sender's id was there before, at this position.
    case conflict(with: UInt64)

    /// The event needs more bytes than an entry may have.
    case tooLarge

    /// Whether nothing keeps the event out of the log.
    var isAccepted: Bool {
        switch self {
        case .appended, .duplicate: true
        case .conflict, .tooLarge: false
        }
    }
}
