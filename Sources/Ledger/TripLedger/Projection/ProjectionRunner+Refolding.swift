import EventStore
import Projections
import TripEvents
import TripTracking

// A source with late events is folded again from the last trip that ended before them. That is
// committed in parts, so that years of trips are never in memory at once. Until the last part the
// source stays late: a run after one that was cut off begins again at the same event.
extension ProjectionRunner {
    /// Events that stand in the log one right after the other for which it is worth while to decode
    /// them as a first reading of the log does.
    private static let fewestForReader = 512

    /// Events out of their order in the log that are kept in memory to be put into it: some
    /// megabytes.
    private static let mostInMemory = 1 << 16

    /// Folds all sources again that have late events.
    mutating func refoldLateSources() throws {
        var rest = trackers.cursor.lateSources.sorted()[...]
        while !rest.isEmpty {
            var gathered = try trackers.gather(rest)
            repeat {
                let source = rest.removeFirst()
                var fold = try trackers.fold(of: source, at: trackers.cursor.size)
                try refold(source, gathered.take(source), &fold)
                trackers.folds[source] = fold
                refoldedSources.insert(source)
                if isCommitDue { try commit() }
            } while gathered.count > 0 && !rest.isEmpty
        }
        report.refoldedSources = refoldedSources.count
        trackers.cursor.lateSources = []
    }

    /// Folds a source again from the last trip that ended before its earliest late event, and
    /// withdraws the trips that no longer exist; `gathered` are its events, if they were gathered.
    private mutating func refold(
        _ source: UInt32,
        _ gathered: GatheredEvents.OfSource?,
        _ fold: inout SourceFold
    ) throws {
        guard let lateFrom = fold.lateFrom else { return }
        if let trip = fold.tracker.openTrip { fold.formerTrips.insert(trip.id) }
        try trackers.forget(from: lateFrom, source: source, &fold)
        let point = try trackers.rewindPoint(of: source, before: lateFrom.occurredAt)
        fold.tracker =
            point?.tracker
            ?? Tracker(source: fold.tracker.source, group: fold.tracker.group, rules: rules)
        fold.last = point?.mark
        fold.ambientDueAt = SourceFold.alwaysDue
        fold.toldUpTo = trackers.cursor.size
        if let gathered, gathered.after == point?.mark {
            try foldInEventOrder(gathered, of: source, &fold)
        } else {
            try foldInEventOrder(source, after: point?.mark, &fold)
        }
        if let trip = fold.tracker.openTrip { fold.formerTrips.remove(trip.id) }
        for trip in fold.formerTrips.sorted() {
            trackers.take(.withdrawn(trip))
            fold.formerTrips.remove(trip)
            trackers.bufferedRows += 1
            try commitPart(of: source, fold)
        }
        fold.lateFrom = nil
    }

    /// Commits the result of folding a source again so far, if it is enough for a commit.
    private mutating func commitPart(of source: UInt32, _ fold: SourceFold) throws {
        guard trackers.bufferedRows >= rowsPerCommit else { return }
        trackers.store(fold, of: source)
        try commit()
    }

    /// Feeds the events of a source that come after a mark to its tracker, in event order.
    private mutating func foldInEventOrder(
        _ source: UInt32,
        after mark: EventMark?,
        _ fold: inout SourceFold
    ) throws {
        var rest =
            try trackers.ambient.order
            .stretches(of: source, after: mark, upTo: trackers.cursor.size)[...]
        rest.sort { $0.start < $1.start }
        var positions: [UInt64] = []
        while let first = rest.first {
            let overlap = SourceEvents.firstOverlap(of: rest)
            rest = rest[overlap.endIndex...]
            let isRead = overlap.count > 1 || first.count >= Self.fewestForReader
            if isRead || positions.count >= Self.mostInMemory {
                try evolve(positions, source: source, &fold)
                positions.removeAll(keepingCapacity: true)
            }
            if overlap.count > 1 {
                try merge(overlap, source: source, &fold)
            } else if isRead {
                try evolve(first.positions, source: source, &fold)
            } else {
                positions += first.positions
            }
        }
        try evolve(positions, source: source, &fold)
    }

    /// Feeds the events of stretches that overlap in time to their tracker, in event order.
    private mutating func merge(
        _ stretches: ArraySlice<OrderedStretch>,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let clock = fold.clock
        var merge = StretchMerge(stretches)
        while true {
            let part = try merge.next { try trackers.ambient.order.places(of: $0, clock: clock) }
            if part.isEmpty { return }
            try evolve(
                trackers.ambient.order.positionsInEventOrder(of: part, clock: clock),
                source: source,
                &fold
            )
        }
    }

    /// Feeds events of a source, which were gathered, to its tracker, in event order.
    private mutating func foldInEventOrder(
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
                positions = try trackers.ambient.order.inEventOrder(
                    tied.map(\.place.position),
                    clock: fold.clock
                )
                starts = positions.compactMap { known[$0] }
            }
            for (position, start) in zip(positions, starts) {
                let bytes = gathered.bytes.span.extracting(droppingFirst: start)
                guard let entry = EntryView(startOf: bytes) else {
                    preconditionFailure("the bytes are those of whole entries")
                }
                let mark = EventMark(entry, at: position, clock: fold.clock)
                try trackers.evolve(entry, mark, source: source, &fold)
                try commitPart(of: source, fold)
            }
            start = end
        }
    }

    /// Feeds events to the tracker of their source, in the order of `positions`.
    private mutating func evolve(
        _ positions: [UInt64],
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        var read = 0
        var start = 0
        while start < positions.count {
            var end = start + 1
            while end < positions.count, positions[end] == positions[end - 1] + 1 { end += 1 }
            if end - start >= Self.fewestForReader {
                try evolveOneByOne(positions[read..<start], source: source, &fold)
                try evolve(
                    positions[start]..<positions[end - 1] + 1,
                    source: source,
                    &fold
                )
                read = end
            }
            start = end
        }
        try evolveOneByOne(positions[read...], source: source, &fold)
    }

    /// Feeds events to the tracker of their source in the order of `positions`, a part of them in
    /// memory, so that a block is decoded once for each part and not for each event.
    private mutating func evolveOneByOne(
        _ positions: ArraySlice<UInt64>,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        var rest = positions
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.mostInMemory))
            rest = rest.dropFirst(part.count)
            let inLog = part.indices.sorted { part[$0] < part[$1] }
            var bytes: [UInt8] = []
            var starts = Array(repeating: 0, count: part.count)
            var count = 0
            try log.read(inLog.map { part[$0] }) { entry, _ in
                starts[inLog[count]] = bytes.count
                bytes += [UInt8](copying: entry.bytes)
                count += 1
                return true
            }
            for (position, start) in zip(part, starts) {
                guard let entry = EntryView(startOf: bytes.span.extracting(droppingFirst: start))
                else { preconditionFailure("the bytes are those of whole entries") }
                let mark = EventMark(entry, at: position, clock: fold.clock)
                try trackers.evolve(entry, mark, source: source, &fold)
                try commitPart(of: source, fold)
            }
        }
    }

    /// Feeds events that stand one right after the other to the tracker of their source.
    private mutating func evolve(
        _ positions: Range<UInt64>,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        try LogReader(log, from: positions.lowerBound, upTo: positions.upperBound)
            .forEachBatch { batch in
                var position = batch.firstPosition
                for run in batch.runs {
                    switch run {
                    case .fixes(let run):
                        try trackers.evolve(run, of: batch, at: position, &fold)
                        position += UInt64(run.end - run.start)
                    case .entry(let range):
                        guard let entry = EntryView(startOf: batch.bytes.span.extracting(range))
                        else {
                            preconditionFailure("a batch holds the bytes of whole entries")
                        }
                        let mark = EventMark(entry, at: position, clock: fold.clock)
                        try trackers.evolve(entry, mark, source: source, &fold)
                        position += 1
                    }
                }
                try commitPart(of: source, fold)
                return true
            }
    }
}

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

extension TrackerFolds {
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
            let clock = try ambient.order.clock(
                of: ambient.order.names.source(of: source, at: cursor.size)
            )
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
                guard event != mark, try ambient.order.precedes(mark, event) else { return }
            }
            gathered.add(entry, at: EventPlace(event))
        }
        return gathered
    }
}
