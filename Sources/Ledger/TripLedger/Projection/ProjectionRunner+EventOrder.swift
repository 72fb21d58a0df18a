import EventStore
import Projections
import TripEvents
import TripTracking

// Late events are mostly in order among themselves: the events of a source stand in the log in a
// few long stretches. Only where these overlap in time are events put into order one by one.
extension ProjectionRunner {
    /// Events that stand in the log one right after the other for which it is worth while to decode
    /// them as a first reading of the log does.
    private static let fewestForReader = 512

    /// Events out of their order in the log that are kept in memory to be put into it: some
    /// megabytes.
    private static let mostInMemory = 1 << 16

    /// Feeds the events of a source that come after a mark to its tracker, in event order.
    mutating func foldInEventOrder(
        _ source: UInt32,
        after mark: EventMark?,
        _ fold: inout SourceFold
    ) throws {
        var rest = try stretches(of: source, after: mark)[...]
        rest.sort { $0.start < $1.start }
        var positions: [UInt64] = []
        while let first = rest.first {
            let overlap = Self.firstOverlap(of: rest)
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

    /// Returns the events of a source that come after a mark, in no order of stretches.
    private mutating func stretches(
        of source: UInt32,
        after mark: EventMark?
    ) throws -> [OrderedStretch] {
        var stretches: [OrderedStretch] = []
        var last: EventMark?
        try forEachMark(of: source, after: mark, upTo: cursor.size) { next in
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

    /// Returns the first of stretches in order of time with those that are not all after it, or
    /// after these.
    private static func firstOverlap(
        of stretches: ArraySlice<OrderedStretch>
    ) -> ArraySlice<OrderedStretch> {
        guard var endsAt = stretches.first?.endsAt else { return stretches }
        return stretches.prefix { stretch in
            guard stretch.start.occurredAt <= endsAt else { return false }
            endsAt = max(endsAt, stretch.endsAt)
            return true
        }
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
            let part = try merge.next { try places(of: $0, clock: clock) }
            if part.isEmpty { return }
            try evolve(positionsInEventOrder(of: part, clock: clock), source: source, &fold)
        }
    }

    /// Returns when the events at some positions happened.
    private func places(of positions: [UInt64], clock: ClockShifts) throws -> [EventPlace] {
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
    private mutating func positionsInEventOrder(
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
                try evolve(entry, mark, source: source, &fold)
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
                        try evolve(run, of: batch, at: position, &fold)
                        position += UInt64(run.end - run.start)
                    case .entry(let range):
                        guard let entry = EntryView(startOf: batch.bytes.span.extracting(range))
                        else {
                            preconditionFailure("a batch holds the bytes of whole entries")
                        }
                        let mark = EventMark(entry, at: position, clock: fold.clock)
                        try evolve(entry, mark, source: source, &fold)
                        position += 1
                    }
                }
                try commitPart(of: source, fold)
                return true
            }
    }
}

extension ProjectionRunner {
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

    /// Returns the tracker of a source after the last trip that ended before an instant.
    func rewindPoint(of source: UInt32, before instant: Timestamp) throws -> RewindPoint? {
        try rewinds.lastRow(
            before: ViewKey.rewind(source, at: instant),
            prefix: ViewKey.source(source)
        )
        .map { try RewindPoint(decoding: $0.value) }
    }

    /// Returns the tracker of a source as events up to an instant left it.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - registered: The source's registration.
    ///   - instant: Events after it are left out.
    ///   - head: The entries that the views know.
    /// - Returns: The tracker.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    mutating func tracker(
        of source: UInt32,
        _ registered: RegisteredSource,
        asOf instant: Timestamp,
        upTo head: LedgerHead
    ) throws -> Tracker {
        let point = try rewindPoint(of: source, before: instant.advanced(byMilliseconds: 1))
        var fold = SourceFold(
            tracker: point?.tracker
                ?? Tracker(source: registered.name, group: registered.group, rules: rules),
            clock: try clock(of: registered)
        )
        fold.last = point?.mark
        let marks = try marks(of: source, after: fold.last, upTo: head.size, until: instant)
        for mark in marks {
            try log.withEntry(at: mark.position) { entry in
                try evolve(entry, mark, source: source, &fold)
            }
        }
        return try settled(source, fold, until: instant).tracker
    }

    /// Returns the event with which a trip ended, or `nil` if it has not ended yet, or only as far
    /// as people decided.
    func endMark(of trip: Trip, source: UInt32) throws -> EventMark? {
        let earliest = ViewKey.rewind(source, at: trip.startedAt.timestamp)
        return try rewinds.rows(from: earliest, prefix: ViewKey.source(source)).lazy
            .map { try RewindPoint(decoding: $0.value) }
            .first { $0.trips.contains(trip.id) }?
            .mark
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

    /// Hands over where the events of a source stand that its tracker is told of, come after a
    /// mark, and happened at an instant at the latest, in no order.
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
