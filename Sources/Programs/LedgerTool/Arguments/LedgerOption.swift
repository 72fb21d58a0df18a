import ArgumentParser
import Platform
import SystemPackage
import TripLedger

/// The option that says which ledger is meant.
///
/// A command that prints in formats of its own has this one and its own `--format` in place of
/// ``GlobalOptions``.
struct LedgerOption: ParsableArguments {
    @Option(help: Self.help, completion: .directory)
    var ledger: String?

    func validate() throws {
        try Self.check(ledger)
    }

    /// The help of `--ledger`.
    static let help = ArgumentHelp(
        "The ledger (else LEDGER_DIR, ~/.local/share/ledger).",
        valueName: "dir"
    )

    /// Requires that `--ledger`, where it is given, names a directory.
    ///
    /// - Throws: `ValidationError`.
    static func check(_ ledger: String?) throws {
        guard ledger != "" else { throw ValidationError("--ledger names no directory.") }
    }

    /// Opens the ledger.
    func open() throws -> Ledger {
        try Self.open(ledger)
    }

    /// Opens the ledger in a directory, or in the usual one for `nil`.
    static func open(_ directory: String?) throws -> Ledger {
        let path = try path(of: directory)
        let damaged = LedgerError.Code.damaged.exitCode
        Ledger.explainCrashes(at: path, exitingWith: damaged)
        let ledger = try Ledger(
            at: path,
            notice: Diagnostic.waiting,
            viewNotice: Diagnostic.note
        )
        ledger.discardViewsOnCrash(
            exitingWith: LedgerError.Code.inputOutput.exitCode,
            ifLogIsDamaged: damaged
        )
        return ledger
    }

    /// Requires that a directory, whose server store will be read, has a ledger.
    static func requireLogBesideServer(at path: FilePath) throws {
        Ledger.explainCrashes(
            at: path,
            exitingWith: LedgerError.Code.damaged.exitCode,
            readingServer: true
        )
        try Ledger.requireLog(at: path)
    }

    /// The directory of the ledger.
    var path: FilePath {
        get throws { try Self.path(of: ledger) }
    }

    /// Returns the directory of the ledger that is named, or the usual one for `nil`.
    static func path(of ledger: String?) throws -> FilePath {
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
}
