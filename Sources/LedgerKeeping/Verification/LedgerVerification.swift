import Platform
public import SystemPackage
public import TripLedger

/// Checks a whole ledger without opening it in this process.
public struct LedgerVerification {
    /// What the check is at.
    public enum Stage: Sendable {
        /// Entries are read and hashed again.
        case log

        /// Views are derived again.
        case views
    }

    private let path: FilePath
    private let process: ScanProcess
    private let knownHeads: [LedgerHead]

    /// Prepares a check of the ledger in the directory `path`, which must have had `knownHeads`.
    public init(at path: FilePath, knownHeads: [LedgerHead] = [], process: ScanProcess) {
        self.path = path
        self.knownHeads = knownHeads
        self.process = process
    }

    /// Reads the log and compares the views.
    ///
    /// - Parameter onProgress: Told how far each stage is.
    /// - Returns: What it came to, with the head if every entry could be read and nothing is wrong
    ///   with the log.
    /// - Throws: `.missingLedger`, or `.inputOutput` if no process can be started.
    public func run(
        onProgress: (Stage, _ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> ScanProcess.Result {
        try Ledger.requireLog(at: path)
        let scratch = Directory.temporary
            .appending("ledger-verify-\(UInt64.random(in: 0 ... .max))")
        let remembered = try LedgerError.translating(at: path) {
            try SafekeepingHistory(of: path).knownHeads()
        }
        // Both at once, on a machine that can; the views are of no account if the log is damaged.
        let viewsProcess = try process.start(.views(path, scratch: scratch))
        defer {
            viewsProcess.interrupt()
            _ = viewsProcess.end()
            // Best effort: what stays behind is in a directory for passing things.
            try? Directory.remove(scratch)
        }
        var result = try process.run(.log(path, knownHeads: knownHeads + remembered)) {
            onProgress(.log, $0, $1)
        }
        guard result.outcome.findingCount == 0 else {
            result.head = nil
            result.outcome.doubt("the views, for they cannot be derived from a damaged log")
            return result
        }
        let views = try process.listen(to: viewsProcess) { onProgress(.views, $0, $1) }
        result.outcome.add(views.outcome)
        return result
    }
}
