public import TripEvents

/// The ledger's answer to one event.
///
/// It is given only when it is true on disk.
public enum Receipt: Hashable, Sendable {
    /// The event is stored at this position.
    case appended(position: UInt64)

    /// The same event was stored before, at this position.
    case duplicate(of: UInt64)

    /// Another event with this sender's id is stored at this position; the fields differ.
    case conflict(with: UInt64, fields: [String])

    /// The event is not acceptable.
    case rejected(Rejection)

    /// The event was acceptable, but all-or-nothing was asked for and another one was not.
    case heldBack

    /// Where the event is in the log; `nil` if it is not there.
    public var storedPosition: UInt64? {
        switch self {
        case .appended(let position), .duplicate(let position): position
        case .conflict, .rejected, .heldBack: nil
        }
    }

    /// Whether the event is in the log.
    public var isStored: Bool { storedPosition != nil }
}
