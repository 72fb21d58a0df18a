import ArgumentParser
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger report --request`.
struct ReportRequestedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Makes the report that a request in JSON asks for.",
        usage: "ledger report --request <file> [<options>]",
        discussion: """
            The request is one object of `ledger schema report-request`, such as \
            {"version":1,"report":"log","year":2025}: what is not said follows from the settings \
            of the ledger. A member or a value that is not known is refused by its name. Where the \
            report goes, and whether it is issued, is said by options.

            Examples:
              ledger report --request log-2025.json > log-2025.txt
              echo '{"version":1,"report":"log","year":2025}' | ledger report --request -
            """,
        shouldDisplay: false
    )

    /// The form of the error if no report was made.
    enum ErrorForm: String, CaseIterable, ExpressibleByArgument {
        case text
        case json
    }

    @OptionGroup var book: LedgerOption
    @OptionGroup var output: ReportOutput

    @Option(
        help: ArgumentHelp(
            "The request: a file, or - for standard input.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var request: String?

    @Option(
        help: """
            How it is said why no report was made: text, or json for a line of it. The report is \
            written as its request says.
            """
    )
    var format = ErrorForm.text

    /// The most bytes of a request.
    private static let mostBytes = 1 << 16

    func run() throws {
        guard let name = request else { throw CleanExit.helpRequest(ReportCommand.self) }
        do {
            var asked = try ReportRequest(json: try Self.bytes(of: name))
            asked.format = asked.format ?? output.formatOfFile
            try asked.check()
            try asked.checkZone()
            try output.check(asked)
            let ledger = try book.open()
            defer { ledger.close() }
            try ReportRun(asked, of: ledger, to: output).run()
        } catch let problem as ReportProblem {
            throw RequestError(problem: problem, place: Self.place(name))
        }
    }

    /// The name for standard input.
    private static let standardInput = "-"

    private static func place(_ name: String) -> String {
        name == standardInput ? "standard input" : name
    }

    private static func bytes(of name: String) throws -> [UInt8] {
        do {
            return name == standardInput
                ? try PrivateFile.read(.standardInput, maximumByteCount: mostBytes)
                : try WholeFile.read(FilePath(name), maximumByteCount: mostBytes)
        } catch let error as Errno {
            throw LedgerError(.unreadableInput, at: place(name), cause: error.description)
        }
    }
}

/// A request for a report that cannot be answered.
struct RequestError: Error {
    /// The reason.
    let problem: ReportProblem

    /// The place of the request.
    let place: String

    /// The reason, in sentences that name parameters as the request does.
    var message: String { problem.sentence(at: .request) }

    /// The exit code of the process: that of input that cannot be read.
    static let exitCode = LedgerError.Code.unreadableInput.exitCode
}
