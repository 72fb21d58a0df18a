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
        let events = gathered.inOrderOfTime()
        var start = 0
        while start < events.count {
            var end = start + 1
            while end < events.count,
                events[end].place.occurredAt == events[start].place.occurredAt
            {
                end += 1
            }
            if end == start + 1 {
                try evolve(events[start], of: gathered, source: source, &fold)
            } else {
                let tied = events[start..<end]
                let known = Dictionary(uniqueKeysWithValues: tied.map { ($0.place.position, $0) })
                let positions = try trackers.ambient.order.inEventOrder(
                    tied.map(\.place.position),
                    clock: fold.clock
                )
                for event in positions.compactMap({ known[$0] }) {
                    try evolve(event, of: gathered, source: source, &fold)
                }
            }
            start = end
        }
    }

    /// Feeds an event of a source, which was gathered, to its tracker.
    private mutating func evolve(
        _ event: GatheredEvents.Event,
        of gathered: GatheredEvents.OfSource,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let piece = gathered.pieces[Int(event.piece)]
        let bytes = piece.span.extracting(droppingFirst: Int(event.start))
        guard let entry = EntryView(startOf: bytes) else {
            preconditionFailure("the bytes are those of whole entries")
        }
        let mark = EventMark(entry, at: event.place.position, clock: fold.clock)
        try trackers.evolve(entry, mark, source: source, &fold)
        try commitPart(of: source, fold)
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
