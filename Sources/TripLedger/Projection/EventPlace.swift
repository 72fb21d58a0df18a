import TripEvents

/// What of an ``EventMark`` nearly always tells the order: so little that those of a million events
/// can be kept.
struct EventPlace: Comparable, Sendable {
    /// When the event happened.
    var occurredAt: Timestamp

    /// Its position in the log.
    var position: UInt64

    static func < (left: EventPlace, right: EventPlace) -> Bool {
        left.occurredAt == right.occurredAt
            ? left.position < right.position : left.occurredAt < right.occurredAt
    }
}
