import LMDB
package import Platform
package import Proofs
package import SystemPackage

/// The append-only log of entries: positions, blocks, tree, identity.
///
/// It does not know what a trip is. One value represents one open LMDB environment; copies share
/// it.
package struct EventLog: Sendable {
    /// Returns the content of the `source_registered` event that gives a name its number.
    ///
    /// The log appends it before a new source's first event, so that the number's meaning is hashed
    /// too.
    package typealias SourceRegistration = @Sendable (UInt32, RegisteredSource) -> EntryContent

    /// Reads one of the ledger's own events: what it says that was erased, or `nil`.
    package typealias ErasureReading = @Sendable (EntryView) -> ErasureRecord?

    /// The log's options for LMDB.
    static var options: Environment.Options {
        var options = Environment.Options(
            maximumTables: LogTables.names.count,
            initialMapBytes: 64 << 20,
            isReadOnly: false,
            maximumReaders: 126
        )
        // Acknowledged entries must be found at the path.
        options.staysAtPath = true
        return options
    }

    let environment: Environment
    let tables: LogTables

    /// The snapshot that everything is read from; `nil` to read what is newest at each call.
    private var snapshot: SharedRead?

    /// The first entries, if a snapshot shows only these.
    private(set) var prefix: LogPrefix?

    /// Opens the log in the directory at `path`.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - isReadOnly: Whether nothing will be appended.
    ///   - waitNotice: Told when an append waits for another process.
    /// - Throws: `LMDBError`, or `EventLogError.notALog` or `.newerFormat`.
    package init(
        at path: FilePath,
        isReadOnly: Bool = false,
        waitNotice: WaitNotice? = nil
    ) throws {
        var options = Self.options
        options.isReadOnly = isReadOnly
        options.waitNotice = waitNotice
        environment = try Self.environment(at: path, options)
        guard let tables = LogTables(try environment.openTables(LogTables.names)) else {
            throw EventLogError.notALog("tables are missing")
        }
        self.tables = tables
        _ = try head()
    }

    /// Opens the environment, again if it is being swept just now.
    private static func environment(
        at path: FilePath,
        _ options: Environment.Options
    ) throws(LMDBError) -> Environment {
        for _ in 1...3 {
            do {
                return try Environment(at: path, options: options)
            } catch  where error.code == .replaced {
                continue
            }
        }
        return try Environment(at: path, options: options)
    }

    /// Creates a log whose first entry is `founding`, and opens it.
    ///
    /// The directory appears at `path` complete or not at all.
    ///
    /// - Parameters:
    ///   - path: Where; nothing may be there yet.
    ///   - founding: The content of the `ledger_created` event.
    ///   - recordedAt: Milliseconds since 1970, less than 2^47 either way.
    ///   - randomness: Where the entry's nonce comes from.
    /// - Returns: The log, open.
    /// - Throws: `LMDBError`; `.system(.fileExists)` if something is at `path`.
    package static func create(
        at path: FilePath,
        founding: EntryContent,
        recordedAt: Int64,
        randomness: some RandomNumberGenerator
    ) throws -> EventLog {
        try Environment.create(at: path, options: options) { transaction in
            let tables = LogTables(try LogTables.names.map { try transaction.createTable($0) })
            guard let tables else { throw EventLogError.notALog("tables are missing") }
            var appender = LogAppender(founding: tables, at: recordedAt, randomness: randomness)
            try appender.appendOwn(founding, &transaction)
            _ = try appender.finish(&transaction)
        }
        return try EventLog(at: path)
    }

    /// Returns the log as it is now: all that is read from it comes from one snapshot.
    ///
    /// It MUST be asked on this thread only, and MUST NOT be written to. While it is open, writers
    /// cannot use freed pages again, so that the file grows.
    ///
    /// - Parameter size: Only the first so many entries are shown, as if no others had ever been
    ///   appended; the log MUST have as many. `nil` for all.
    /// - Returns: The log, until ``endSnapshot()``.
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    package func beginSnapshot(upTo size: UInt64? = nil) throws -> EventLog {
        var log = self
        log.snapshot = try SharedRead(of: environment)
        guard let size else { return log }
        do {
            log.prefix = try LogPrefix(of: log, size: size)
            return log
        } catch {
            log.endSnapshot()
            throw error
        }
    }

    /// Ends the snapshot; the log that ``beginSnapshot()`` returned MUST NOT be used after that.
    package func endSnapshot() {
        snapshot?.end()
    }

    /// Whether everything is read from one snapshot, on the thread that began it.
    package var isSnapshot: Bool { snapshot != nil }

    /// Entries at this position and after it are not shown.
    var shownEnd: UInt64 { prefix?.head.size ?? .max }

    /// Whether an entry at a position would be shown: without a prefix also one where none can be,
    /// which is damage.
    private func shows(_ position: UInt64) -> Bool { prefix == nil || position < shownEnd }

    /// Runs `body` on the log's snapshot, or without one on the newest state.
    func read<Result: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        guard let snapshot else { return try environment.read(body) }
        return try snapshot.read(body)
    }

    /// Checks that the log that is open is the one at its path.
    ///
    /// - Throws: `LMDBError.displaced` if it was deleted, moved or replaced.
    package func requireAtPath() throws {
        try environment.requireAtPath("lstat")
    }

    /// Closes the environment; the log MUST NOT be used after that.
    package func close() {
        environment.close()
    }

    /// The size and root of the log now.
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

extension EventLog {
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
        let start = min(try firstInOrderPosition(of: source, from: earliest) ?? end, end)
        var stop = start
        if start < end {
            stop = end
            try scan(from: start) { block in
                var entries = block.entries
                while entries.position < end, let entry = try entries.next() {
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
                return block.endPosition < end
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

    /// Returns a position at or before the source's first in-order entry at `occurredAt` or later,
    /// or `nil` if all of them are earlier.
    private func firstInOrderPosition(of source: UInt32, from occurredAt: Int64) throws -> UInt64? {
        guard let state = try storedState(ofSource: source), state.inOrderEvents > 0,
            occurredAt <= state.highWaterMark
        else { return nil }
        return try read { transaction in
            var cursor = try transaction.cursor(tables.times)
            let key = LogKey.moment(source, occurredAt, 0)
            if try cursor.seek(toLastKeyBefore: key), let row = LogKey.parseMoment(cursor.key),
                row.source == source
            {
                return row.last
            }
            guard try cursor.seek(toKeyAtOrAfter: key), let row = LogKey.parseMoment(cursor.key),
                row.source == source
            else { return state.highWaterPosition }
            return row.last
        }
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

/// Why the log could not do what it was asked to.
public enum EventLogError: Error, Hashable, Sendable {
    /// Something stored is not what it was when it was written.
    ///
    /// `position` is the first one that cannot be trusted.
    case damaged(position: UInt64, String)

    /// The log holds another number of entries than the caller expected; nothing was appended.
    case sizeMoved(expected: UInt64, actual: UInt64)

    /// The log was written by a newer program.
    case newerFormat(String)

    /// The directory holds an LMDB environment that is not a log.
    case notALog(String)

    /// An entry that was to be erased cannot be: it is the ledger's own, not there, or gone
    /// already.
    case notErasable(position: UInt64)

    /// The log is a copy from which entries were withheld: nothing can be appended to it.
    case isIncompleteCopy

    /// The log has as many sources as this append leaves it; a log has room for 1,000,000.
    case tooManySources(most: Int)
}

extension EventLogError: CustomStringConvertible {
    /// The error as a sentence without a full stop.
    public var description: String {
        switch self {
        case .damaged(let position, let what):
            "the log is damaged from position \(position) on: \(what)"
        case .sizeMoved(let expected, let actual):
            "the log holds \(actual) entries, not the expected \(expected)"
        case .newerFormat(let what):
            "the log was written by a newer version of ledger (\(what))"
        case .notALog(let what):
            "this is no event log: \(what)"
        case .notErasable(let position):
            "the entry at position \(position) is the ledger's own, or its content is gone already"
        case .isIncompleteCopy:
            "this is a copy from which entries were withheld, so that nothing can be appended"
        case .tooManySources(let most):
            "the log already has \(most) sources, and takes no events from new ones"
        }
    }
}
