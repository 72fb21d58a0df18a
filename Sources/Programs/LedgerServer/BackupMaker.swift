import HTTPTypes
import JSONText
import LedgerHTTP
import LedgerKeeping
import NIOPosix
import Platform
import ServiceLifecycle
import Synchronization
import SystemPackage
import TripLedger

/// Has the program `ledger` beside this one make backups, one at a time.
///
/// A backup goes into the directory of the last one, if that is there. Else it goes into a
/// directory beside the ledger, in which only the latest backups are kept. No request names a file.
final class BackupMaker: Service {
    /// The state of the backup that was requested last.
    struct State: Sendable {
        /// Whether it is being made.
        var isRunning = false

        /// Why it was not made, as a sentence; `nil` if it was, or none was asked for.
        var problem: String?
    }

    /// How long one may take.
    private static let longest = Duration.seconds(6 * 3_600)

    /// How many backups stay in the directory that the server has made.
    private static let kept = 14

    /// The most bytes of what the program says.
    private static let mostBytes = 1 << 20

    private static let program = "ledger"

    private let ledger: Ledger
    private let pool = NIOThreadPool(numberOfThreads: 1)
    private let latest = Mutex(State())
    private let isEnding = Atomic(false)

    /// Prepares to back a ledger up.
    init(of ledger: Ledger) {
        self.ledger = ledger
        pool.start()
    }

    /// Makes backups until the server ends, which ends the one that is being made.
    func run() async throws {
        try? await gracefulShutdown()
        isEnding.store(true, ordering: .relaxed)
        try await pool.shutdownGracefully()
    }

    /// The state of the backup that was requested last.
    var state: State { latest.withLock { $0 } }

    /// Begins a backup.
    ///
    /// - Throws: `Problem` if one is being made.
    func begin() throws(Problem) {
        let isFirst = latest.withLock { state in
            guard !state.isRunning else { return false }
            state = State(isRunning: true)
            return true
        }
        guard isFirst else { throw .backupRuns }
        pool.submit { [self] state in
            let problem = state == .active ? problemOfMaking() : "The server ends."
            latest.withLock { $0 = State(problem: problem) }
        }
    }

    /// Makes a backup; returns why there is none, or `nil`.
    private func problemOfMaking() -> String? {
        do {
            let (folder, isOwn) = try place()
            let arguments =
                ["backup", "--ledger=\(ledger.path)", "--format=json"]
                + (isOwn ? ["--keep=\(Self.kept)"] : []) + ["--", folder.string]
            let (output, errors) = (try NamelessFile(), try NamelessFile())
            let outcome = try ProgramRun.run(
                ProgramBeside.place(of: Self.program),
                arguments,
                output: output,
                errors: errors,
                mostBytes: Self.mostBytes,
                until: ContinuousClock.now + Self.longest,
                while: { !isEnding.load(ordering: .relaxed) }
            )
            guard outcome != .ended(.exit(0)) else { return nil }
            return Self.sentence(of: outcome, try errors.bytes(from: 0, atMost: Self.mostBytes))
        } catch {
            ServerLog.complain("`ledger backup`: \(error)")
            return "\(error)"
        }
    }

    /// Returns where the backup goes, and whether that is the server's own directory.
    private func place() throws -> (folder: FilePath, isOwn: Bool) {
        let path = try Directory.absolute(ledger.path)
        let name = (path.lastComponent?.string ?? Self.program) + "-backups"
        let own = path.removingLastComponent().appending(name)
        let last = try ledger.safekeeping().last { $0.deed == .backup }
            .map { FilePath($0.file).removingLastComponent() }
        if let last, last != own, (try? Stat(last))?.type == .directory { return (last, false) }
        try Directory.make(own)
        return (own, true)
    }

    /// Returns why a run has failed, as the program says it in JSON.
    private static func sentence(of outcome: ProgramRun.Outcome, _ said: [UInt8]) -> String {
        // Earlier messages come before the error.
        let error = said.split(separator: UInt8(ascii: "\n")).last
            .flatMap { try? JSONValue(Array($0).span) }
        if let message = error?["message"]?.text { return message }
        ServerLog.complain("`ledger backup`: \(outcome) \(String(decoding: said, as: UTF8.self))")
        return "`ledger backup` did not end well; the server's owner finds the reason where it "
            + "was started."
    }
}

extension Problem {
    /// A backup is being made.
    fileprivate static let backupRuns = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "A backup is being made",
        detail: "GET /v1/safekeeping says when it is done.",
        headers: [.retryAfter: "10"]
    )
}
