import EventStore
import LMDB
import Proofs
public import SystemPackage
import TripEvents
public import TripLedger

/// Reads and hashes every entry of a ledger's log again, in a process that a damaged log may crash.
public struct LogScan {
    /// How often progress is told, in bytes of blocks.
    private static let bytesPerSlice = 4 << 20

    private let path: FilePath
    private let knownHeads: [LedgerHead]
    private let recordedFrom: UInt64?

    /// Prepares a scan of the ledger in the directory `path`, which MUST have had `knownHeads`; it
    /// says when the entries from `recordedFrom` on were recorded.
    public init(at path: FilePath, knownHeads: [LedgerHead], recordedFrom: UInt64?) {
        self.path = path
        self.knownHeads = knownHeads
        self.recordedFrom = recordedFrom
    }

    /// Reads the log and says what it finds.
    ///
    /// - Parameter say: Told each message; a finding for each thing that is wrong.
    /// - Throws: What `say` throws.
    public func run(_ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do {
            try read(messenger)
        } catch let error as EventLogError {
            messenger.tell(Self.message(error))
        } catch let error as LMDBError {
            messenger.tell(Self.message(error))
        } catch let error as Errno {
            messenger.tell(.doubt("the log cannot be opened: \(error.description)"))
        }
        try messenger.finish()
    }

    private func read(_ messenger: ScanMessenger) throws {
        let eventLog = try EventLog(at: path.appending("log"), isReadOnly: true)
        defer { eventLog.close() }
        let log = eventLog.newest
        let total = try log.head().size
        try Self.introduce(log, messenger)
        try tellTimes(log, messenger)
        for what in try eventLog.snapshotFindings() { messenger.report(.log, what) }
        let issued = IssuedHeads()
        let rates = OwnTables()
        var audit = LogAudit(
            log,
            expecting: expectedHeads(messenger),
            registration: EntryContent.registration,
            erasure: ErasureRecord.init,
            watching: [EventKind.reportIssued.rawValue, EventKind.ratesLoaded.rawValue],
            onWatched: {
                issued.take($0, at: $1)
                rates.take($0, at: $1)
            },
            report: { messenger.tell(.finding(VerifyFinding($0))) }
        )
        while messenger.failure == nil, try !audit.advance(byteCount: Self.bytesPerSlice) {
            messenger.tell(.progress(done: audit.position, of: max(total, audit.position)))
        }
        conclude(audit, messenger)
        for claim in rates.claims { messenger.tell(.claim(claim)) }
        guard let head = audit.head, messenger.findingCount == 0 else { return }
        try Self.compare(issued.inOrder, with: log, upTo: head.size, messenger)
    }

    /// Compares the heads that issued reports name with the tree.
    private static func compare(
        _ issued: [IssuedHead],
        with log: ReadableLog,
        upTo size: UInt64,
        _ messenger: ScanMessenger
    ) throws {
        guard !issued.isEmpty else { return }
        let tree = try LogTree(log)
        var checked: [UInt64: Digest] = [:]
        for head in issued where head.size <= size && checked[head.size] == nil {
            checked[head.size] = try tree.root(atSize: head.size)
        }
        for head in issued {
            guard let problem = head.problem(givenRoot: checked[head.size]) else { continue }
            messenger.report(.report, at: head.position, problem)
        }
        guard messenger.findingCount == 0 else { return }
        let count = issued.count
        messenger.confirm(
            .report,
            "the \(count == 1 ? "report that was" : "\(count) reports that were") issued "
                + "\(count == 1 ? "names" : "name") entries and roots of this log"
        )
    }

    /// Returns the heads that the log must have had; an unreadable one is a finding.
    private func expectedHeads(_ messenger: ScanMessenger) -> [TreeHead] {
        knownHeads.compactMap { known in
            let head = TreeHead(known)
            if head == nil {
                messenger.report(
                    .head,
                    "of \(known.size) entries that the log had, it is known only that their root "
                        + "was \(known.root), which is none"
                )
            }
            return head
        }
    }

    /// Says which ledger it is, and what its log says of itself.
    static func introduce(_ log: ReadableLog, _ messenger: ScanMessenger) throws {
        let founding = try log.withEntry(at: 0) { try StoredEvent($0, at: 0, source: .ledger) }
        guard let founding, case .ledgerCreated(let created) = founding.event.body else {
            return messenger.report(.log, at: 0, "the log does not begin with ledger_created")
        }
        messenger.tell(.ledger(id: created.ledger, LedgerHead(try log.head())))
    }

    private func tellTimes(_ log: ReadableLog, _ messenger: ScanMessenger) throws {
        let size = try log.head().size
        guard let recordedFrom, recordedFrom < size,
            let first = try log.withEntry(at: recordedFrom, { $0.recordedAt }),
            let last = try log.withEntry(at: size - 1, { $0.recordedAt })
        else { return }
        messenger.tell(.recorded(from: UInt64(max(0, first)), to: UInt64(max(0, last))))
    }

    private func conclude(_ audit: LogAudit, _ messenger: ScanMessenger) {
        for head in audit.uncheckedHeads {
            messenger.tell(
                .doubt("the head of \(head.size) entries, for entries before it are damaged")
            )
        }
        guard let head = audit.head else {
            return messenger.tell(
                .doubt("counts and indexes after the first damaged or missing entry")
            )
        }
        messenger.tell(.head(LedgerHead(head)))
        guard messenger.findingCount == 0 else { return }
        messenger.confirm(
            .log,
            "\(head.size) entries were read and hashed again; their root is \(head.root)"
        )
        Self.tellTombstones(audit, messenger)
        messenger.confirm(.index, "all that is stored beside them follows from them")
        for known in knownHeads {
            messenger.confirm(.head, "the log continues the one that had \(known.size) entries")
        }
    }

    /// Reports how many entries have a hash that was copied and not computed.
    static func tellTombstones(_ audit: LogAudit, _ messenger: ScanMessenger) {
        let (erased, withheld) = (audit.erasedCount, audit.withheldCount)
        guard erased + withheld > 0 else { return }
        messenger.confirm(
            .log,
            "of them \(erased) were erased and \(withheld) withheld: of those only the hash is here"
        )
        guard audit.unrecognisedCount > 0 else { return }
        messenger.confirm(
            .log,
            "\(audit.unrecognisedCount) were erased before this copy of the log was made: it "
                + "stores them again if they are sent again"
        )
    }

    static func message(_ error: EventLogError) -> ScanMessage {
        switch error {
        case .damaged(let position, let what): .finding(VerifyFinding(.log, at: position, what))
        case .newerFormat: .doubt(error.description)
        case .notALog, .sizeMoved, .tooManySources, .notErasable, .isIncompleteCopy:
            .finding(VerifyFinding(.log, error.description))
        }
    }

    static func message(_ error: LMDBError) -> ScanMessage {
        error.code.saysThatPagesAreDamaged
            ? .finding(VerifyFinding(.log, error.description))
            : .doubt("the log cannot be opened: \(error.description)")
    }
}

/// Derives a ledger's views again and compares every stored row, in a process that damaged views
/// may crash.
public struct ViewScan {
    private let path: FilePath
    private let scratch: FilePath

    /// Prepares a scan of the views of the ledger in the directory `path`, whose log is sound.
    ///
    /// - Parameters:
    ///   - path: The ledger's directory.
    ///   - scratch: Where the new views may stand; nothing may be there. The process that asked
    ///     for the scan removes it.
    public init(at path: FilePath, scratch: FilePath) {
        self.path = path
        self.scratch = scratch
    }

    /// Compares the views and says what it finds.
    ///
    /// - Parameter say: Told each message; a finding for each row that differs.
    /// - Throws: What `say` throws.
    public func run(_ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do throws(LedgerError) {
            let ledger = try Ledger(at: path, isReadOnly: true)
            defer { ledger.close() }
            try ViewComparison(of: ledger, scratch: scratch)
                .run { message in
                    switch message {
                    case .progress(let done, let size):
                        messenger.tell(.progress(done: done, of: size))
                    case .finding(let what): messenger.report(.views, what)
                    case .doubt(let why): messenger.tell(.doubt(why))
                    case .fact(let what): messenger.confirm(.views, what)
                    }
                }
        } catch {
            messenger.tell(.doubt("the views could not be compared: \(error.cause)"))
        }
        try messenger.finish()
    }
}
