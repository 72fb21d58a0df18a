import Platform
public import SystemPackage
public import TripLedger

/// Checks a whole ledger without opening it in this process.
public struct LedgerVerification {
    /// The stage of the check.
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
    /// - Returns: The outcome, with the head if every entry could be read and nothing is wrong with
    ///   the log.
    /// - Throws: `.missingLedger`, or `.inputOutput` if no process can be started.
    public func run(
        onProgress: (Stage, _ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> ScanProcess.Result {
        try Ledger.requireLog(at: path)
        let scratch = Directory.temporary
            .appending("ledger-verify-\(UInt64.random(in: 0 ... .max))")
        let (remembered, doubt) = try remembered()
        // Both run at once, on a machine that can; the views do not matter if the log is damaged.
        let viewsProcess = try process.start(.views(path, scratch: scratch))
        defer {
            viewsProcess.interrupt()
            _ = viewsProcess.end()
            // Best effort: leftovers are in a directory for temporary files.
            try? Directory.remove(scratch)
        }
        var result = try process.run(.log(path, knownHeads: knownHeads + remembered)) {
            onProgress(.log, $0, $1)
        }
        if let doubt { result.outcome.doubt(doubt) }
        guard result.outcome.findingCount == 0 else {
            result.head = nil
            result.outcome.doubt("the views, for they cannot be derived from a damaged log")
            return result
        }
        let views = try process.listen(to: viewsProcess) { onProgress(.views, $0, $1) }
        result.outcome.add(views.outcome)
        return result
    }

    /// Returns the heads that the history of the ledger names, or why the history cannot be read.
    private func remembered() throws(LedgerError) -> (heads: [LedgerHead], doubt: String?) {
        do {
            let heads = try LedgerError.translating(at: path) {
                try SafekeepingHistory(of: path).knownHeads()
            }
            return (heads, nil)
        } catch  where error.code == .damaged {
            return ([], "whether this is an older copy: history.jsonl: \(error.cause)")
        }
    }
}
