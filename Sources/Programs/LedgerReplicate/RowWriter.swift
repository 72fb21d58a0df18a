import Platform
import Synchronization
import TripLedger

/// Writes the rows of a ledger over a connection of its own, and on a thread of its own unless it
/// is asked for once: trouble with rows never delays the sending of segments.
final class RowWriter {
    private let work: RowWork
    private let isOnce: Bool
    private var thread: WorkerThread<Void>?

    /// Prepares to write; nothing is connected to yet.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - id: Its id.
    ///   - servers: The servers, one of which takes changes.
    ///   - options: Whether it is asked for once.
    init(
        of ledger: SharedLedger,
        _ id: String,
        to servers: [PostgresServer],
        _ options: ReplicateOptions
    ) {
        work = RowWork(of: ledger, id, to: servers)
        isOnce = options.work == .once
    }

    /// Ends the thread, which needs a moment.
    deinit {
        work.end()
    }

    /// Writes what has changed: now if it is asked for once, else as soon as the thread can.
    ///
    /// - Returns: `false` if another machine has taken the ledger over.
    /// - Throws: `LedgerError`, `PostgresFailure`, `ReplicaRefusal` if it is asked for once.
    func goOn() throws -> Bool {
        guard !isOnce else { return try work.writeOnce() }
        // Without one, rows are late until the system has one.
        if thread == nil { thread = WorkerThread { [work] in work.follow() } }
        work.look()
        return !work.isFenced
    }
}

/// What the thread of rows does.
private final class RowWork: Sendable {
    /// The first pause after a failure and the longest, in milliseconds.
    private static let pauses: ClosedRange<UInt32> = 100...5_000

    /// How often a pause checks whether it is to end, in milliseconds.
    private static let stepMilliseconds: UInt32 = 20

    private struct State {
        var isOver = false
        var isFenced = false
    }

    private let ledger: SharedLedger
    private let id: String
    private let servers: [PostgresServer]
    private let state = Mutex(State())

    /// Holds a message while there is news that the thread has not handled.
    private let news = Mailbox<Bool>(mostWeight: 1)

    init(of ledger: SharedLedger, _ id: String, to servers: [PostgresServer]) {
        (self.ledger, self.id, self.servers) = (ledger, id, servers)
    }

    /// Whether another machine has taken the ledger over.
    var isFenced: Bool { state.withLock { $0.isFenced } }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Lets the thread look for changes, now or when it has time.
    func look() {
        // If it is full, the thread has not looked since.
        _ = news.post(true, weight: 1)
    }

    /// Lets the thread end, whatever it waits for.
    func end() {
        state.withLock { $0.isOver = true }
        news.close()
    }

    /// Writes what has changed; returns `false` if another machine has taken the ledger over.
    func writeOnce() throws -> Bool {
        let (replica, epoch) = try connected()
        var rows = RowFollower(of: ledger, over: replica.session)
        return try rows.take(of: replica, inEpoch: epoch)
    }

    /// Writes what has changed whenever that is asked for, until the end.
    ///
    /// Failures are reported, once for each reason, and tried again.
    func follow() {
        var pause = Self.pauses.lowerBound
        var complaint = ""
        while !isOver, !isFenced {
            do {
                let (replica, epoch) = try connected()
                var rows = RowFollower(of: ledger, over: replica.session)
                repeat {
                    guard try rows.take(of: replica, inEpoch: epoch) else {
                        state.withLock { $0.isFenced = true }
                        return
                    }
                    (pause, complaint) = (Self.pauses.lowerBound, "")
                } while !news.take(upToWeight: 1).isEmpty
            } catch {
                let words = Self.words(of: error)
                if words != complaint, !isOver { ReplicateProgram.note("rows: \(words)\n") }
                complaint = words
                rest(milliseconds: UInt32.random(in: pause / 2...pause))
                pause = min(pause * 2, Self.pauses.upperBound)
            }
        }
    }

    private func connected() throws -> (replica: Replica, epoch: UInt64) {
        let session = try PostgresSession(to: servers, mustWrite: true) {
            [self] () throws(PostgresFailure) in
            guard !isOver else { throw PostgresFailure.ended }
        }
        guard let replica = try Replica(of: id, over: session) else {
            throw ReplicaRefusal.unknown(id)
        }
        guard let epoch = EpochFile(of: ledger.path).epoch else { throw ReplicaRefusal.unclaimed }
        return (replica, epoch)
    }

    private func rest(milliseconds: UInt32) {
        let end = ContinuousClock.now + .milliseconds(Int(milliseconds))
        while !isOver, .now < end { WallClock.pause(milliseconds: Self.stepMilliseconds) }
    }

    private static func words(of error: any Error) -> String {
        switch error {
        case let refusal as ReplicaRefusal: "\(refusal.cause); trying again"
        case let failure as PostgresFailure where failure.state.hasPrefix("42"):
            "\(failure); trying again: make the tables with --init --rows, as a role that may"
        default: "\(error); trying again"
        }
    }
}
