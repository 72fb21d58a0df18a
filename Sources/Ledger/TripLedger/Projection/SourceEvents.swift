import EventStore
import Projections
import RowCoding
import TripEvents
import TripTracking

/// The place of an event in its source's event order, with the position in the log instead of the
/// identity digest: the digest is needed only between events that are equal in everything else.
struct EventMark: Hashable, Sendable {
    /// When it happened.
    var occurredAt: Timestamp

    /// The rank of its kind.
    var rank: UInt8

    /// The sender's counter, if it gave one.
    var sequence: UInt64?

    /// Its position in the log.
    var position: UInt64

    /// Returns whether one event comes before another, or `nil` if only the identity digests tell.
    static func precedes(_ left: EventMark, _ right: EventMark) -> Bool? {
        if left.occurredAt != right.occurredAt { return left.occurredAt < right.occurredAt }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.sequence == right.sequence { return nil }
        guard let leftSequence = left.sequence else { return true }
        guard let rightSequence = right.sequence else { return false }
        return leftSequence < rightSequence
    }

    /// Writes the mark.
    func write(to writer: inout RowEncoder) {
        writer.write(occurredAt.milliseconds)
        writer.write(UInt64(rank))
        writer.write(sequence) { $0.write($1) }
        writer.write(position)
    }

    /// Creates a mark.
    init(occurredAt: Timestamp, rank: UInt8, sequence: UInt64?, position: UInt64) {
        self.occurredAt = occurredAt
        self.rank = rank
        self.sequence = sequence
        self.position = position
    }

    /// Creates the mark of a decision that takes effect at an instant, before all events then.
    init(startOf instant: Timestamp, position: UInt64) {
        self.init(occurredAt: instant, rank: 0, sequence: nil, position: position)
    }

    /// Reads a mark.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        occurredAt = Timestamp(milliseconds: try reader.readInt64())
        guard let rank = UInt8(exactly: try reader.readUInt64()) else { throw .invalidValue }
        self.rank = rank
        sequence = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readUInt64()
        }
        position = try reader.readUInt64()
    }
}

extension EventMark {
    /// Reads where an entry stands in its source's event order.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - position: Its position in the log.
    ///   - clock: How the clock of the source was wrong.
    init(_ entry: EntryView, at position: UInt64, clock: ClockShifts = ClockShifts()) {
        let form = PayloadForm(rawValue: entry.form)
        self.init(
            occurredAt: clock.time(of: Timestamp(milliseconds: entry.occurredAt)),
            rank: EventKind(rawValue: entry.kind)?.rank ?? .max,
            sequence: form.hasSequence
                ? PayloadPrefix(entry.payload, form: form)?.sequence : nil,
            position: position
        )
    }
}

/// The events of sources in event order, as the log has them and as people corrected the clocks.
struct SourceEvents {
    let log: ReadableLog

    /// The names of the sources.
    var names: SourceNames

    /// Finds the facts about events that trackers ask for.
    var directory: LogDirectory

    /// The sources about whose clocks decisions were read, by the bytes of their names.
    var clockNews: Set<[UInt8]> = []

    private let store: ReadableViews?

    /// The decisions about clocks, once they are needed.
    private var clockBook: ClockBook?

    /// Prepares to ask a log and the views that were made of it; without views, nothing was decided
    /// about clocks yet.
    init(of log: ReadableLog, over store: ReadableViews?) {
        self.log = log
        self.store = store
        names = SourceNames(log)
        directory = LogDirectory(log: log, names: names)
    }

    /// Decodes an entry.
    mutating func storedEvent(
        _ entry: EntryView,
        at position: UInt64
    ) throws -> StoredEvent {
        let source = try names.source(of: entry.source, at: position)
        return try StoredEvent(entry, at: position, source: source)
    }

    /// Returns the event at a position.
    mutating func storedEvent(at position: UInt64) throws -> StoredEvent {
        let stored = try log.withEntry(at: position) { try storedEvent($0, at: position) }
        guard let stored else { throw StaleViews.unknownEntry }
        return stored
    }

    /// Returns what people said about clocks, as far as it was noted.
    mutating func clocks() throws -> ClockBook {
        if let clockBook { return clockBook }
        let book = ClockBook(try TripBook(over: store).decisions(on: .clocks))
        clockBook = book
        return book
    }

    /// Returns how the clock of a source was wrong.
    mutating func clock(of source: RegisteredSource) throws -> ClockShifts {
        try clocks().shifts(ofSource: source.name, in: source.group)
    }

    /// Takes note of a decision, which may be about a clock.
    mutating func noteClock(_ decision: Decision) throws {
        guard decision.event.body.kind == .clockShifted else { return }
        _ = try clocks()
        if let name = clockBook?.add(decision) { clockNews.insert(Array(name.utf8)) }
    }

    /// Returns whether one event comes before another in event order.
    mutating func precedes(_ left: EventMark, _ right: EventMark) throws -> Bool {
        if let answer = EventMark.precedes(left, right) { return answer }
        return try identity(at: left.position) < identity(at: right.position)
    }

    /// Returns the identity digest of the event at a position.
    mutating func identity(at position: UInt64) throws -> IdentityDigest {
        let identity = try log.withEntry(at: position) { entry in
            IdentityDigest(
                entry.identityDigest(
                    sourceName: try names.name(of: entry.source, at: position)
                )
            )
        }
        // Positions come from marks of the views when they are not those of the scan.
        guard let identity else {
            throw StaleViews.unknownEntry
        }
        return identity
    }

    /// Returns the events of a source after a mark, in event order.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - mark: The event to begin after; `nil` for the source's first event.
    ///   - end: Events at this position and after it are left out.
    ///   - latest: Events after this instant are left out.
    /// - Returns: The places of the events.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    mutating func marks(
        of source: UInt32,
        after mark: EventMark?,
        upTo end: UInt64,
        until latest: Timestamp? = nil
    ) throws -> [EventMark] {
        var marks: [EventMark] = []
        try forEachMark(of: source, after: mark, upTo: end, until: latest) { marks.append($0) }
        return try marks.sorted { try precedes($0, $1) }
    }

    /// Hands over the marks of those events of a source that its tracker is given, that come after
    /// a mark and that happened no later than an instant, in no order.
    mutating func forEachMark(
        of source: UInt32,
        after mark: EventMark?,
        upTo end: UInt64,
        until latest: Timestamp? = nil,
        _ body: (EventMark) -> Void
    ) throws {
        let clock = try clock(of: names.source(of: source, at: end))
        try log.scan(
            source: source,
            from: mark.map { clock.earliestReported(from: $0.occurredAt).milliseconds } ?? .min,
            until: latest.map { clock.latestReported(until: $0).milliseconds } ?? .max,
            upTo: end
        ) { entry, position in
            guard !entry.isInference else { return }
            let candidate = EventMark(entry, at: position, clock: clock)
            if let latest, candidate.occurredAt > latest { return }
            if let mark {
                guard candidate != mark, try precedes(mark, candidate) else {
                    return
                }
            }
            body(candidate)
        }
    }
}

// Late events are mostly in order among themselves: the events of a source stand in the log in a
// few long stretches. Only where these overlap in time are events put into order one by one.
extension SourceEvents {
    /// Returns the events of a source before a position that come after a mark, in no
    /// order of stretches.
    mutating func stretches(
        of source: UInt32,
        after mark: EventMark?,
        upTo end: UInt64
    ) throws -> [OrderedStretch] {
        var stretches: [OrderedStretch] = []
        var last: EventMark?
        try forEachMark(of: source, after: mark, upTo: end) { next in
            if let last, next.position == last.position + 1,
                EventMark.precedes(last, next) == true
            {
                stretches[stretches.count - 1].extend(to: next.occurredAt)
            } else {
                stretches.append(OrderedStretch(EventPlace(next)))
            }
            last = next
        }
        return stretches
    }

    /// Returns, of stretches in order of time, the first one and those that overlap it in time,
    /// directly or through others.
    static func firstOverlap(
        of stretches: ArraySlice<OrderedStretch>
    ) -> ArraySlice<OrderedStretch> {
        guard var endsAt = stretches.first?.endsAt else { return stretches }
        return stretches.prefix { stretch in
            guard stretch.start.occurredAt <= endsAt else { return false }
            endsAt = max(endsAt, stretch.endsAt)
            return true
        }
    }

    /// Returns when the events at some positions happened.
    func places(of positions: [UInt64], clock: ClockShifts) throws -> [EventPlace] {
        var places: [EventPlace] = []
        places.reserveCapacity(positions.count)
        try log.read(positions) { entry, position in
            let occurredAt = clock.time(of: Timestamp(milliseconds: entry.occurredAt))
            places.append(EventPlace(occurredAt: occurredAt, position: position))
            return true
        }
        return places
    }

    /// Returns the positions of events in event order, given them in order of time.
    mutating func positionsInEventOrder(
        of places: [EventPlace],
        clock: ClockShifts
    ) throws -> [UInt64] {
        var positions: [UInt64] = []
        positions.reserveCapacity(places.count)
        var start = 0
        while start < places.count {
            var end = start + 1
            while end < places.count, places[end].occurredAt == places[start].occurredAt {
                end += 1
            }
            if end == start + 1 {
                positions.append(places[start].position)
            } else {
                positions += try inEventOrder(places[start..<end].map(\.position), clock: clock)
            }
            start = end
        }
        return positions
    }

    /// Returns the positions of events that happened at the same instant, in event order.
    mutating func inEventOrder(
        _ positions: [UInt64],
        clock: ClockShifts
    ) throws -> [UInt64] {
        var marks: ArraySlice<EventMark> = []
        try log.read(positions) { entry, position in
            marks.append(EventMark(entry, at: position, clock: clock))
            return true
        }
        marks.sort { EventMark.precedes($0, $1) ?? ($0.position < $1.position) }
        var ordered: [UInt64] = []
        while let first = marks.first {
            let tied = marks.prefix { EventMark.precedes(first, $0) == nil }.map(\.position)
            marks.removeFirst(tied.count)
            ordered += tied.count > 1 ? try inOrderOfIdentity(tied) : tied
        }
        return ordered
    }

    /// Returns the positions of events, given in ascending order, in order of their identity
    /// digests.
    ///
    /// Each is read once: a person decides about thousands of trips at one instant.
    private mutating func inOrderOfIdentity(_ positions: [UInt64]) throws -> [UInt64] {
        var events: [(identity: IdentityDigest, position: UInt64)] = []
        events.reserveCapacity(positions.count)
        try log.read(positions) { entry, position in
            let name = try names.name(of: entry.source, at: position)
            let identity = IdentityDigest(entry.identityDigest(sourceName: name))
            events.append((identity, position))
            return true
        }
        return events.sorted { $0.identity < $1.identity }.map(\.position)
    }
}

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

/// Finds the facts about stored events that trackers ask for.
struct LogDirectory: EventDirectory {
    let log: ReadableLog
    let names: SourceNames

    /// The event that was decoded last: what opens a trip is nearly always the event itself.
    private var latest: (position: UInt64, facts: EventFacts)?

    init(log: ReadableLog, names: SourceNames) {
        self.log = log
        self.names = names
    }

    /// Remembers an event that was decoded.
    mutating func note(_ stored: StoredEvent) {
        latest = (stored.position, Self.facts(stored))
    }

    /// Returns the facts about the event at a position.
    ///
    /// - Throws: `StaleViews` if the log does not have it; `EventLogError` if it is damaged.
    func facts(at position: UInt64) throws -> EventFacts {
        if let latest, latest.position == position { return latest.facts }
        var names = names
        let facts = try log.withEntry(at: position) { entry in
            let source = try names.source(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, source: source)
            return Self.facts(stored)
        }
        // Trackers that come from the views may know positions that the log does not have.
        guard let facts else {
            throw StaleViews.unknownEntry
        }
        return facts
    }

    private static func facts(_ stored: StoredEvent) -> EventFacts {
        EventFacts(identity: stored.identity, utcOffset: stored.event.utcOffset)
    }
}

/// The events that a trip is computed again from, in event order: those of its source, and those
/// for all sources among them.
struct ReplayedEvents {
    /// The places of the events.
    private(set) var marks: [EventMark]

    /// The decisions that are given to the tracker at their instants, by the indices of marks.
    private var standing: [Int: StandingDecision] = [:]

    /// Puts events for all sources, which are few, among those of a source.
    ///
    /// - Parameters:
    ///   - own: The events of the source, in event order.
    ///   - others: The events for all sources, in event order.
    ///   - precedes: Returns whether one event comes before another.
    /// - Throws: The errors of `precedes`.
    init(
        _ own: [EventMark],
        and others: [ReplayedEvent],
        by precedes: (EventMark, EventMark) throws -> Bool
    ) rethrows {
        guard !others.isEmpty else {
            marks = own
            return
        }
        marks = []
        marks.reserveCapacity(own.count + others.count)
        var rest = own[...]
        for other in others {
            // The first of the rest that comes after it.
            var (low, high) = (rest.startIndex, rest.endIndex)
            while low < high {
                let middle = low + (high - low) / 2
                if try precedes(rest[middle], other.mark) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            marks += rest[..<low]
            rest = rest[low...]
            standing[marks.count] = other.standing
            marks.append(other.mark)
        }
        marks += rest
    }

    /// The positions of the events in the log.
    var positions: [UInt64] { marks.map(\.position) }

    /// The event at an index.
    subscript(index: Int) -> ReplayedEvent {
        ReplayedEvent(mark: marks[index], standing: standing.isEmpty ? nil : standing[index])
    }

    /// Returns the index of the first event that happened at an instant or after it; that after the
    /// last event if none did.
    func firstIndex(from instant: Timestamp) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = low + (high - low) / 2
            if marks[middle].occurredAt < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// An event that a trip is computed again from.
struct ReplayedEvent {
    /// Its place in event order.
    let mark: EventMark

    /// The decision for the tracker if it is a split or an exclusion.
    var standing: StandingDecision?

    /// Decodes the entry that stands there.
    func stored(_ entry: EntryView, _ names: inout SourceNames) throws -> StoredEvent {
        let source = try names.source(of: entry.source, at: mark.position)
        var stored = try StoredEvent(entry, at: mark.position, source: source)
        if standing == nil { stored.happenedAt = mark.occurredAt }
        return stored
    }
}
