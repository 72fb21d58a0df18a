import EventStore
import LMDB
import Platform
import Proofs
public import SystemPackage
public import TripEvents
public import TripLedger

/// Has every entry of a ledger read again in the background, and notes when that was done.
public struct LedgerScrub {
    private let path: FilePath
    private let process: ScanProcess

    /// Prepares a scrub of the ledger in the directory `path`.
    public init(at path: FilePath, process: ScanProcess) {
        self.path = path
        self.process = process
    }

    /// Reads the log.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The most bytes to read in a second, or `nil` for no limit.
    ///   - minutes: The most minutes to take, or `nil` for no limit.
    ///   - isResumed: Whether to go on where the last scrub stopped.
    ///   - onProgress: Told how far it is.
    ///   - now: Asked for the time when a pass is complete.
    /// - Returns: The result; with a head if the pass is complete.
    /// - Throws: `.missingLedger`, `.inputOutput`.
    public func run(
        bytesPerSecond: UInt64?,
        minutes: UInt32?,
        isResumed: Bool,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        now: () -> Timestamp
    ) throws(LedgerError) -> ScanProcess.Result {
        try Ledger.requireLog(at: path)
        let task = ScanTask.scrub(
            path,
            bytesPerSecond: bytesPerSecond,
            minutes: minutes,
            isResumed: isResumed
        )
        let result = try process.run(task, onProgress: onProgress)
        let findings = result.outcome.findingCount
        guard let head = result.head ?? (findings > 0 ? result.statedHead : nil) else {
            return result
        }
        var record = SafekeepingRecord(.scrub, at: now(), head: head)
        record.findings = findings
        try LedgerError.translating(at: path) {
            try SafekeepingHistory(of: path).append(record)
        }
        return result
    }
}

/// Reads and hashes every entry again, slowly and in slices, in a process that a damaged log may
/// crash.
///
/// The file `scrub.cursor` in the ledger's directory says how far it is (Formats, *The history of a
/// ledger's directory*).
public struct LogScrub {
    private static let bytesPerSlice = 1 << 20
    private static let millisecondsPerCursor: Int64 = 2_000

    /// More bytes than the cursor takes for a log with as many sources as are counted.
    private static let maximumCursorByteCount = 1 << 26

    private let path: FilePath
    private let bytesPerSecond: UInt64?
    private let minutes: UInt32?
    private let isResumed: Bool

    private var cursorPath: FilePath { path.appending("scrub.cursor") }

    /// Prepares a scrub of the ledger in the directory `path`.
    public init(at path: FilePath, bytesPerSecond: UInt64?, minutes: UInt32?, isResumed: Bool) {
        self.path = path
        self.bytesPerSecond = bytesPerSecond
        self.minutes = minutes
        self.isResumed = isResumed
    }

    /// Reads the log to its end, or as far as the time allows, and says what it finds.
    ///
    /// - Throws: What `say` throws.
    public func run(_ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do {
            try read(messenger)
        } catch let error as EventLogError {
            messenger.tell(LogScan.message(error))
        } catch let error as LMDBError {
            messenger.tell(LogScan.message(error))
        } catch {
            messenger.tell(.doubt("the log cannot be read: \(error)"))
        }
        try messenger.finish()
    }

    private func read(_ messenger: ScanMessenger) throws {
        let eventLog = try EventLog(at: path.appending("log"), isReadOnly: true)
        defer { eventLog.close() }
        let log = eventLog.newest
        let total = try log.head().size
        try LogScan.introduce(log, messenger)
        for what in try eventLog.snapshotFindings() { messenger.report(.log, what) }
        var audit = LogAudit(
            log,
            from: isResumed ? try storedTally(log) : AuditTally(),
            registration: EntryContent.registration,
            erasure: ErasureRecord.init
        ) { messenger.tell(.finding(VerifyFinding($0))) }
        var start = audit.position
        let startedAt = WallClock.now
        var readBytes: UInt64 = 0
        var savedAt = startedAt
        while messenger.failure == nil, try !audit.advance(byteCount: Self.bytesPerSlice) {
            // After an erasure, it begins anew.
            if audit.position < start { start = 0 }
            messenger.tell(.progress(done: audit.position, of: max(total, audit.position)))
            readBytes += UInt64(Self.bytesPerSlice)
            rest(after: readBytes, since: startedAt)
            let now = WallClock.now
            let isOver = minutes.map { now.milliseconds(since: startedAt) >= Int64($0) * 60_000 }
            let age = now.milliseconds(since: savedAt)
            if messenger.findingCount > 0 {
                // A check that resumes from there would not find this damage again.
                try removeCursor()
            } else if isOver == true || age >= Self.millisecondsPerCursor {
                savedAt = now
                try save(audit, log)
            }
            if isOver == true {
                guard messenger.findingCount == 0 else { return }
                return messenger.confirm(
                    .log,
                    "the first \(audit.position) of \(total) entries were read"
                        + Self.share(audit.position, from: start) + "; go on with --resume"
                )
            }
        }
        if audit.position < start { start = 0 }
        try removeCursor()
        guard messenger.findingCount == 0, let head = audit.head else { return }
        messenger.tell(.head(LedgerHead(head)))
        messenger.confirm(
            .log,
            "\(head.size) entries were read and hashed again"
                + Self.share(head.size, from: start) + "; their root is \(head.root)"
        )
        LogScan.tellTombstones(audit, messenger)
    }

    /// Says which part was read now; only the cursor vouches for the rest.
    private static func share(_ end: UInt64, from start: UInt64) -> String {
        start == 0 ? "" : " since the last start, \(end - start) of them in this run"
    }

    private func removeCursor() throws {
        if try Directory.holds(cursorPath) { try Directory.remove(cursorPath) }
    }

    /// Sleeps until the limit allows for the bytes that were read.
    private func rest(after readBytes: UInt64, since start: Timestamp) {
        guard let bytesPerSecond, bytesPerSecond > 0 else { return }
        let due = Int64(
            clamping: readBytes.multipliedReportingOverflow(by: 1_000).partialValue
                / bytesPerSecond
        )
        let elapsed = WallClock.now.milliseconds(since: start)
        guard due > elapsed else { return }
        // It sleeps for short times, so that progress is reported often enough.
        WallClock.pause(milliseconds: UInt32(min(due - elapsed, 30_000)))
    }

    private func save(_ audit: LogAudit, _ log: ReadableLog) throws {
        guard audit.position > 0,
            let leaf = try log.withEntry(at: audit.position - 1, { $0.leafHash }),
            let bytes = audit.tally.encoded(lastLeaf: leaf)
        else { return }
        try DurableFile.replace(cursorPath, with: bytes)
    }

    /// Returns where the last scrub stopped, or the start if there was none or it was of another
    /// log.
    private func storedTally(_ log: ReadableLog) throws -> AuditTally {
        guard try Directory.holds(cursorPath),
            let bytes = try? PrivateFile.read(
                cursorPath,
                maximumByteCount: Self.maximumCursorByteCount
            )
        else { return AuditTally() }
        var leaf = MerkleFrontier.emptyRoot
        guard let tally = AuditTally(decoding: bytes, lastLeaf: &leaf), tally.position > 0,
            try log.withEntry(at: tally.position - 1, { $0.leafHash }) == leaf
        else { return AuditTally() }
        return tally
    }
}
