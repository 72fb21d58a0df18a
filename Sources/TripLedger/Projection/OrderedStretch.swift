import TripEvents

/// Events of one source that stand in the log one right after the other, in event order.
struct OrderedStretch: Sendable {
    /// The first event.
    let start: EventPlace

    /// When the last event happened.
    private(set) var endsAt: Timestamp

    /// How many events there are.
    private(set) var count: UInt64 = 1

    /// Creates a stretch of one event.
    init(_ mark: EventMark) {
        start = EventPlace(occurredAt: mark.occurredAt, position: mark.position)
        endsAt = mark.occurredAt
    }

    /// Where the events stand.
    var positions: Range<UInt64> { start.position..<start.position + count }

    /// Adds the event that follows in the log and in event order.
    mutating func extend(to mark: EventMark) {
        endsAt = mark.occurredAt
        count += 1
    }
}

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
