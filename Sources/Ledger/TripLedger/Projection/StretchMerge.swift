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
    init(_ place: EventPlace) {
        start = place
        endsAt = place.occurredAt
    }

    /// The positions of the events.
    var positions: Range<UInt64> { start.position..<start.position + count }

    /// Adds the event that follows in the log and in event order.
    mutating func extend(to occurredAt: Timestamp) {
        endsAt = occurredAt
        count += 1
    }
}

/// The part of an ``EventMark`` that nearly always tells the order, small enough to be kept of many
/// thousands of events.
struct EventPlace: Comparable, Sendable {
    /// When the event happened.
    var occurredAt: Timestamp

    /// Its position in the log.
    var position: UInt64

    /// Creates a place.
    init(occurredAt: Timestamp, position: UInt64) {
        self.occurredAt = occurredAt
        self.position = position
    }

    /// Creates the place of a mark.
    init(_ mark: EventMark) {
        self.init(occurredAt: mark.occurredAt, position: mark.position)
    }

    static func < (left: EventPlace, right: EventPlace) -> Bool {
        left.occurredAt == right.occurredAt
            ? left.position < right.position : left.occurredAt < right.occurredAt
    }
}

/// Puts the events of stretches that overlap in time into order of time, a part at a time.
///
/// It keeps the places of some thousands of events, and not of all: each stretch has an order of
/// its own, so it is read on only when everything before is handed over.
struct StretchMerge {
    /// A stretch that was read in part.
    private struct Reading {
        /// The part that was not read.
        var rest: Range<UInt64>

        /// An instant before which nothing is left to be read of it.
        var readUntil: Timestamp
    }

    /// How many places it keeps, unless more stretches go on at once or more events happen at one
    /// instant: a megabyte.
    private let most: Int

    /// The fewest places that are read of a stretch at once, as far as it has so many.
    private static let fewestOfStretch = 64

    /// The stretches that were not begun, in order of their starts.
    private var waiting: ArraySlice<OrderedStretch>

    /// The stretches that were begun and not finished.
    private var open: [Reading] = []

    /// The events that were read and not handed over.
    private var pending: [EventPlace] = []

    /// Begins with stretches in order of their starts.
    init(_ stretches: ArraySlice<OrderedStretch>, keeping most: Int = 1 << 16) {
        waiting = stretches
        self.most = most
    }

    /// Returns the next events in order of time, and those of one instant all at once; none at the
    /// end.
    ///
    /// - Parameter places: returns the places of the events at some positions, which ascend.
    /// - Returns: The events after those that were returned before.
    /// - Throws: The errors of `places`.
    mutating func next(
        _ places: (_ positions: [UInt64]) throws -> [EventPlace]
    ) throws -> [EventPlace] {
        while let limit {
            try readOn(from: limit, places)
            let part = takePending(before: self.limit)
            if !part.isEmpty { return part }
        }
        return takePending(before: nil)
    }

    /// An instant before which nothing is left to be read; `nil` if nothing is left at all.
    private var limit: Timestamp? {
        let read = open.lazy.map(\.readUntil).min()
        guard let start = waiting.first?.start.occurredAt else { return read }
        return read.map { min($0, start) } ?? start
    }

    private mutating func takePending(before limit: Timestamp?) -> [EventPlace] {
        pending.sort()
        let end = limit.flatMap { limit in pending.firstIndex { $0.occurredAt >= limit } }
        let part = Array(pending[..<(end ?? pending.count)])
        pending.removeFirst(part.count)
        return part
    }

    /// Reads on in all stretches that hold back what comes at an instant, and begins some more.
    private mutating func readOn(
        from limit: Timestamp,
        _ places: (_ positions: [UInt64]) throws -> [EventPlace]
    ) throws {
        let horizon = admit(from: limit)
        let pieceCount = max(Self.fewestOfStretch, most / max(1, open.count))
        let due = open.indices.filter { open[$0].readUntil <= horizon }
            .sorted { open[$0].rest.lowerBound < open[$1].rest.lowerBound }
        let pieces = due.map { index in
            let rest = open[index].rest
            return rest.lowerBound..<min(rest.upperBound, rest.lowerBound + UInt64(pieceCount))
        }
        let read = try places(pieces.flatMap(\.self))
        var end = 0
        for (index, piece) in zip(due, pieces) {
            end += piece.count
            open[index].readUntil = read[end - 1].occurredAt
            open[index].rest = piece.upperBound..<open[index].rest.upperBound
        }
        pending += read
        open.removeAll(where: \.rest.isEmpty)
    }

    /// Begins the stretches that start at an instant or before it, and later ones while there is
    /// room; returns up to when all are begun.
    private mutating func admit(from limit: Timestamp) -> Timestamp {
        var horizon = limit
        var room = most - pending.count
        while let stretch = waiting.first, stretch.start.occurredAt <= limit || room > 0 {
            waiting.removeFirst()
            room -= min(Int(stretch.count), Self.fewestOfStretch)
            horizon = max(horizon, stretch.start.occurredAt)
            open.append(
                Reading(rest: stretch.positions, readUntil: stretch.start.occurredAt)
            )
        }
        return horizon
    }
}
