import EventStore
import Projections
import TripEvents

/// The events of late sources that are folded again, copied out of the log in one walk for many of
/// them.
///
/// Without it each late source walks over a log in which it is interleaved with others: with 160
/// drivers, 4 million events, the walks took as long as all else.
struct GatheredEvents {
    /// Where one of the events of a source is.
    struct Event {
        /// Where it stands in event order.
        let place: EventPlace

        /// The index of the piece with its entry, and where the entry begins in it.
        let piece: UInt32
        let start: UInt32
    }

    /// The events of one source that come after a mark.
    struct OfSource {
        /// What a piece has room for: a whole entry at least.
        private static let bytesPerPiece = EntryView.maximumByteCount + 1

        /// The event that they come after; `nil` for all events of the source.
        let after: EventMark?

        /// How the clock of the source was wrong.
        fileprivate let clock: ClockShifts

        /// The entries, one after the other in the order in which the log was walked over.
        ///
        /// An array of all would be copied whenever it grows, and would have room for as many
        /// again.
        private(set) var pieces: [[UInt8]] = []

        /// The positions of the entries, in the same order.
        private var positions: [UInt64] = []

        /// How much memory they take.
        fileprivate private(set) var byteCount = 0

        /// Prepares to gather the events after a mark.
        init(after mark: EventMark?, clock: ClockShifts) {
            after = mark
            self.clock = clock
        }

        /// Returns whether the event at a position comes after the mark.
        fileprivate func wants(
            _ entry: EntryView,
            at position: UInt64,
            in order: inout SourceEvents
        ) throws -> Bool {
            guard !entry.isInference else { return false }
            guard let after else { return true }
            let occurredAt = clock.time(of: Timestamp(milliseconds: entry.occurredAt))
            if occurredAt != after.occurredAt { return occurredAt > after.occurredAt }
            let event = EventMark(entry, at: position, clock: clock)
            return try event != after && order.precedes(after, event)
        }

        /// Adds an event, and returns the memory that it takes.
        fileprivate mutating func add(_ entry: EntryView, at position: UInt64) -> Int {
            let count = entry.bytes.count
            if pieces.isEmpty || pieces[pieces.count - 1].count + count > Self.bytesPerPiece {
                pieces.append([])
                pieces[pieces.count - 1].reserveCapacity(Self.bytesPerPiece)
            }
            pieces[pieces.count - 1].append(contentsOf: entry.bytes)
            positions.append(position)
            let added = count + MemoryLayout<UInt64>.stride
            byteCount += added
            return added
        }

        /// Returns the events in order of time, those of the same instant in order of position.
        func inOrderOfTime() -> [Event] {
            var events: [Event] = []
            events.reserveCapacity(positions.count)
            for (index, piece) in pieces.enumerated() {
                var start = 0
                while let entry = EntryView(startOf: piece.span.extracting(droppingFirst: start)) {
                    let reported = Timestamp(milliseconds: entry.occurredAt)
                    let place = EventPlace(
                        occurredAt: clock.time(of: reported),
                        position: positions[events.count]
                    )
                    events.append(Event(place: place, piece: UInt32(index), start: UInt32(start)))
                    start += entry.bytes.count
                }
            }
            return events.sorted { $0.place < $1.place }
        }
    }

    /// The most bytes of memory.
    private static let mostBytes = 48 << 20

    /// The events of each source by its number, `nil` for a source of which none are gathered.
    private var sources: [OfSource?]

    private var byteCount = 0

    /// How many sources there are of which events are gathered.
    private(set) var count: Int

    /// Prepares to gather the events of some sources.
    init(_ sources: [UInt32: OfSource]) {
        self.sources = Array(repeating: nil, count: Int(sources.keys.max() ?? 0) + 1)
        for (number, source) in sources { self.sources[Int(number)] = source }
        count = sources.count
    }

    /// Takes out the events of a source.
    mutating func take(_ source: UInt32) -> OfSource? {
        guard source < sources.count, let taken = sources[Int(source)] else { return nil }
        leaveOut(Int(source))
        return taken
    }

    private mutating func leaveOut(_ source: Int) {
        byteCount -= sources[source]?.byteCount ?? 0
        sources[source] = nil
        count -= 1
    }

    /// Adds the event at a position if it is one of those that are gathered.
    ///
    /// Without memory for it, the sources with the highest numbers are left out.
    mutating func add(
        _ entry: EntryView,
        at position: UInt64,
        in order: inout SourceEvents
    ) throws {
        let number = Int(entry.source)
        guard try sources[number]?.wants(entry, at: position, in: &order) == true else { return }
        byteCount += sources[number]?.add(entry, at: position) ?? 0
        guard byteCount > Self.mostBytes else { return }
        for number in sources.indices.reversed() where sources[number] != nil {
            leaveOut(number)
            guard byteCount > Self.mostBytes else { return }
        }
    }
}

extension TrackerFolds {
    /// The most sources whose folds are prepared at once.
    private static let mostGathered = 1_024

    /// Gathers the events from which some late sources are folded again.
    ///
    /// - Parameter sources: Late sources, in ascending order.
    /// - Returns: The events of some of them; none if they are better read from the log.
    /// - Throws: `EventLogError.damaged`, `RowCodingError` or `LMDBError`.
    mutating func gather(_ sources: ArraySlice<UInt32>) throws -> GatheredEvents {
        var wanted: [UInt32: GatheredEvents.OfSource] = [:]
        var earliest: [UInt32: Int64] = [:]
        // A single one reads nothing of others.
        for source in sources.prefix(sources.count > 1 ? Self.mostGathered : 0) {
            let fold = try fold(of: source, at: cursor.size)
            folds[source] = fold
            guard let lateFrom = fold.lateFrom else { continue }
            let mark = try rewindPoint(of: source, before: lateFrom.occurredAt)?.mark
            let clock = try ambient.order.clock(
                of: ambient.order.names.source(of: source, at: cursor.size)
            )
            wanted[source] = GatheredEvents.OfSource(after: mark, clock: clock)
            earliest[source] =
                mark.map { clock.earliestReported(from: $0.occurredAt).milliseconds } ?? .min
        }
        guard wanted.count > 1 else { return GatheredEvents([:]) }
        var gathered = GatheredEvents(wanted)
        try log.scan(sources: earliest, upTo: cursor.size) { entry, position in
            try gathered.add(entry, at: position, in: &ambient.order)
        }
        return gathered
    }
}
