import HTTPTypes
import JSONText
import LedgerHTTP
import NIOPosix
import Platform
import ServerStore
import ServiceLifecycle
import Synchronization
import SystemPackage
import TripLedger

/// Has the program `ledger` beside this one make reports, as it makes them for a terminal.
///
/// A report of a year computes every trip of it anew, fix by fix. A separate process gives back the
/// memory that this takes, can be ended if it takes too long, and writes the same bytes as the
/// command.
final class ReportMaker: Service {
    /// How many are made at a time, at most one of each token, and how many more may wait.
    private static let (threadCount, mostWaiting) = (2, 6)

    /// How many of these may be asked for with one token at a time.
    private static let mostEach = 4

    /// How long one may take, waiting included: less than a connection waits for an answer.
    private static let longest = Duration.seconds(30)

    /// The most bytes of one.
    static let mostBytes = 64 << 20

    /// The most bytes of what the program says beside it.
    private static let mostBytesOfErrors = 1 << 20

    private let ledger: FilePath
    private let pool = NIOThreadPool(numberOfThreads: threadCount)
    private let waiting = Mutex(
        SharedAmount(most: threadCount + mostWaiting, mostEach: mostEach)
    )
    private let turns = HolderTurns()
    private let isEnding = Atomic(false)

    /// Prepares to make reports of a ledger.
    init(of ledger: Ledger) {
        self.ledger = ledger.path
        pool.start()
    }

    /// Makes reports until the server ends, which ends those that are being made.
    func run() async throws {
        try? await gracefulShutdown()
        isEnding.store(true, ordering: .relaxed)
        try await pool.shutdownGracefully()
    }

    /// Whether reports can be printed: whether the program for that stands beside this one.
    static var canPrint: Bool { (try? ProgramBeside.path(of: "ledger-print")) != nil }

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - holder: Who asks: the name of the token, or nothing for the owner.
    ///   - isKept: Whether it is saved as a file, and therefore computed from the log.
    /// - Returns: The report.
    /// - Throws: `Problem`.
    func make(
        _ request: ReportRequest,
        for holder: String?,
        isKept: Bool
    ) async throws(Problem) -> NamelessFile {
        let isProved = isKept && request.draft != true
        return try await run(
            ["report", "--ledger=\(ledger)", "--request=-", "--format=json"]
                + (isProved ? ["--proved"] : []),
            for: holder ?? "",
            on: request.json,
            explaining: Self.problem
        )
    }

    /// Makes a report, and has the ledger note that it was handed out.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - actor: Who hands it out: the name of the token, or `nil` for the owner.
    ///   - standing: The same, looked at again when its turn comes and while it is made: what was
    ///     revoked meanwhile hands nothing out.
    /// - Returns: The report.
    /// - Throws: `Problem`.
    func issue(
        _ request: ReportRequest,
        by actor: String?,
        while standing: StandingAccess
    ) async throws(Problem) -> NamelessFile {
        try await run(
            ["report", "--ledger=\(ledger)", "--request=-", "--format=json", "--issue"]
                + (actor.map { ["--actor=\($0)"] } ?? []),
            for: actor ?? "",
            while: standing,
            on: request.json,
            explaining: Self.problem
        )
    }

    /// Makes a report again as it was issued.
    ///
    /// - Throws: `Problem`.
    func makeAgain(
        _ report: String,
        for holder: String?
    ) async throws(Problem) -> NamelessFile {
        let arguments = ["report", "reissue", "--ledger=\(ledger)", "--", report]
        return try await run(arguments, for: holder ?? "") { run in
            guard run.outcome != .ended(.exit(1)) else { return .reportIsAnother }
            return try Self.problem(of: run)
        }
    }

    /// Writes trips, or the positions of one, in the form of other programs.
    ///
    /// - Parameters:
    ///   - command: The command with its options.
    ///   - trip: The trip; `nil` for those that the options choose.
    ///   - holder: Who asks: the name of the token, or nothing for the owner.
    /// - Returns: The file.
    /// - Throws: `Problem`.
    func export(
        _ command: [String],
        of trip: String? = nil,
        for holder: String?
    ) async throws(Problem) -> NamelessFile {
        let arguments = command + ["--ledger=\(ledger)"] + (trip.map { ["--", $0] } ?? [])
        return try await run(arguments, for: holder ?? "") { run in
            // The ledger does not have what the request names.
            if run.outcome == .ended(.exit(65)) { return .unknown }
            let said = try run.errors.bytes(from: 0, atMost: Self.mostBytesOfErrors)
            ServerLog.complain(String(decoding: said, as: UTF8.self))
            return .reportNotMade
        }
    }

    /// The result of a run of the program.
    private struct Run {
        var outcome: ProgramRun.Outcome
        var output: NamelessFile
        var errors: NamelessFile
    }

    /// Runs the program on one of the threads.
    ///
    /// - Parameters:
    ///   - arguments: What it is told.
    ///   - holder: Who asks.
    ///   - standing: Who asks, looked at again while it is made.
    ///   - input: What it reads; `nil` for nothing.
    ///   - explain: Returns why a run has failed.
    /// - Returns: The output of the program.
    /// - Throws: `Problem` if it failed, took too long, or too many wait.
    private func run(
        _ arguments: [String],
        for holder: String,
        while standing: StandingAccess = .ofOwner,
        on input: [UInt8]? = nil,
        explaining explain: @escaping @Sendable (Run) throws -> Problem
    ) async throws(Problem) -> NamelessFile {
        let end = ContinuousClock.now + Self.longest
        guard waiting.withLock({ $0.take(1, for: holder) }) else { throw .tooManyReports }
        defer { waiting.withLock { $0.give(1, for: holder) } }
        return try await turns.take(holder) { () async throws(Problem) in
            try await result(
                of: arguments,
                on: input,
                until: end,
                while: standing,
                explaining: explain
            )
        }
    }

    private func result(
        of arguments: [String],
        on input: [UInt8]?,
        until end: ContinuousClock.Instant,
        while standing: StandingAccess,
        explaining explain: @escaping @Sendable (Run) throws -> Problem
    ) async throws(Problem) -> NamelessFile {
        do {
            return try await pool.runIfActive { [self] in
                try standing.require()
                let run = try outcome(of: arguments, on: input, until: end, while: standing)
                switch run.outcome {
                case .ended(.exit(0)): return run.output
                case .ended(.exit): throw try explain(run)
                case .tooLong: throw Problem.reportTakesTooLong
                case .tooMuch: throw Problem.reportTooLarge
                case .unwanted:
                    try standing.require()
                    throw Problem.stopping
                case .ended(let ending):
                    ServerLog.complain("`ledger report` ended by \(ending)")
                    throw Problem.reportNotMade
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch let error as Errno {
            ServerLog.complain("\(ProgramBeside.place(of: Self.program)): \(error)")
            throw .reportNotMade
        } catch {
            throw .stopping
        }
    }

    private static let program = "ledger"

    private func outcome(
        of arguments: [String],
        on input: [UInt8]?,
        until end: ContinuousClock.Instant,
        while standing: StandingAccess
    ) throws -> Run {
        let (output, errors) = (try NamelessFile(), try NamelessFile())
        let outcome = try ProgramRun.run(
            ProgramBeside.place(of: Self.program),
            arguments,
            input: try input.map { try NamelessFile(holding: $0) },
            output: output,
            errors: errors,
            mostBytes: Self.mostBytes,
            until: end,
            while: { !isEnding.load(ordering: .relaxed) && standing.holds }
        )
        return Run(outcome: outcome, output: output, errors: errors)
    }

    /// Returns why no report was made, as the program says it in JSON.
    private static func problem(of run: Run) throws -> Problem {
        let said = try run.errors.bytes(from: 0, atMost: mostBytesOfErrors)
        // Earlier messages come before the error.
        let error = said.split(separator: UInt8(ascii: "\n")).last
            .flatMap { try? JSONValue(Array($0).span) }
        guard let code = error?["code"]?.text, let message = error?["message"]?.text else {
            ServerLog.complain(String(decoding: said, as: UTF8.self))
            return .reportNotMade
        }
        switch code {
        case "unreadable_input" where error?["members"] != nil:
            return .reportRefused(message, error?["members"]?.texts ?? [])
        case "not_found", "ambiguous": return .reportOfNothing(message)
        default:
            ServerLog.complain(String(decoding: said, as: UTF8.self))
            return .reportNotMade
        }
    }
}

extension Problem {
    /// No more reports may be asked for.
    fileprivate static let tooManyReports = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Too many reports are being made",
        detail: "Ask again in some seconds.",
        headers: [.retryAfter: "10"]
    )

    /// The report takes longer than a request may.
    fileprivate static let reportTakesTooLong = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "The report takes too long",
        detail: "Ask for fewer days, or for a draft; `ledger report` takes as long as it takes.",
        headers: [.retryAfter: "60"]
    )

    /// A report has more bytes than an answer may.
    fileprivate static let reportTooLarge = Problem(
        kind: "too-large",
        status: .contentTooLarge,
        title: "The report is too large",
        detail: "Ask for fewer days; `ledger report` writes it into a file."
    )

    /// The program has failed.
    fileprivate static let reportNotMade = Problem(
        kind: "not-readable",
        status: .serviceUnavailable,
        title: "The report cannot be made now",
        detail: "The ledger's owner finds the reason where the server was started.",
        headers: [.retryAfter: "10"]
    )

    /// A report cannot be made again.
    fileprivate static let reportIsAnother = Problem(
        kind: "conflict",
        status: .conflict,
        title: "The report would be another one now",
        detail: "`ledger report reissue` says why; what was handed out stays what it is."
    )

    /// The subject of the report is not there.
    fileprivate static func reportOfNothing(_ message: String) -> Problem {
        Problem(
            kind: "unknown",
            status: .notFound,
            title: "There is nothing of that name",
            detail: message.prefix(1).uppercased() + message.dropFirst() + "."
        )
    }
}
