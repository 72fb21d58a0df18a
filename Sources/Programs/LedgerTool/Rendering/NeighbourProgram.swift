import Platform
import SystemPackage
import TripLedger

/// Programs that stand beside this one, because their libraries do not fit into one small file.
enum NeighbourProgram {
    /// Returns the path of a program.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - purpose: Its purpose, in the words of a sentence that says that it is missing.
    ///   - hint: How to get it.
    /// - Returns: Its file.
    /// - Throws: `LedgerError` if it is not there.
    static func path(
        of name: String,
        for purpose: String,
        hint: String
    ) throws(LedgerError) -> FilePath {
        if let path = try? ProgramBeside.path(of: name) { return path }
        let path = ProgramBeside.place(of: name)
        _ = try LedgerError.translating(at: path) { try ProgramBeside.path(of: name) }
        throw LedgerError(
            .notFound,
            at: path.string,
            cause: "\(purpose), which is not there",
            hint: hint
        )
    }

    /// Becomes `ledger-sync`, the program that speaks to others.
    ///
    /// - Parameters:
    ///   - words: Its arguments.
    ///   - purpose: What it is to do, as in "syncing".
    /// - Returns: Why it cannot be started.
    /// - Throws: `LedgerError` if it is not there.
    static func becomeSync(
        _ words: [String],
        for purpose: String
    ) throws(LedgerError) -> LedgerError {
        let name = "ledger-sync"
        let program = try path(
            of: name,
            for: "\(purpose) is done by \(name)",
            hint: "Build it with `tools/setup --all` and `swift build -c release --product "
                + "\(name)`, and put it beside `ledger`"
        )
        let start = ProcessStart(
            program,
            arguments: words,
            streams: (.inherited, .inherited, .inherited)
        )
        return LedgerError(
            .inputOutput,
            at: program.string,
            cause: "it cannot be started: \(start.replaceThisProgram())"
        )
    }
}
