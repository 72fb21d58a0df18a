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
}
