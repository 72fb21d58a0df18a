import EmbeddedFiles
import Glibc
import JSONText
import Platform
import SystemPackage
import TripLedger

/// Keeps a copy of a ledger's log in PostgreSQL, for `ledger replicate`.
@main
enum ReplicateProgram {
    private static let usage = """
        Usage: ledger-replicate LEDGER to=SERVICE [OPTION …]
               ledger-replicate --version|--licences

        Keeps a copy of the log of the ledger in a directory in a PostgreSQL database, of a
        service of pg_service.conf. `ledger replicate` starts it and explains it. Options:
        work=follow|once|fetch|merge|check, confirm=SERVICE, need=COUNT, init=true, name=NAME,
        take-over=true, rows=true. --licences prints what the programs are linked with.

        """

    static func main() throws {
        try StandardStreams.open()
        FileSizeLimit.failWithError()
        exit(ReplicateProgram.run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) -> Int32 {
        if let answer = ProgramFacts.answer(to: words, version: ProgramVersion.current) {
            return (try? FileDescriptor.standardOutput.writeAll(answer)) == nil ? 74 : 0
        }
        guard let options = ReplicateOptions(words) else {
            let asksForHelp = words == ["--help"]
            say(usage, on: asksForHelp ? .standardOutput : .standardError)
            return asksForHelp ? 0 : 64
        }
        do {
            switch options.work {
            case .follow, .once:
                Ledger.explainCrashes(at: options.ledger, exitingWith: 65)
                try Replication(options).run()
            case .fetch: say(try ReplicaFetch(options).run(), on: .standardOutput)
            case .merge: say(try ReplicaMerge(options).run(), on: .standardOutput)
            case .check:
                let (text, isWell) = ReplicaCheck(options).run()
                say(Excerpt.escapedLines(text), on: .standardOutput)
                return isWell ? 0 : 1
            }
            return 0
        } catch {
            return complain(error, options)
        }
    }

    /// Says what has gone wrong, and returns the exit code.
    private static func complain(_ error: any Error, _ options: ReplicateOptions) -> Int32 {
        switch error {
        case let error as LedgerError:
            note("error: \(error)\n")
            return [.inputOutput, .diskFull].contains(error.code)
                ? 74 : error.code == .forked ? 1 : 65
        case let error as ReplicaRefusal:
            note("error: \(options.service): \(error.code): \(error.cause)\n\(error.hint).\n")
            return 1
        case let error as PostgresFailure where error.state.hasPrefix("42"):
            note(
                "error: \(options.service): \(error)\nMake the tables with --init, as a role that "
                    + "may, and be a member of ledger_writer.\n"
            )
            return 74
        default:
            note("error: \(options.service): \(error)\n")
            return 74
        }
    }

    /// Writes a message to standard error that may contain text of a server.
    static func note(_ text: String) {
        // Text of another machine must not act on the terminal.
        say("ledger-replicate: " + Excerpt.escapedLines(text), on: .standardError)
    }

    /// Writes a text as it is.
    private static func say(_ text: String, on stream: FileDescriptor) {
        _ = try? stream.writeAll(text.utf8)
    }
}
