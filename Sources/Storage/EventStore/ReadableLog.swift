import LMDB
package import Proofs

/// The reading side of a log: entries, sources and roots, without any way to change them.
///
/// ``EventLog/newest`` reads what is newest at each call, from any thread. ``LogSnapshot/log``
/// reads the log as it was at one moment, on the thread that began the snapshot.
package struct ReadableLog: Sendable {
    /// Which of the log's states is read.
    enum Moment: Sendable {
        /// The newest at each call.
        case newest(Environment)

        /// That in which a snapshot began.
        case snapshot(SharedRead)

        /// The first entries of a snapshot.
        case prefix(LogPrefix, SharedRead)
    }

    let tables: LogTables

    private let moment: Moment

    /// Entries at this position and after it are not shown; the largest number if all are.
    let shownEnd: UInt64

    init(_ moment: Moment, _ tables: LogTables) {
        self.moment = moment
        self.tables = tables
        switch moment {
        case .newest, .snapshot: shownEnd = .max
        case .prefix(let prefix, _): shownEnd = prefix.head.size
        }
    }

    /// The first entries, if only these are shown.
    var prefix: LogPrefix? {
        switch moment {
        case .newest, .snapshot: nil
        case .prefix(let prefix, _): prefix
        }
    }

    /// Whether everything is read from one snapshot, on the thread that began it.
    package var isSnapshot: Bool {
        switch moment {
        case .newest: false
        case .snapshot, .prefix: true
        }
    }

    /// Whether an entry at a position would be shown.
    ///
    /// Without a prefix every one would be, even at a position that no log can have, which is
    /// damage.
    private func shows(_ position: UInt64) -> Bool { shownEnd == .max || position < shownEnd }

    /// Runs `body` on the log's snapshot, or without one on the newest state.
    func read<Result: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        switch moment {
        case .newest(let environment): try environment.read(body)
        case .snapshot(let transaction), .prefix(_, let transaction): try transaction.read(body)
        }
    }

    /// The size and root of the log.
    package func head() throws -> TreeHead {
        if let prefix { return prefix.head }
        return try read { transaction in
            guard let value = try transaction.get(tables.state, LogState.key) else {
                throw EventLogError.notALog("it has no state")
            }
            let state = try LogState(value)
            return state.frontier.head
        }
    }
}

/// The log as it was when the snapshot began, or the first of its entries.
///
/// It ends where its owner lets go of it, on the thread that began it. While it is open, writers
/// cannot use freed pages again, so that the file grows.
package struct LogSnapshot: ~Copyable, Sendable {
    /// The entries, for the thread that began the snapshot, until its end.
    package let log: ReadableLog

    private let transaction: SharedRead

    /// Begins a snapshot, of all entries or of the first.
    ///
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    init(of environment: Environment, _ tables: LogTables, upTo size: UInt64?) throws {
        let transaction = try SharedRead(of: environment)
        let all = ReadableLog(.snapshot(transaction), tables)
        log =
            if let size {
                ReadableLog(.prefix(try LogPrefix(of: all, size: size), transaction), tables)
            } else {
                all
            }
        self.transaction = transaction
    }

    deinit { transaction.end() }

    /// Ends the snapshot before its owner does.
    package consuming func end() {}
}

extension ReadableLog {
    /// Bytes after which a scan gives its snapshot back, so that writers can reuse old pages.
    private static let bytesPerSnapshot = 16 << 20

    /// Walks over the blocks from the one that holds `position` on, to the end of the log.
    ///
    /// The first block may begin before `position`; what is appended during the walk is included.
    ///
    /// - Parameters:
    ///   - position: Where to begin.
    ///   - body: Gets each block, checked, and returns whether to continue.
    /// - Throws: `EventLogError.damaged`, also when positions are missing, `LMDBError`, and what
    ///   `body` throws.
    package func scan(from position: UInt64, _ body: (BlockView) throws -> Bool) throws {
        var next = position
        var isAtStart = true
        var isFinished = false
        var buffer = BlockBuffer()
        while !isFinished {
            isFinished = try read { transaction in
                var cursor = try transaction.cursor(tables.blocks)
                guard shows(next), try cursor.seek(toBlockOf: next) else { return true }
                var bytes = 0
                repeat {
                    // Only now, when there is a next block, is the last one sure to be full: a
                    // later snapshot could show an open one again, with more entries.
                    if bytes > Self.bytesPerSnapshot { return false }
                    let block = try cursor.block(decodedInto: &buffer).cut(at: shownEnd)
                    bytes += cursor.value.count
                    guard block.endPosition > next else { continue }
                    guard block.firstPosition == next || isAtStart && block.firstPosition < next
                    else {
                        throw EventLogError.damaged(
                            position: next,
                            "the next block starts at \(block.firstPosition)"
                        )
                    }
                    next = block.endPosition
                    isAtStart = false
                    guard try body(block), shows(next) else { return true }
                } while try cursor.next()
                return true
            }
        }
    }

    /// Hands over the entries of a range with their positions.
    package func eachEntry(
        in range: Range<UInt64>,
        _ body: (EntryView, UInt64) throws -> Void
    ) throws {
        guard !range.isEmpty else { return }
        try scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                let position = entries.position - 1
                if range.contains(position) { try body(entry, position) }
            }
            return block.endPosition < range.upperBound
        }
    }

    /// Walks over the blocks from the one that holds the entry before `end` back to the start of
    /// the log.
    ///
    /// The first block may end after `end`.
    ///
    /// - Parameters:
    ///   - end: Where to begin: a position up to the log's size.
    ///   - body: Gets each block, checked, and returns whether to continue.
    /// - Throws: `EventLogError.damaged`, also when positions are missing, `LMDBError`, and what
    ///   `body` throws.
    package func scanBackwards(
        from end: UInt64,
        _ body: (BlockView) throws -> Bool
    ) throws {
        var next = min(end, shownEnd)
        var isFinished = false
        var buffer = BlockBuffer()
        while next > 0, !isFinished {
            isFinished = try read { transaction in
                var cursor = try transaction.cursor(tables.blocks)
                var isFound = try cursor.seek(toBlockOf: next - 1)
                var bytes = 0
                while next > 0 {
                    guard isFound else {
                        throw EventLogError.damaged(position: 0, "the log starts at \(next)")
                    }
                    if bytes > Self.bytesPerSnapshot { return false }
                    let block = try cursor.block(decodedInto: &buffer).cut(at: shownEnd)
                    bytes += cursor.value.count
                    guard block.endPosition >= next else {
                        throw EventLogError.damaged(
                            position: block.endPosition,
                            "the next block starts at \(next)"
                        )
                    }
                    next = block.firstPosition
                    guard try body(block) else { return true }
                    isFound = next > 0 ? try cursor.previous() : true
                }
                return true
            }
        }
    }

    /// Reads one entry in place, or returns `nil` if the log is shorter.
    ///
    /// - Throws: `EventLogError.damaged`, `LMDBError`, and what `body` throws.
    package func withEntry<Result>(
        at position: UInt64,
        _ body: (EntryView) throws -> Result
    ) throws -> Result? {
        try read { transaction in
            var cursor = try transaction.cursor(tables.blocks)
            guard shows(position), try cursor.seek(toBlockOf: position) else { return nil }
            var buffer = BlockBuffer()
            let block = try cursor.block(decodedInto: &buffer)
            guard position < block.endPosition else { return nil }
            var entries = block.entries
            while let entry = try entries.next() {
                if entries.position == position + 1 { return try body(entry) }
            }
            return nil
        }
    }

    /// Reads entries in the order of `positions`, each block once for as long as they ascend in it,
    /// until `body` returns `false`.
    ///
    /// - Throws: `EventLogError.damaged` if a position is missing, `LMDBError`, and what `body`
    /// throws.
    package func read(
        _ positions: [UInt64],
        _ body: (EntryView, UInt64) throws -> Bool
    ) throws {
        var rest = positions[...]
        var buffer = BlockBuffer()
        while !rest.isEmpty {
            try read { transaction in
                var cursor = try transaction.cursor(tables.blocks)
                var bytes = 0
                while let position = rest.first, bytes <= Self.bytesPerSnapshot {
                    guard shows(position), try cursor.seek(toBlockOf: position) else {
                        throw EventLogError.damaged(position: position, "it is missing")
                    }
                    bytes += cursor.value.count
                    try Self.take(&rest, from: cursor.block(decodedInto: &buffer), body)
                }
            }
        }
    }

    /// Hands over the first of `positions` and those after it that ascend in the same block, and
    /// drops them; drops all when `body` returns `false`.
    private static func take(
        _ positions: inout ArraySlice<UInt64>,
        from block: BlockView,
        _ body: (EntryView, UInt64) throws -> Bool
    ) throws {
        let count = positions.count
        var entries = block.entries
        while let position = positions.first, let entry = try entries.next() {
            guard entries.position - 1 == position else { continue }
            guard try body(entry, position) else { return positions.removeAll() }
            positions.removeFirst()
        }
        if let position = positions.first, positions.count == count {
            throw EventLogError.damaged(position: position, "it is missing")
        }
    }

    /// Returns the state of a source, or `nil` if there is none of that number.
    ///
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func source(numbered number: UInt32) throws -> SourceState? {
        guard let prefix else { return try storedState(ofSource: number) }
        let sources = try prefix.sources(of: self)
        return number > 0 && number <= sources.count ? sources[Int(number) - 1] : nil
    }

    /// Hands over what the log says of each source, in order of their numbers.
    ///
    /// - Throws: `EventLogError.damaged`, `LMDBError`, and what `body` throws.
    package func eachSource(_ body: (RegisteredSource) throws -> Void) throws {
        var number: UInt32 = 1
        while let source = try source(numbered: number) {
            try body(source.registered)
            number += 1
        }
    }

    /// Returns the state of a source after all entries, however few of them are shown.
    func storedState(ofSource number: UInt32) throws -> SourceState? {
        try read { transaction in
            guard let value = try transaction.get(tables.sources, LogKey.source(number)) else {
                return nil
            }
            guard let state = SourceState(value) else {
                throw EventLogError.damaged(position: 0, "the state of source \(number) is none")
            }
            return state
        }
    }

    /// Returns the number of the source of that name, or `nil` if there is none.
    ///
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func number(ofSource name: String) throws -> UInt32? {
        let number = try read { transaction in
            guard let value = try transaction.get(tables.names, Array(name.utf8)) else {
                return nil as UInt32?
            }
            return try LogValue.sourceNumber(value)
        }
        guard let prefix, let number else { return number }
        return try number <= prefix.sources(of: self).count ? number : nil
    }

    /// Returns the position of the event to which a source's sender gave an id; `nil` if there is
    /// none.
    ///
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func position(ofID id: String, from source: UInt32) throws -> UInt64? {
        try read { transaction in
            let key = LogKey.id(source, id.utf8.span)
            guard let value = try transaction.get(tables.ids, key) else { return nil as UInt64? }
            let position = try LogValue.position(value)
            return shows(position) ? position : nil
        }
    }

    /// Walks over the entries of a source that happened between two instants, in no particular
    /// order.
    ///
    /// Entries of the log after them are not read.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - earliest: Milliseconds since 1970.
    ///   - latest: Milliseconds since 1970.
    ///   - end: Entries at this position and after it are left out.
    ///   - body: Gets each entry with its position.
    /// - Throws: `EventLogError.damaged`, `LMDBError`, and what `body` throws.
    package func scan(
        source: UInt32,
        from earliest: Int64,
        until latest: Int64 = .max,
        upTo end: UInt64,
        _ body: (EntryView, UInt64) throws -> Void
    ) throws {
        guard earliest <= latest else { return }
        let end = min(end, shownEnd)
        let inOrder = try inOrderPositions(of: source, from: earliest)
        let start = min(inOrder?.lowerBound ?? end, end)
        // What follows the last in-order entry of the source is late: rows lead to it.
        let walkEnd = min(inOrder?.upperBound ?? end, end)
        var stop = start
        if start < walkEnd {
            stop = walkEnd
            try scan(from: start) { block in
                var entries = block.entries
                while entries.position < walkEnd, let entry = try entries.next() {
                    let position = entries.position - 1
                    guard position >= start, entry.source == source, !entry.isTombstone,
                        entry.occurredAt >= earliest
                    else { continue }
                    guard entry.occurredAt <= latest else {
                        // An entry after it that is not later is a late one.
                        stop = position
                        return false
                    }
                    try body(entry, position)
                }
                return block.endPosition < walkEnd
            }
        }
        // Those from `start` on were met by the walk.
        let late = try latePositions(of: source, in: earliest...latest, upTo: end)
            .filter { $0 < start || $0 >= stop }
        try read(late) { entry, position in
            try body(entry, position)
            return true
        }
    }

    /// Walks over the entries of some sources from an instant of each on, in no particular order.
    ///
    /// That reads the log once, however the sources are interleaved in it.
    ///
    /// - Parameters:
    ///   - earliest: For each source, by its number, milliseconds since 1970.
    ///   - end: Entries at this position and after it are left out.
    ///   - body: Gets each entry with its position.
    /// - Throws: `EventLogError.damaged`, `LMDBError`, and what `body` throws.
    package func scan(
        sources earliest: [UInt32: Int64],
        upTo end: UInt64,
        _ body: (EntryView, UInt64) throws -> Void
    ) throws {
        let end = min(end, shownEnd)
        let most = Int(earliest.keys.max() ?? 0)
        var from = Array(repeating: Int64.max, count: most + 1)
        var (start, walkEnd) = (end, UInt64(0))
        for (source, time) in earliest {
            from[Int(source)] = time
            guard let inOrder = try inOrderPositions(of: source, from: time) else { continue }
            start = min(start, inOrder.lowerBound)
            walkEnd = max(walkEnd, min(inOrder.upperBound, end))
        }
        if start < walkEnd {
            try scan(from: start) { block in
                var entries = block.entries
                while entries.position < walkEnd, let entry = try entries.next() {
                    let position = entries.position - 1
                    guard entry.source <= most, entry.occurredAt >= from[Int(entry.source)],
                        position >= start, !entry.isTombstone
                    else { continue }
                    try body(entry, position)
                }
                return block.endPosition < walkEnd
            }
        }
        for (source, time) in earliest.sorted(by: { $0.key < $1.key }) {
            let late = try latePositions(of: source, in: time ... .max, upTo: end)
                .filter { $0 < start || $0 >= walkEnd }
            try read(late) { entry, position in
                try body(entry, position)
                return true
            }
        }
    }

    /// Returns the positions from the source's first in-order entry at `occurredAt` or later, or
    /// one before it, to its last in-order entry; `nil` if all of them are earlier.
    package func inOrderPositions(
        of source: UInt32,
        from occurredAt: Int64
    ) throws -> Range<UInt64>? {
        guard let state = try storedState(ofSource: source), state.inOrderEvents > 0,
            occurredAt <= state.highWaterMark
        else { return nil }
        let last = state.highWaterPosition
        let first = try read { transaction in
            var cursor = try transaction.cursor(tables.times)
            let key = LogKey.moment(source, occurredAt, 0)
            if try cursor.seek(toLastKeyBefore: key), let row = LogKey.parseMoment(cursor.key),
                row.source == source
            {
                return row.last
            }
            guard try cursor.seek(toKeyAtOrAfter: key), let row = LogKey.parseMoment(cursor.key),
                row.source == source
            else { return last }
            return row.last
        }
        // Only in a damaged log does a row lead beyond the last one.
        return min(first, last)..<last + 1
    }

    private func latePositions(
        of source: UInt32,
        in times: ClosedRange<Int64>,
        upTo end: UInt64
    ) throws -> [UInt64] {
        try read { transaction in
            var positions: [UInt64] = []
            // Nothing is late before the source's first entry, whose row is the first of `times`.
            var rows = try transaction.cursor(tables.times)
            guard try rows.seek(toKeyAtOrAfter: LogKey.source(source)),
                let first = LogKey.parseMoment(rows.key), first.source == source, first.last < end
            else { return positions }
            var cursor = try transaction.cursor(tables.late)
            var isFound = try cursor.seek(
                toKeyAtOrAfter: LogKey.moment(source, times.lowerBound, 0)
            )
            while isFound, let row = LogKey.parseMoment(cursor.key), row.source == source,
                row.occurredAt <= times.upperBound
            {
                let position = try LogValue.position(cursor.value)
                if position < end { positions.append(position) }
                isFound = try cursor.next()
            }
            return positions.sorted()
        }
    }
}
