import LMDB

/// Finds the stored in-order event that is the same as a new event without a sender's id.
///
/// An event after its source's high-water mark is new and needs no lookup. Otherwise it can only
/// equal the one in-order event of that time, which a row of `times` leads to, or a late event,
/// which ``LateRows`` finds.
///
/// Between two rows of `times` a source has 64 in-order events. Where many sources are interleaved,
/// that stretch of the log holds as many of each of them, so it is read once for all: a batch that
/// is sent again takes one pass over the stretch of the log that it covers.
struct DuplicateFinder {
    /// How many stretches are remembered: sources may send events of different days in turn.
    private static let mostStretches = 64

    /// How many entries all stretches may remember: 24 MiB of them.
    private static let mostPlaces = 1 << 20

    /// The stretches that were read, the last used one at the end.
    private var stretches: [ReadStretch] = []

    /// For each source, the time of its first in-order event.
    private var firstTimes: [UInt32: Int64] = [:]

    /// The block of the event that was found last.
    private var lastFound = FoundBlock()

    /// Returns the position of the same event if it follows the one that was found last, as it does
    /// in a batch that is sent again; `nil` does not say that there is none.
    mutating func positionAfterLast(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        if lastFound.isAtEnd {
            guard lastFound.endPosition < open.firstPosition else { return nil }
            try lastFound.read(blockOf: lastFound.endPosition, tables, transaction)
        }
        return lastFound.nextPosition(of: candidate, source: source)
    }

    /// Returns the position of the same event, or `nil` if no in-order event is the same.
    mutating func position(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        state: SourceState,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard candidate.occurredAt <= state.highWaterMark else { return nil }
        let occurredAt = candidate.occurredAt
        if let first = firstTimes[source], occurredAt < first { return nil }
        let place: UInt64?
        if let index = stretches.lastIndex(where: { $0.covers(occurredAt, of: source) }) {
            place = use(index).position(at: occurredAt, of: source)
        } else if occurredAt == state.highWaterMark {
            place = state.highWaterPosition
        } else {
            guard let row = try row(of: source, at: occurredAt, tables, transaction) else {
                return nil
            }
            var stretch = takeStretch(from: row.position)
            defer { stretches.append(stretch) }
            stretch.noteInOrder(from: row.occurredAt, of: source)
            try stretch.read(
                until: occurredAt,
                of: source,
                limit: state.highWaterPosition,
                tables,
                open,
                transaction
            )
            place = stretch.position(at: occurredAt, of: source)
        }
        guard let place else { return nil }
        return try isSame(candidate, of: source, at: place, tables, open, transaction)
            ? place : nil
    }

    private mutating func isSame(
        _ candidate: EntryBatch.Candidate,
        of source: UInt32,
        at position: UInt64,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        if position < open.firstPosition {
            if !lastFound.holds(position) {
                try lastFound.read(blockOf: position, tables, transaction)
            }
            lastFound.restart(at: position)
            if lastFound.nextPosition(of: candidate, source: source) == position { return true }
        }
        // Where bytes differ, the content may still be the same.
        return try EntryLookup.isSame(
            candidate,
            of: source,
            at: position,
            tables,
            open,
            transaction
        )
    }

    /// Returns the last in-order event that has a row in `times` and happened at `occurredAt` or
    /// before, or `nil` if the source had none yet at that time.
    private mutating func row(
        of source: UInt32,
        at occurredAt: Int64,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> (occurredAt: Int64, position: UInt64)? {
        var cursor = try transaction.cursor(tables.times)
        // One millisecond later there is room: times have 48 bits.
        guard try cursor.seek(toLastKeyBefore: LogKey.moment(source, occurredAt + 1, 0)),
            let row = LogKey.parseMoment(cursor.key), row.source == source
        else {
            // The first in-order event has a row, and later ones take no event before it.
            if try cursor.seek(toKeyAtOrAfter: LogKey.source(source)),
                let row = LogKey.parseMoment(cursor.key), row.source == source
            {
                firstTimes[source] = row.occurredAt
            }
            return nil
        }
        return (row.occurredAt, row.last)
    }

    /// Returns a stretch that was read, and makes it the last used one.
    private mutating func use(_ index: Int) -> ReadStretch {
        if index < stretches.count - 1 { stretches.append(stretches.remove(at: index)) }
        return stretches[stretches.count - 1]
    }

    /// Takes out the stretch that holds a position or goes on to it, or begins another one.
    private mutating func takeStretch(from position: UInt64) -> ReadStretch {
        let index = stretches.lastIndex { $0.reaches(position) && $0.count < Self.mostPlaces }
        if let index { return stretches.remove(at: index) }
        while stretches.count >= Self.mostStretches
            || stretches.reduce(0, { $0 + $1.count }) >= Self.mostPlaces
        {
            stretches.removeFirst()
        }
        return ReadStretch(from: position)
    }
}

/// A stretch of the log that was read to find in-order events, with where the events of each source
/// stand in it.
///
/// It remembers no content: 16 bytes an event, so that the stretch may be long.
private struct ReadStretch {
    /// An event that is later than all before it from its source in the stretch.
    private struct Place {
        let occurredAt: Int64
        let position: UInt64
    }

    /// The events of one source.
    private struct SourcePlaces {
        /// In ascending order of time and position.
        var places: [Place] = []

        /// The time of an in-order event of the stretch: from it on all places are in-order events,
        /// and all in-order events are among them.
        var inOrderFrom = Int64.max
    }

    /// The position of the first entry.
    let start: UInt64

    /// The position up to which the log was read.
    private var end: UInt64

    private var sources: [UInt32: SourcePlaces] = [:]

    /// How many events it remembers.
    private(set) var count = 0

    /// Begins a stretch of which nothing was read.
    init(from start: UInt64) {
        self.start = start
        end = start
    }

    /// Whether a position lies in the stretch, or so shortly after it that the stretch is best read
    /// on to there.
    func reaches(_ position: UInt64) -> Bool {
        start <= position && position - min(end, position) <= end - start
    }

    /// Whether the in-order event of a source at a time would be among those that were read.
    func covers(_ occurredAt: Int64, of source: UInt32) -> Bool {
        guard let known = sources[source] else { return false }
        return known.inOrderFrom <= occurredAt
            && known.places.last.map { occurredAt <= $0.occurredAt } ?? false
    }

    /// Takes note that the source has an in-order event at a time, which stands in the stretch or
    /// after it.
    mutating func noteInOrder(from occurredAt: Int64, of source: UInt32) {
        let known = sources[source]?.inOrderFrom ?? .max
        sources[source, default: SourcePlaces()].inOrderFrom = min(known, occurredAt)
    }

    /// Returns the position of the event of a source at a time, or `nil` if none was read.
    func position(at occurredAt: Int64, of source: UInt32) -> UInt64? {
        guard let places = sources[source]?.places else { return nil }
        var range = 0..<places.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if places[middle].occurredAt < occurredAt {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        guard range.lowerBound < places.count, places[range.lowerBound].occurredAt == occurredAt
        else { return nil }
        return places[range.lowerBound].position
    }

    /// Reads on until an event of a source that happened at a time or later, which MUST be before
    /// its high-water mark.
    mutating func read(
        until occurredAt: Int64,
        of source: UInt32,
        limit: UInt64,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws {
        if end < open.firstPosition {
            var cursor = try transaction.cursor(tables.blocks)
            var buffer = BlockBuffer()
            var isFound = try cursor.seek(toBlockOf: end)
            while isFound, !covers(occurredAt, of: source),
                end < min(open.firstPosition, limit + 1)
            {
                try read(cursor.block(decodedInto: &buffer).entries)
                isFound = try cursor.next()
            }
        }
        if !covers(occurredAt, of: source) { try read(open.entries) }
        guard covers(occurredAt, of: source) else {
            throw EventLogError.damaged(
                position: min(start, open.endPosition),
                "the index of times and the state of source \(source) disagree with its events"
            )
        }
    }

    /// Reads on in a block, to its end.
    private mutating func read(_ entries: EntryIterator) throws(EventLogError) {
        var entries = entries
        while true {
            let position = entries.position
            guard let entry = try entries.next() else { return }
            guard position >= end else { continue }
            end = position + 1
            guard entry.source != 0, !entry.isTombstone else { continue }
            let isAdded = Self.add(
                Place(occurredAt: entry.occurredAt, position: position),
                to: &sources[entry.source, default: SourcePlaces()]
            )
            if isAdded { count += 1 }
        }
    }

    /// Adds the next event of a source if it is later than all before it; returns whether it is.
    private static func add(_ place: Place, to source: inout SourcePlaces) -> Bool {
        if let last = source.places.last, place.occurredAt <= last.occurredAt { return false }
        source.places.append(place)
        return true
    }
}

/// The block of the event that was found last: a copy, from which the event that follows is read
/// without a lookup.
private struct FoundBlock {
    /// How many entries may stand between two events that are sent again one after the other, such
    /// as the ledger's own.
    private static let mostBetween = 4

    /// The entries, one after the other.
    private var bytes: [UInt8] = []

    private var firstPosition: UInt64 = 0

    /// The position after the last entry.
    private(set) var endPosition: UInt64 = 0

    /// The position after the event that was found last, and where its entry begins.
    private var next: (position: UInt64, start: Int) = (0, 0)

    /// Whether the event that was found last is the last one of its block.
    var isAtEnd: Bool { !bytes.isEmpty && next.position == endPosition }

    /// Whether a position lies in the block.
    func holds(_ position: UInt64) -> Bool {
        !bytes.isEmpty && firstPosition <= position && position < endPosition
    }

    /// Reads the block of a position, which MUST be stored and full: it does not change any more.
    mutating func read(
        blockOf position: UInt64,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.seek(toBlockOf: position) else {
            throw EventLogError.damaged(position: position, "there is no block for it")
        }
        var buffer = BlockBuffer()
        let block = try cursor.block(decodedInto: &buffer)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: block.entries.rest)
        firstPosition = block.firstPosition
        endPosition = block.endPosition
        next = (firstPosition, 0)
    }

    /// Makes the event at a position of the block the next one.
    mutating func restart(at position: UInt64) {
        if position < next.position { next = (firstPosition, 0) }
        while next.position < position, let size = entry(at: next.start)?.bytes.count {
            next = (next.position + 1, next.start + size)
        }
    }

    /// Returns the position of an event without an id if it is the next one, or one soon after it.
    mutating func nextPosition(of candidate: EntryBatch.Candidate, source: UInt32) -> UInt64? {
        var (position, start) = next
        for _ in 0...Self.mostBetween {
            guard position < endPosition, let size = entry(at: start)?.bytes.count else {
                return nil
            }
            let isSame = isSame(candidate, source: source, at: start)
            start += size
            position += 1
            guard isSame else { continue }
            next = (position, start)
            return position - 1
        }
        return nil
    }

    private func isSame(
        _ candidate: EntryBatch.Candidate,
        source: UInt32,
        at start: Int
    ) -> Bool {
        guard let entry = entry(at: start) else { return false }
        // Equal forms say that the entry has no id either.
        return entry.source == source && entry.occurredAt == candidate.occurredAt
            && entry.kind == candidate.kind && entry.form == candidate.form
            && entry.payload.hasSameBytes(as: candidate.payload)
    }

    /// Returns the entry that starts there, which ends with these bytes.
    @_lifetime(borrow self)
    private func entry(at start: Int) -> EntryView? {
        EntryView(startOf: bytes.span.extracting(droppingFirst: start))
    }
}

/// Compares events with entries that a write transaction sees: stored ones and those of the open
/// block that is still in memory.
enum EntryLookup {
    /// Returns whether the entry at `position`, to which an index led, has the same content.
    ///
    /// - Throws: `EventLogError.damaged` if the entry is of another source, id or time, which no
    ///   sound index leads to.
    static func isSame(
        _ candidate: EntryBatch.Candidate,
        of source: UInt32,
        at position: UInt64,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        if position >= open.firstPosition {
            return try isSame(candidate, of: source, at: position, in: open.entries)
        }
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.seek(toBlockOf: position) else {
            throw EventLogError.damaged(position: position, "there is no block for it")
        }
        var buffer = BlockBuffer()
        let block = try cursor.block(decodedInto: &buffer)
        return try isSame(candidate, of: source, at: position, in: block.entries)
    }

    private static func isSame(
        _ candidate: EntryBatch.Candidate,
        of source: UInt32,
        at position: UInt64,
        in entries: EntryIterator
    ) throws -> Bool {
        var entries = entries
        while true {
            let isWanted = entries.position == position
            guard let entry = try entries.next() else {
                throw EventLogError.damaged(position: position, "its block ends before it")
            }
            guard isWanted else { continue }
            guard entry.source == source,
                candidate.id.isEmpty
                    ? candidate.occurredAt == entry.occurredAt
                    : entry.id.hasSameBytes(as: candidate.id)
            else {
                throw EventLogError.damaged(position: position, "an index takes it for another")
            }
            return candidate.hasSameContent(as: entry)
        }
    }
}

extension ReadableLog {
    /// Returns late entries of a source in order of time; all other entries of the source are in
    /// the log in order of time, each later than the one before it.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - earliest: Entries that happened before this time, in milliseconds since 1970, are left
    ///     out.
    ///   - last: The entry after which to continue; `nil` to start with the first.
    ///   - limit: The most entries.
    /// - Returns: The entries' positions.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func lateEntries(
        of source: UInt32,
        from earliest: Int64 = .min,
        after last: LateEntry?,
        limit: Int
    ) throws -> [LateEntry] {
        try read { transaction in
            var found: [LateEntry] = []
            var cursor = try transaction.cursor(tables.late)
            let key = LogKey.moment(source, last?.occurredAt ?? earliest, last?.digest ?? 0)
            var isFound = try cursor.seek(toKeyAtOrAfter: key)
            while isFound, found.count < limit, let row = LogKey.parseMoment(cursor.key),
                row.source == source
            {
                let entry = LateEntry(
                    occurredAt: row.occurredAt,
                    digest: row.last,
                    position: try LogValue.position(cursor.value)
                )
                if entry != last, entry.position < shownEnd { found.append(entry) }
                isFound = try cursor.next()
            }
            return found
        }
    }
}

/// The position of a late entry: some entry before it from its source has the same or a later time.
package struct LateEntry: Hashable, Sendable {
    /// When it happened: milliseconds since 1970.
    package let occurredAt: Int64

    /// The last part of the key, which differs among late entries of one time.
    let digest: UInt64

    /// Its position.
    package let position: UInt64
}

/// The rows of the table `late` as one transaction reads them and adds to them.
///
/// It remembers the latest time of each source that has a row, because most late events arrive in
/// their own order: an event after that time is new and needs no lookup.
struct LateRows {
    private let tables: LogTables

    /// The source of the last lookup and the latest time of it that has a row, `Int64.min` if none
    /// has.
    private var latest: (source: UInt32, time: Int64)?

    /// The same for other sources that were looked up.
    private var latestTimes: [UInt32: Int64] = [:]

    /// The last source that has a row; 0, which is the ledger itself, if there is no row.
    private var lastSource: UInt32?

    /// Prepares lookups; nothing is read before it is needed.
    init(_ tables: LogTables) {
        self.tables = tables
    }

    /// Returns the position of the late event that is the same as `candidate`, which has no id from
    /// its sender, or `nil` if there is none.
    mutating func position(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard try candidate.occurredAt <= latestTime(of: source, transaction) else { return nil }
        var digest = candidate.contentDigest
        while let position = try position(source, candidate.occurredAt, digest, transaction) {
            let isSame = try EntryLookup.isSame(
                candidate,
                of: source,
                at: position,
                tables,
                open,
                transaction
            )
            if isSame { return position }
            digest &+= 1
        }
        return nil
    }

    /// Adds the row of a late event, under the first free key from its content digest on.
    mutating func add(
        _ source: UInt32,
        occurredAt: Int64,
        contentDigest: UInt64,
        position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        let latestTime = try latestTime(of: source, transaction)
        let lastSource = try lastSource(transaction)
        latest = (source, max(latestTime, occurredAt))
        self.lastSource = max(lastSource, source)
        var digest = contentDigest
        if occurredAt <= latestTime {
            while try self.position(source, occurredAt, digest, transaction) != nil { digest &+= 1 }
        }
        var value: [UInt8] = []
        value.append(littleEndian: position)
        try transaction.put(
            tables.late,
            LogKey.moment(source, occurredAt, digest),
            value,
            // For a row after all others LMDB need not search, and it fills its pages.
            append: source >= lastSource && occurredAt > latestTime
        )
    }

    /// Returns the position in the row of a key, or `nil` if there is no such row.
    private func position(
        _ source: UInt32,
        _ occurredAt: Int64,
        _ digest: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        let key = LogKey.moment(source, occurredAt, digest)
        guard let value = try transaction.get(tables.late, key) else { return nil }
        return try LogValue.position(value)
    }

    private mutating func latestTime(
        of source: UInt32,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int64 {
        if let latest, latest.source == source { return latest.time }
        if let latest { latestTimes[latest.source] = latest.time }
        let time = try latestTimes[source] ?? latestTimeInTable(of: source, transaction)
        latest = (source, time)
        return time
    }

    private func latestTimeInTable(
        of source: UInt32,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int64 {
        var cursor = try transaction.cursor(tables.late)
        guard try cursor.seek(toLastKeyBefore: LogKey.source(source + 1)),
            let row = LogKey.parseMoment(cursor.key), row.source == source
        else { return .min }
        return row.occurredAt
    }

    private mutating func lastSource(
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt32 {
        if let lastSource { return lastSource }
        var cursor = try transaction.cursor(tables.late)
        let last = try cursor.last() ? LogKey.parseMoment(cursor.key)?.source ?? .max : 0
        lastSource = last
        return last
    }
}
