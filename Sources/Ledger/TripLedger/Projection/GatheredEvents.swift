import EventStore
import TripEvents
import TripTracking

/// The events of late sources that are folded again, copied out of the log in one pass for many of
/// them.
///
/// Without it each late source walks over a log in which it is interleaved with others: with 160
/// drivers, 4 million events, the walks took as long as all else.
struct GatheredEvents {
    /// The events of one source that come after a mark, in no order.
    struct OfSource {
        /// The event that they come after; `nil` for all events of the source.
        let after: EventMark?

        /// Where each event stands in event order, and where its entry begins in `bytes`.
        fileprivate(set) var events: [(place: EventPlace, start: Int)] = []

        /// The entries, one after the other.
        fileprivate(set) var bytes: [UInt8] = []

        fileprivate mutating func add(_ entry: EntryView, at place: EventPlace) {
            events.append((place, bytes.count))
            bytes.append(contentsOf: entry.bytes)
        }
    }

    /// The most bytes of memory.
    private static let mostBytes = 24 << 20

    /// What an event takes beside its entry.
    private static let bytesPerEvent = MemoryLayout<(place: EventPlace, start: Int)>.stride

    private var sources: [UInt32: OfSource] = [:]
    private var byteCount = 0

    /// Prepares to gather the events of some sources after their marks.
    init(after marks: [UInt32: EventMark?]) {
        sources = marks.mapValues { OfSource(after: $0) }
    }

    /// How many sources there are.
    var count: Int { sources.count }

    /// Returns whether the events of a source are gathered.
    func holds(_ source: UInt32) -> Bool { sources[source] != nil }

    /// The event after which the events of a source are gathered.
    func mark(of source: UInt32) -> EventMark? { sources[source]?.after }

    /// Takes out the events of a source.
    mutating func take(_ source: UInt32) -> OfSource? {
        sources.removeValue(forKey: source)
    }

    /// Adds an event; without memory for it, the sources with the highest numbers are left out.
    mutating func add(_ entry: EntryView, at place: EventPlace) {
        sources[entry.source]?.add(entry, at: place)
        byteCount += entry.bytes.count + Self.bytesPerEvent
        guard byteCount > Self.mostBytes else { return }
        for number in sources.keys.sorted(by: >) {
            guard byteCount > Self.mostBytes, let left = sources.removeValue(forKey: number) else {
                return
            }
            byteCount -= left.bytes.count + left.events.count * Self.bytesPerEvent
        }
    }
}

extension ProjectionRunner {
    /// The most sources whose folds are prepared at once.
    private static let mostGathered = 256

    /// Gathers the events from which some late sources are folded again.
    ///
    /// - Parameter sources: Late sources, in ascending order.
    /// - Returns: The events of some of them; none if they are better read from the log.
    /// - Throws: `EventLogError.damaged`, `RowCodingError` or `LMDBError`.
    mutating func gather(_ sources: ArraySlice<UInt32>) throws -> GatheredEvents {
        var marks: [UInt32: EventMark?] = [:]
        var clocks: [UInt32: ClockShifts] = [:]
        var earliest: [UInt32: Int64] = [:]
        // A single one reads nothing of others.
        for source in sources.prefix(sources.count > 1 ? Self.mostGathered : 0) {
            let fold = try fold(of: source, at: cursor.size)
            folds[source] = fold
            guard let lateFrom = fold.lateFrom else { continue }
            let mark = try rewindPoint(of: source, before: lateFrom.occurredAt)?.mark
            let clock = try clock(of: names.source(of: source, at: cursor.size))
            marks.updateValue(mark, forKey: source)
            clocks[source] = clock
            earliest[source] =
                mark.map { clock.earliestReported(from: $0.occurredAt).milliseconds } ?? .min
        }
        var gathered = GatheredEvents(after: marks)
        guard gathered.count > 1 else { return GatheredEvents(after: [:]) }
        try log.scan(sources: earliest, upTo: cursor.size) { entry, position in
            guard !entry.isInference, let clock = clocks[entry.source],
                gathered.holds(entry.source)
            else { return }
            let event = EventMark(entry, at: position, clock: clock)
            if let mark = gathered.mark(of: entry.source) {
                guard event != mark, try precedes(mark, event) else { return }
            }
            gathered.add(entry, at: EventPlace(event))
        }
        return gathered
    }

    /// Feeds events of a source, which were gathered, to its tracker, in event order.
    mutating func foldInEventOrder(
        _ gathered: GatheredEvents.OfSource,
        of source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let events = gathered.events.sorted { $0.place < $1.place }
        var start = 0
        while start < events.count {
            var end = start + 1
            while end < events.count,
                events[end].place.occurredAt == events[start].place.occurredAt
            {
                end += 1
            }
            var starts = [events[start].start]
            var positions = [events[start].place.position]
            if end > start + 1 {
                let tied = events[start..<end]
                let known = Dictionary(
                    uniqueKeysWithValues: tied.map { ($0.place.position, $0.start) }
                )
                positions = try inEventOrder(tied.map(\.place.position), clock: fold.clock)
                starts = positions.compactMap { known[$0] }
            }
            for (position, start) in zip(positions, starts) {
                let bytes = gathered.bytes.span.extracting(droppingFirst: start)
                guard let entry = EntryView(startOf: bytes) else {
                    preconditionFailure("the bytes are those of whole entries")
                }
                let mark = EventMark(entry, at: position, clock: fold.clock)
                try evolve(entry, mark, source: source, &fold)
                try commitPart(of: source, fold)
            }
            start = end
        }
    }
}
