import LedgerKeeping
import Platform
import Proofs
import ServerStore
import SystemPackage
import TripEvents
import TripLedger

/// Sends a ledger's log to a replica, segment by segment, each of which is confirmed before the
/// next one goes.
///
/// The log is open only while it is read, so that an erasure can write its file anew. Rows are
/// written beside it.
final class Replication {
    /// The longest wait for a segment to be confirmed.
    private static let patience = Duration.seconds(10)

    /// The first pause after a failure and the longest, in milliseconds.
    private static let pauses: ClosedRange<UInt32> = 100...5_000

    /// How often the log is looked at while there are no callers, in milliseconds.
    private static let glanceMilliseconds = 50

    private let options: ReplicateOptions
    private let id: String
    private let servers: [PostgresServer]
    private let confirming: ConfirmingServers
    private let mostConfirming: Int
    private let door: ReplicaDoor?
    private let ledger: SharedLedger
    private let rows: RowWriter?
    private var isFirst: Bool

    /// The tree over the entries that the replica has.
    private var frontier = MerkleFrontier()

    /// The last complaint; empty once something was confirmed.
    private var complaint = ""

    /// The size of the last signed head that the replica keeps.
    private var keptSize: UInt64 = 0

    /// When the last confirmed head was written to its file.
    private var written = ContinuousClock.now - .seconds(60)

    /// Prepares to replicate.
    ///
    /// - Throws: `LedgerError`; `.alreadyThere` if another process replicates the ledger.
    init(_ options: ReplicateOptions) throws {
        self.options = options
        isFirst = options.isFirst
        servers = options.servers
        mostConfirming = options.mostConfirming
        let path = options.ledger
        ledger = SharedLedger(at: path, isReadOnly: !options.writesRows)
        id = try ledger.using(\.founding.ledger)
        rows = options.writesRows ? RowWriter(of: ledger, id, to: servers, options) : nil
        confirming = ConfirmingServers(
            options.confirmingServers,
            needed: options.needed,
            of: id
        )
        guard options.work == .follow else {
            door = nil
            return
        }
        // Makes the directory if it is not there.
        try ServerState.openOrCreate(of: path).close()
        guard !UnixSocket.isAnswered(at: ReplicaPlace.socket(of: path)) else {
            throw LedgerError(
                .alreadyThere,
                at: path.string,
                cause: "another `ledger replicate` replicates this ledger",
                hint: "One is enough: end the other one first"
            )
        }
        door = try LedgerError.translating(at: path) { try ReplicaDoor(of: path) }
    }

    /// Sends the log, and goes on with new entries; if asked for once, until the whole log is
    /// confirmed.
    ///
    /// - Throws: `ReplicaRefusal`, `LedgerError`; `PostgresFailure` if it is asked for once, or if
    ///   a retry cannot succeed.
    func run() throws {
        var pause = Self.pauses.lowerBound
        while true {
            do {
                try replicate { pause = Self.pauses.lowerBound }
                return
            } catch let refusal as ReplicaRefusal {
                door?.refuse(refusal.code, refusal.cause)
                throw refusal
            } catch let failure as PostgresFailure where options.work == .follow && failure.mayPass
            {
                complain("\(options.service): \(failure)")
            } catch let error as LedgerError
                where options.work == .follow && error.code == .inputOutput
            {
                // The log's files may just have been written anew.
                complain("\(error)")
            }
            let wait = UInt32.random(in: pause / 2...pause)
            if let door {
                let end = ContinuousClock.now + .milliseconds(Int(wait))
                while .now < end { door.wait(milliseconds: 20) }
            }
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Reports why something is tried again, once for each reason.
    private func complain(_ words: String) {
        guard words != complaint else { return }
        complaint = words
        ReplicateProgram.note("\(words); trying again\n")
    }

    /// Connects, compares the log with the replica, and goes on from there.
    private func replicate(onProgress: () -> Void) throws {
        let session = try PostgresSession(to: servers, mustWrite: true) { [door] in
            door?.serve()
        }
        // This comes before tables are made, and after a server has answered, because a service may
        // be unreachable.
        guard options.needed <= mostConfirming else {
            throw ReplicaRefusal.tooFew(mostConfirming, needed: options.needed)
        }
        let (replica, epoch) = try locate(over: session)
        let head = try replica.head()
        try reading { log in frontier = try frontier(of: log, at: head) }
        // The last segment of an earlier connection may be on one server only.
        if head.size > 0 { try confirm(head, over: session) }
        onProgress()
        while true {
            let state = try? FileState(of: logFile)
            let isComplete = try sendAll(to: replica, inEpoch: epoch, onProgress)
            // Rows follow once the log that they are made of is there.
            guard isComplete else { continue }
            if try rows?.goOn() == false {
                throw try reading { try fenced($0, replica) }
            }
            guard options.work == .follow, let door else { return try writeDown() }
            try waitForMore(than: state, door)
        }
    }

    private var logFile: FilePath { options.ledger.appending("log/data.mdb") }

    /// Waits until the log's file has changed or a caller needs more.
    private func waitForMore(than state: FileState?, _ door: ReplicaDoor) throws {
        let start = ContinuousClock.now
        while true {
            door.wait(milliseconds: Self.glanceMilliseconds)
            if .now - written > .seconds(1) { try writeDown() }
            // A file may change twice within one tick of its clock, so it is checked once more.
            if door.needed > frontier.size || .now - start > .seconds(1) { return }
            if (try? FileState(of: logFile)) != state { return }
        }
    }

    /// Opens the ledger for a moment.
    private func reading<Result>(_ body: (ReplicatedLog) throws -> Result) throws -> Result {
        try ledger.using { try body(ReplicatedLog(of: $0)) }
    }

    /// Finds the ledger in the database, and says in which epoch this machine writes.
    private func locate(
        over session: PostgresSession
    ) throws -> (replica: Replica, epoch: UInt64) {
        var isNew = false
        if isFirst {
            try Replica.makeTables(over: session, withRows: options.writesRows)
            let name = options.name ?? options.ledger.lastComponent?.string ?? "ledger"
            isNew = try Replica.add(id, named: name, over: session)
            guard try Replica(of: id, over: session) != nil else {
                throw ReplicaRefusal.taken(name)
            }
        }
        guard let replica = try Replica(of: id, over: session) else {
            throw ReplicaRefusal.unknown(id)
        }
        let file = EpochFile(of: options.ledger)
        if isNew || isFirst && file.epoch == nil { try file.write(replica.epoch) }
        isFirst = false
        guard let epoch = file.epoch else { throw ReplicaRefusal.unclaimed }
        guard epoch == replica.epoch else { throw try reading { try fenced($0, replica) } }
        return (replica, epoch)
    }

    /// Returns the tree over the entries that the replica has, if they are the log's own.
    private func frontier(of log: ReplicatedLog, at head: TreeHead) throws -> MerkleFrontier {
        guard let frontier = try log.frontier(atSize: head.size) else {
            throw ReplicaRefusal.setBack(try log.size(), head.size)
        }
        guard frontier.root == head.root else {
            throw ReplicaRefusal.forked(
                head.size,
                own: frontier.root.description,
                replicated: head.root.description
            )
        }
        return frontier
    }

    /// Says that another machine has taken the ledger over, and which entries were never
    /// acknowledged: those that were not confirmed and are not in the replica.
    ///
    /// The replica has every confirmed entry, even if the confirmation was not written to its file.
    private func fenced(_ log: ReplicatedLog, _ replica: Replica) throws -> ReplicaRefusal {
        let known = max(
            door?.confirmed?.size ?? 0,
            confirmed?.position ?? 0,
            ReplicaState(of: options.ledger)?.position ?? 0
        )
        let size = try log.size()
        guard known < size else { return .fenced(after: known, of: size) }
        let shared = try replica.places(of: known..<size)
            .last { try log.frontier(atSize: $0.next)?.root == $0.root }
        return .fenced(after: max(known, shared?.next ?? 0), of: size)
    }

    /// Sends what the log holds.
    ///
    /// - Returns: Whether nothing was left to send.
    private func sendAll(
        to replica: Replica,
        inEpoch epoch: UInt64,
        _ onProgress: () -> Void
    ) throws -> Bool {
        try reading { log in
            // Another log may have been put in its place since it was open.
            _ = try frontier(of: log, at: frontier.head)
            var isComplete = true
            while let part = try log.part(after: frontier) {
                isComplete = false
                let end = ContinuousClock.now + Self.patience
                try send(part, of: log, to: replica, inEpoch: epoch)
                try confirm(part.frontier.head, over: replica.session, before: end)
                frontier = part.frontier
                onProgress()
            }
            for head in try log.signedHeads(after: keptSize) where head.head.size <= frontier.size {
                try replica.keep(head: head.note.bytes, ofSize: head.head.size)
                keptSize = head.head.size
            }
            return isComplete
        }
    }

    /// Sends a segment, in one transaction with the tombstones of the entries that it says were
    /// erased.
    private func send(
        _ part: ReplicatedLog.Part,
        of log: ReplicatedLog,
        to replica: Replica,
        inEpoch epoch: UInt64
    ) throws {
        guard !part.erased.isEmpty else {
            guard try replica.add(part.segment, after: frontier.root, inEpoch: epoch) else {
                throw try fenced(log, replica)
            }
            return
        }
        try replica.session.transaction {
            for place in try Set(part.erased.ranges.flatMap { try replica.places(of: $0) }) {
                let bytes = try log.bytes(of: place.first..<place.next)
                guard try replica.replace(place, with: bytes) else {
                    // The segment was joined with others meanwhile.
                    throw PostgresFailure(state: "40001", description: "a segment was joined")
                }
            }
            guard try replica.add(part.segment, after: frontier.root, inEpoch: epoch) else {
                throw try fenced(log, replica)
            }
        }
    }

    /// Waits until enough servers have the entries of a head, and tells those who wait for them.
    private func confirm(
        _ head: TreeHead,
        over session: PostgresSession,
        before end: ContinuousClock.Instant = .now + patience
    ) throws {
        let isConfirmed = confirming.confirm(head, takenBy: session, before: end) {
            door?.serve()
        }
        guard isConfirmed else {
            throw PostgresFailure(
                state: "",
                description: "\(session.link.server.name) has \(head.size) entries, and no "
                    + "\(options.needed == 1 ? "other server" : "\(options.needed) others") said so"
            )
        }
        confirmed = ReplicaState(head, at: WallClock.now)
        complaint = ""
        door?.confirm(head)
        if .now - written > .seconds(1) { try writeDown() }
    }

    /// The last confirmed state; `nil` once it is written to its file.
    private var confirmed: ReplicaState?

    /// Writes the last confirmed state to its file, for programs that check the progress.
    private func writeDown() throws {
        written = .now
        try door?.keepOpen()
        guard let state = confirmed else { return }
        if door == nil { try ServerState.openOrCreate(of: options.ledger).close() }
        try state.write(of: options.ledger)
        confirmed = nil
    }
}

/// The epoch in which a machine replicates a ledger; it stands in the ledger's directory.
struct EpochFile {
    private let path: FilePath

    /// Finds the file of a ledger.
    init(of ledger: FilePath) {
        path = ledger.appending("replica.epoch")
    }

    /// The epoch; `nil` if this copy of the ledger has never replicated.
    var epoch: UInt64? {
        guard let bytes = try? PrivateFile.read(path, maximumByteCount: 100) else { return nil }
        return UInt64(String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? "")
    }

    /// Writes the epoch.
    ///
    /// - Throws: `LedgerError`.
    func write(_ epoch: UInt64) throws(LedgerError) {
        try LedgerError.translating(at: path) {
            try DurableFile.replace(path, with: Array("\(epoch)\n".utf8))
        }
    }
}
