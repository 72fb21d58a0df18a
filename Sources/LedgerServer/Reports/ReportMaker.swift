import HTTPTypes
import JSONText
import NIOPosix
import Platform
import ServiceLifecycle
import Synchronization
import SystemPackage
import TripLedger

/// Has the program `ledger` beside this one make reports, as it makes them for a terminal.
///
/// A report of a year computes every trip of it anew, fix by fix. A process of its own gives back
/// the memory that this takes, can be ended when it takes too long, and writes the very bytes that
/// the command writes.
final class ReportMaker: Service {
    /// How many are made at a time, and how many more may wait.
    private static let (threadCount, mostWaiting) = (2, 6)

    /// How long one may take, waiting included: less than a connection waits for an answer.
    private static let longest = Duration.seconds(30)

    /// The most bytes of one.
    private static let mostBytes = 64 << 20

    /// The most bytes of what the program says beside it.
    private static let mostBytesOfErrors = 1 << 20

    private let ledger: FilePath
    private let pool = NIOThreadPool(numberOfThreads: threadCount)
    private let waiting = Atomic(0)
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
    ///   - report: What the command calls it.
    ///   - arguments: Its options, without the format.
    ///   - format: How it is written.
    /// - Returns: The report.
    /// - Throws: `Problem`.
    func make(
        _ report: String,
        _ arguments: [String],
        as format: ReportForm.Format
    ) async throws(Problem) -> NamelessFile {
        let words = ["report", report, "--ledger=\(ledger)"] + arguments
        return try await run(words + ["--format=\(format.rawValue)"]) { [self] run in
            if format != .json, run.outcome == .ended(.exit(Self.usageCode)) {
                return .reportRefused(try Self.sentence(of: run))
            }
            // It says in JSON what went wrong if JSON is asked for, and in sentences otherwise.
            let said = format == .json ? run : try result(of: words + ["--format=json"], run.end)
            return try Self.problem(of: said)
        }
    }

    /// Makes a report again as it was issued.
    ///
    /// - Throws: `Problem`.
    func makeAgain(_ report: String) async throws(Problem) -> NamelessFile {
        try await run(["report", "reissue", "--ledger=\(ledger)", "--", report]) { run in
            guard run.outcome != .ended(.exit(1)) else { return .reportIsAnother }
            return try Self.problem(of: run)
        }
    }

    /// What a run of the program came to.
    private struct Run {
        var outcome: ProgramRun.Outcome
        var output: NamelessFile
        var errors: NamelessFile

        /// When the report must be there.
        var end: ContinuousClock.Instant
    }

    /// Runs the program on one of the threads.
    ///
    /// - Parameters:
    ///   - arguments: What it is told.
    ///   - explain: Returns why a run has failed.
    private func run(
        _ arguments: [String],
        explaining explain: @escaping @Sendable (Run) throws -> Problem
    ) async throws(Problem) -> NamelessFile {
        let end = ContinuousClock.now + Self.longest
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard
            waiting.add(1, ordering: .relaxed).newValue <= Self.threadCount + Self.mostWaiting
        else { throw .tooManyReports }
        do {
            return try await pool.runIfActive { [self] in
                let run = try result(of: arguments, end)
                switch run.outcome {
                case .ended(.exit(0)): return run.output
                case .ended(.exit): throw try explain(run)
                case .tooLong: throw Problem.reportTakesTooLong
                case .tooMuch: throw Problem.reportTooLarge
                case .unwanted: throw Problem.stopping
                case .ended(let ending):
                    ServeProgram.complain("`ledger report` ended by \(ending)")
                    throw Problem.reportNotMade
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch let error as Errno {
            ServeProgram.complain("\(ProgramBeside.place(of: Self.program)): \(error)")
            throw .reportNotMade
        } catch {
            throw .stopping
        }
    }

    private static let program = "ledger"

    private func result(
        of arguments: [String],
        _ end: ContinuousClock.Instant
    ) throws -> Run {
        let (output, errors) = (try NamelessFile(), try NamelessFile())
        let outcome = try ProgramRun.run(
            ProgramBeside.place(of: Self.program),
            arguments,
            output: output,
            errors: errors,
            mostBytes: Self.mostBytes,
            until: end,
            while: { !isEnding.load(ordering: .relaxed) }
        )
        return Run(outcome: outcome, output: output, errors: errors, end: end)
    }

    /// How the program ends if its options do not go together.
    private static let usageCode: Int32 = 64

    /// Returns the first sentence of what the program says to people.
    private static func sentence(of run: Run) throws -> String {
        let said = try run.errors.bytes(from: 0, atMost: mostBytesOfErrors)
        let line = said.split(separator: UInt8(ascii: "\n")).first.map(Array.init) ?? []
        let text = String(decoding: line, as: UTF8.self)
        return text.split(separator: "error: ", maxSplits: 1).last.map(String.init) ?? text
    }

    /// Returns why no report was made, of a run that was asked for JSON.
    private static func problem(of run: Run) throws -> Problem {
        let said = try run.errors.bytes(from: 0, atMost: mostBytesOfErrors)
        // What is said on the way stands before it.
        let error = said.split(separator: UInt8(ascii: "\n")).last
            .flatMap { try? JSONValue(Array($0).span) }
        guard let code = error?["code"]?.text, let message = error?["message"]?.text else {
            ServeProgram.complain(String(decoding: said, as: UTF8.self))
            return .reportNotMade
        }
        switch code {
        case "usage": return .reportRefused(message)
        case "not_found", "ambiguous": return .reportOfNothing(message)
        default:
            ServeProgram.complain(String(decoding: said, as: UTF8.self))
            return .reportNotMade
        }
    }
}

extension Problem {
    /// As many reports are asked for as may be.
    fileprivate static let tooManyReports = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Too many reports are being made",
        detail: "Ask again in some seconds.",
        headers: [.retryAfter: "10"]
    )

    /// A report takes longer than a request may.
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

    /// The options do not go together, as the command says, which calls them by their names.
    fileprivate static func reportRefused(_ message: String) -> Problem {
        let options = message.matches(of: #/--([a-z-]+)/#).map { String($0.1) }
        return Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "There is no such report",
            detail: message,
            errors: Set(options).sorted()
                .map { Detail(field: $0.replacing("-", with: "_"), code: "invalid_value") }
        )
    }

    /// What it is to be about is not there.
    fileprivate static func reportOfNothing(_ message: String) -> Problem {
        Problem(
            kind: "unknown",
            status: .notFound,
            title: "There is nothing of that name",
            detail: message.prefix(1).uppercased() + message.dropFirst() + "."
        )
    }
}
