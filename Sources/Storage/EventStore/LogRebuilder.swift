import LMDB
import Platform
package import Proofs
package import SystemPackage

extension EventLog {
    /// Blocks that one transaction takes.
    private static let blocksPerTransaction = 2_000

    /// The outcome of rebuilding a log.
    package struct Rebuilt: Sendable {
        /// The head of the new log.
        package var head: TreeHead

        /// Why not all blocks could be used, or `nil` if all were.
        package var obstacle: EventLogError?
    }

    /// Creates a log of the first blocks that a survey found and that follow one another from
    /// position 0 on.
    ///
    /// - Parameters:
    ///   - path: Where; nothing may be there yet.
    ///   - blocks: The blocks, in order of position.
    ///   - survey: Where they were found.
    ///   - registered: Returns the source that an event gives a number to.
    ///   - onProgress: Told how many entries are in the new log.
    /// - Returns: The new log's head, and what stood in the way.
    /// - Throws: `LMDBError`, `Errno`.
    package static func rebuild(
        at path: FilePath,
        from blocks: [LogSurvey.Block],
        of survey: LogSurvey,
        registered: @escaping (EntryView) -> RegisteredSource?,
        onProgress: (UInt64) -> Void
    ) throws -> Rebuilt {
        try Environment.create(at: path, options: options) { transaction in
            for name in LogTables.names { _ = try transaction.createTable(name) }
        }
        let environment = try Environment(at: path, options: options)
        defer { environment.close() }
        guard let tables = LogTables(try environment.openTables(LogTables.names)) else {
            throw EventLogError.notALog("tables are missing")
        }
        var rebuilder = LogRebuilder(tables, registered: registered)
        var obstacle: EventLogError?
        var rest = blocks[...]
        while !rest.isEmpty, obstacle == nil {
            let batch = rest.prefix(Self.blocksPerTransaction)
            rest = rest.dropFirst(batch.count)
            let start = rebuilder
            (rebuilder, obstacle) = try environment.write { transaction in
                // A copy, because the transaction runs again from the start if the map is full.
                var rebuilder = start
                var obstacle: EventLogError?
                for block in batch {
                    do {
                        try survey.withBlock(block) { try rebuilder.add($0, &transaction) }
                    } catch let error as EventLogError {
                        obstacle = error
                        break
                    }
                }
                try rebuilder.finish(&transaction)
                return (rebuilder, obstacle)
            }
            onProgress(rebuilder.head.size)
        }
        return Rebuilt(head: rebuilder.head, obstacle: obstacle)
    }
}

/// The choice of blocks, among all that were found, that make up the log.
package struct RescuePlan: Sendable {
    /// Blocks that follow one another without a gap.
    package struct Stretch: Sendable {
        /// The blocks, in order of position.
        package fileprivate(set) var blocks: [LogSurvey.Block] = []

        /// The positions of their entries.
        package var positions: Range<UInt64> {
            guard let first = blocks.first, let last = blocks.last else { return 0..<0 }
            return first.firstPosition..<last.endPosition
        }
    }

    /// The stretches, in order of position.
    package private(set) var stretches: [Stretch] = []

    /// First positions of blocks that exist in versions that contradict each other.
    package private(set) var conflicts: [UInt64] = []

    /// Puts the blocks of a survey in order.
    ///
    /// - Throws: `EventLogError.damaged` if a block is no longer what was found, `Errno`.
    package init(_ survey: LogSurvey) throws {
        let versions = Dictionary(grouping: survey.blocks, by: \.firstPosition)
        let sizes = Set(survey.heads.map(\.size))
        var position: UInt64 = 0
        var stretch = Stretch()
        for first in versions.keys.sorted() where first >= position {
            guard let found = versions[first] else { continue }
            // An open block has been written again and again. The one that counts is the one that
            // the next block, or the log's end, follows.
            let best = found.max { left, right in
                Self.rank(left, versions, sizes) < Self.rank(right, versions, sizes)
            }
            guard var best else { continue }
            let rivals = found.filter { $0.count == best.count && $0.checksum != best.checksum }
            if !rivals.isEmpty, try !Self.settle(&best, rivals, survey) { conflicts.append(first) }
            if first != position, !stretch.blocks.isEmpty {
                stretches.append(stretch)
                stretch = Stretch()
            }
            stretch.blocks.append(best)
            position = best.endPosition
        }
        if !stretch.blocks.isEmpty { stretches.append(stretch) }
    }

    /// Chooses among versions of a block with as many entries: of what was erased, the tombstone.
    ///
    /// - Returns: Whether they are versions of the same entries.
    private static func settle(
        _ best: inout LogSurvey.Block,
        _ rivals: [LogSurvey.Block],
        _ survey: LogSurvey
    ) throws -> Bool {
        var (hashes, tombstones) = try survey.leaves(of: best)
        var areSame = true
        for rival in rivals {
            let other = try survey.leaves(of: rival)
            if other.hashes != hashes {
                areSame = false
            } else if other.tombstones > tombstones {
                (best, tombstones) = (rival, other.tombstones)
            }
        }
        return areSame
    }

    private static func rank(
        _ block: LogSurvey.Block,
        _ versions: [UInt64: [LogSurvey.Block]],
        _ sizes: Set<UInt64>
    ) -> Int {
        let isFollowed = versions[block.endPosition] != nil
        let isEnd = sizes.contains(block.endPosition)
        // A file has both forms of a block only if something was erased from the compact one.
        let count = block.isCompact ? 0 : block.count
        return (isFollowed ? 2_000 : 0) + (isEnd ? 1_000 : 0) + count
    }
}

/// Makes a log of blocks that were found: stores the blocks as they are and derives all other rows.
struct LogRebuilder {
    private let tables: LogTables
    private let registered: (EntryView) -> RegisteredSource?
    private var state = LogState()
    private var sources: [SourceState] = []
    private var changed: Set<Int> = []
    private var lastErasure: UInt64?
    private var withheld = WithheldEntries()

    /// Prepares to fill the empty tables of a log.
    init(_ tables: LogTables, registered: @escaping (EntryView) -> RegisteredSource?) {
        self.tables = tables
        self.registered = registered
    }

    /// The head so far.
    var head: TreeHead { TreeHead(size: state.frontier.size, root: state.frontier.root) }

    /// Adds the next block.
    ///
    /// - Throws: `EventLogError.damaged` if no log has it there, and then nothing of it is added;
    ///   `LMDBError`.
    mutating func add(_ block: BlockView, _ transaction: inout WriteTransaction) throws {
        precondition(block.firstPosition == state.frontier.size, "blocks follow one another")
        var check = block.entries
        var registered = sources.count
        var recordedAt = state.lastRecordedAt
        while let entry = try check.next() {
            let position = check.position - 1
            if isRegistration(entry) {
                guard self.registered(entry) != nil else {
                    throw EventLogError.damaged(position: position, "it names no source")
                }
                registered += 1
            }
            guard Int(entry.source) <= registered, entry.recordedAt >= recordedAt else {
                throw EventLogError.damaged(position: position, "it does not follow the others")
            }
            recordedAt = entry.recordedAt
        }
        try transaction.put(
            tables.blocks,
            LogKey.number(block.firstPosition),
            block.bytes,
            append: true
        )
        var entries = block.entries
        while let entry = try entries.next() {
            try add(entry, at: entries.position - 1, &transaction)
        }
    }

    private func isRegistration(_ entry: EntryView) -> Bool {
        entry.source == 0 && entry.kind == LogAudit.registrationKind
    }

    private mutating func add(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        state.lastRecordedAt = entry.recordedAt
        if let root = state.frontier.append(entry.leafHash) {
            let subtree = position / MerkleFrontier.subtreeWidth
            try transaction.put(tables.tree, LogKey.number(subtree), root.array, append: true)
        }
        if isRegistration(entry), let source = registered(entry) {
            // It has a row even if the log ends here, before the source's first event.
            changed.insert(sources.count)
            sources.append(SourceState(source))
            let value = Self.number(UInt64(sources.count))
            try transaction.put(tables.names, Array(source.name.utf8), value, append: false)
        } else if entry.isTombstone {
            if entry.form == Tombstone.withheldKind { withheld.append(position) }
            if entry.source != 0 { changed.insert(Int(entry.source) - 1) }
        } else if entry.source != 0 {
            try index(entry, at: position, &transaction)
        } else if entry.kind == ErasureAudit.kind {
            lastErasure = position
        }
    }

    private mutating func index(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        let slot = Int(entry.source) - 1
        changed.insert(slot)
        if entry.hasID {
            let key = LogKey.id(entry.source, entry.id)
            try transaction.put(tables.ids, key, Self.number(position), append: false)
        }
        guard sources[slot].isInOrder(entry.occurredAt) else {
            sources[slot].noteLate()
            var digest = entry.contentDigest
            while try transaction.get(
                tables.late,
                LogKey.moment(entry.source, entry.occurredAt, digest)
            ) != nil {
                digest &+= 1
            }
            let key = LogKey.moment(entry.source, entry.occurredAt, digest)
            return try transaction.put(tables.late, key, Self.number(position), append: false)
        }
        guard sources[slot].noteInOrder(entry.occurredAt, position: position) else { return }
        let key = LogKey.moment(entry.source, entry.occurredAt, position)
        try transaction.put(tables.times, key, [], append: false)
    }

    /// Writes what is still in memory; the transaction MUST be committed right after.
    mutating func finish(_ transaction: inout WriteTransaction) throws {
        for slot in changed {
            guard let number = UInt32(exactly: slot + 1) else { continue }
            let value = sources[slot].value
            try transaction.put(tables.sources, LogKey.source(number), value, append: false)
        }
        changed = []
        if let lastErasure {
            var randomness = BufferedRandom()
            var erased =
                try ErasedEvents(transaction, tables) ?? ErasedEvents(randomness: &randomness)
            erased.lastPosition = lastErasure
            try transaction.put(tables.state, ErasedEvents.key, erased.value, append: false)
        }
        if withheld.count > 0 {
            let value = withheld.value
            try transaction.put(tables.state, IncompleteCopy.key, value, append: false)
        }
        try transaction.put(tables.state, LogState.key, state.value, append: false)
    }

    private static func number(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: number)
        return bytes
    }
}
