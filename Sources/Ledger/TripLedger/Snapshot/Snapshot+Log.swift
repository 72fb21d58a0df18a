import EventStore
import Proofs
import SystemPackage
import TripEvents
import TripTracking

extension Snapshot {
    /// Hands over the entries from a position on, as they were stored, until `body` returns
    /// `false`.
    ///
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws.
    public func scanLog(from position: UInt64, _ body: (StoredEvent) throws -> Bool) throws {
        noteHandingOver()
        try log.handOver(from: position, path, body)
    }

    /// Returns the latest fix of any source that is usable by the rules of the ledger, or `nil` if
    /// there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func latestFix() throws(LedgerError) -> StoredEvent? {
        try asking {
            var latest: StoredFix?
            try log.scan(from: 0) { block in
                var entries = block.entries
                while let entry = try entries.next() {
                    guard entry.occurredAt >= latest?.fix.occurredAt.milliseconds ?? .min,
                        let stored = StoredFix(entry, at: entries.position - 1),
                        rules.canUse(stored.fix)
                    else { continue }
                    latest = stored
                }
                return true
            }
            return try latest.flatMap { try log.storedEvent(at: $0.position) }
        }
    }
}

extension Ledger {
    /// Hands over the entries from a position on, as they were stored, until `body` returns
    /// `false`.
    ///
    /// It needs no views, and works where none can be made. Entries appended meanwhile are handed
    /// over too; ``Snapshot/scanLog(from:_:)`` reads only those that a head commits to.
    ///
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws.
    public func scanLog(from position: UInt64, _ body: (StoredEvent) throws -> Bool) throws {
        try log.handOver(from: position, path, body)
    }

    /// Hands over the entries from a position on that a filter lets through, decoded as far as it
    /// takes to write them down, until `body` returns `false`.
    ///
    /// - Parameters:
    ///   - position: Where to begin; those before it are left out in the other order too.
    ///   - filter: Which entries are handed over.
    ///   - isReversed: Whether the newest comes first.
    ///   - onProgress: Told how many entries were looked at, of how many, now and then.
    ///   - body: Gets each entry.
    /// - Returns: The position after the last entry that was looked at; meaningless if
    ///   `isReversed`.
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws.
    package func scanLog(
        from position: UInt64,
        where filter: LogFilter,
        isReversed: Bool = false,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in },
        _ body: (borrowing LoggedEntry) throws -> Bool
    ) throws -> UInt64 {
        let size = try LedgerError.translating(at: path) { try log.head().size }
        let bounds = filter.bounds
        let start = max(position, bounds.lowerBound)
        var next = position
        var progress = Progress(from: start, to: min(size, bounds.upperBound))
        var walk = FilteredWalk(
            names: SourceNames(log),
            filter: filter,
            positions: start..<max(start, bounds.upperBound)
        )
        try log.handingOver(at: path) { caller in
            if isReversed {
                guard start < progress.end else { return }
                try log.scanBackwards(from: progress.end) { block in
                    let isWanted = try block.eachEntryReversed { entry, found in
                        try walk.take(entry, at: found, for: &caller, body)
                    }
                    guard isWanted else { return false }
                    progress.count(block.count, onProgress)
                    return block.firstPosition > start
                }
            } else {
                try log.scan(from: start) { block in
                    var entries = block.entries
                    while let entry = try entries.next() {
                        let found = entries.position - 1
                        guard try walk.take(entry, at: found, for: &caller, body) else {
                            next = entries.position
                            return false
                        }
                    }
                    next = max(next, block.endPosition)
                    progress.count(block.count, onProgress)
                    return next < bounds.upperBound
                }
            }
        }
        return next
    }

    /// How far a walk over the log is.
    private struct Progress {
        /// The number of entries between two reports of progress.
        private static let step: UInt64 = 1 << 14

        let end: UInt64
        private let total: UInt64
        private var done: UInt64 = 0
        private var due = step

        init(from start: UInt64, to end: UInt64) {
            self.end = end
            total = end - min(start, end)
        }

        mutating func count(_ count: Int, _ tell: (UInt64, UInt64) -> Void) {
            done += UInt64(count)
            guard done >= due else { return }
            due = done + Self.step
            // Entries appended meanwhile are handed over too.
            tell(done, max(done, total))
        }
    }
}

extension ReadableLog {
    /// Returns the event at a position, or `nil` if the log is shorter.
    func storedEvent(at position: UInt64) throws -> StoredEvent? {
        var names = SourceNames(self)
        return try withEntry(at: position) { entry in
            let source = try names.source(of: entry.source, at: position)
            return try StoredEvent(entry, at: position, source: source)
        }
    }

    /// Hands over the entries from a position on until `body` returns `false`.
    ///
    /// - Throws: `LedgerError` about the ledger at `path`, and what `body` throws.
    fileprivate func handOver(
        from position: UInt64,
        _ path: FilePath,
        _ body: (StoredEvent) throws -> Bool
    ) throws {
        var names = SourceNames(self)
        try handingOver(at: path) { caller in
            try scan(from: position) { block in
                var entries = block.entries
                while let entry = try entries.next() {
                    let found = entries.position - 1
                    guard found >= position else { continue }
                    let source = try names.source(of: entry.source, at: found)
                    let event = try StoredEvent(entry, at: found, source: source)
                    guard caller.goesOn({ try body(event) }) else { return false }
                }
                return true
            }
        }
    }

    /// Runs a walk that hands entries over to the caller's code.
    ///
    /// - Throws: `LedgerError` about the ledger at `path`, and what the caller's code throws.
    fileprivate func handingOver(
        at path: FilePath,
        _ walk: (inout Caller) throws -> Void
    ) throws {
        var caller = Caller()
        try LedgerError.translating(at: path) { try walk(&caller) }
        if let error = caller.error { throw error }
    }
}

/// Decodes the entries that a filter lets through, one after the other.
private struct FilteredWalk {
    var names: SourceNames
    let filter: LogFilter
    let positions: Range<UInt64>

    /// Takes an entry, and returns whether to go on.
    @inline(__always)
    mutating func take(
        _ entry: EntryView,
        at position: UInt64,
        for caller: inout Caller,
        _ body: (borrowing LoggedEntry) throws -> Bool
    ) throws -> Bool {
        guard positions.contains(position), filter.includes(entry, at: position) else {
            return true
        }
        let source = try names.source(of: entry.source, at: position)
        let logged = try LoggedEntry(entry, at: position, source: source)
        return caller.goesOn { try body(logged) }
    }
}

/// The caller's code, which a walk over the log calls: what it throws is the caller's, and goes
/// back to it as it is.
private struct Caller {
    /// The error that it has thrown.
    private(set) var error: (any Error)?

    /// Runs it, and returns whether to go on.
    mutating func goesOn(_ body: () throws -> Bool) -> Bool {
        do {
            return try body()
        } catch {
            self.error = error
            return false
        }
    }
}
