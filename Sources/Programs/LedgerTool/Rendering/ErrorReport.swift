import ArgumentParser
import Tables
import TripLedger

/// An error as programs read it: a line of JSON on standard error.
struct ErrorReport {
    /// Whether a program reads errors, because the command line asks for JSON, or for a worker,
    /// which writes nothing else.
    static let isAskedFor = asksForJSON(CommandLine.arguments)

    private let code: String
    private let message: String
    private let place: String
    private let hint: String?

    /// The members of a request that are wrong; `nil` for errors that are not about a request.
    private var members: [String]?

    /// Reports what the ledger could not do.
    init(_ error: LedgerError) {
        code = error.code.rawValue
        message = error.cause
        place = error.place
        hint = error.hint.isEmpty ? nil : error.advice
    }

    /// Reports that results could not be written.
    init(_ error: OutputError) {
        code = LedgerError.Code.inputOutput.rawValue
        message = error.cause.description
        place = "standard output"
        let afterword = error.afterword.split(separator: "\n").joined(separator: " ")
        hint = afterword.isEmpty ? nil : afterword
    }

    /// Reports a request that cannot be answered.
    init(_ error: RequestError) {
        code = LedgerError.Code.unreadableInput.rawValue
        message = error.message
        place = error.place
        hint = "See `ledger schema report-request`."
        members = error.problem.members
    }

    /// Reports wrong usage.
    init(_ error: UsageError) {
        code = "usage"
        message = error.message
        place = error.command.line
        hint = error.command.advice + "."
    }

    /// Reports a failure with nothing but its reason.
    init(unforeseen reason: String, in command: NamedCommand) {
        code = "failure"
        message = reason
        place = command.line
        hint = nil
    }

    /// The report with the end of its line.
    var line: String {
        var bytes: [UInt8] = []
        Self.columns.appendJSON(self, to: &bytes, by: nil)
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    /// Returns whether arguments ask for JSON, even if they are wrong otherwise.
    private static func asksForJSON(_ arguments: [String]) -> Bool {
        let words = arguments.prefix { $0 != "--" }
        if words.dropFirst().first == WorkerCommand.configuration.commandName { return true }
        let formats = zip(words, words.dropFirst())
            .compactMap { word, next in word == "--format" ? next : nil }
        return formats.contains(RowFormat.json.rawValue)
            || words.contains("--format=\(RowFormat.json.rawValue)")
    }
}

extension ErrorReport: Tabular {
    /// An error: `error.v1.schema.json`.
    static let columns = Columns<ErrorReport> {
        Column.name("code") { $0.code }
        Column.text("message") { $0.message }
        Column.text("place") { $0.place }
        Column.text("hint") { $0.hint }.optional
        Column.list("members") { $0.members }.optional
    }
}
