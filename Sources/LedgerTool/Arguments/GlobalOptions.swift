import ArgumentParser
import SystemPackage
import TripLedger

/// The options that every command has.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory of the ledger (default: LEDGER_DIR, else ~/.local/share/ledger).",
            valueName: "dir"
        )
    )
    var ledger: String?

    @Option(help: "How results are written: text, json, or csv where it is a table.")
    var format: OutputFormat = .text

    func validate() throws {
        guard ledger != "" else { throw ValidationError("--ledger names no directory.") }
    }

    /// Opens the ledger.
    func open() throws -> Ledger {
        try Self.open(ledger)
    }

    /// Opens the ledger in a directory, or in the usual one for `nil`.
    static func open(_ directory: String?) throws -> Ledger {
        try Ledger(at: path(of: directory), notice: Diagnostic.waiting)
    }

    /// The directory of the ledger.
    var path: FilePath {
        get throws { try Self.path(of: ledger) }
    }

    private static func path(of ledger: String?) throws -> FilePath {
        if let ledger { return FilePath(ledger) }
        if let directory = ProcessEnvironment.variable("LEDGER_DIR") {
            return FilePath(directory)
        }
        if let data = ProcessEnvironment.variable("XDG_DATA_HOME") {
            return FilePath(data).appending("ledger")
        }
        guard let home = ProcessEnvironment.variable("HOME") else {
            throw ValidationError("There is no home directory; name the ledger's with --ledger.")
        }
        return FilePath(home).appending(".local/share/ledger")
    }

    /// Refuses CSV where the result is no table.
    func refuseCSV() throws {
        guard format != .csv else {
            throw ValidationError(
                "--format csv works where the result is a table; use text or json here."
            )
        }
    }
}
