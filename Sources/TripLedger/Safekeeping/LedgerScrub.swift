public import SystemPackage
public import TripEvents

/// Has every entry of a ledger read again in the background, and notes when that was done.
public struct LedgerScrub {
    private let path: FilePath
    private let process: ScanProcess

    /// Prepares a scrub of the ledger in the directory `path`.
    public init(at path: FilePath, process: ScanProcess) {
        self.path = path
        self.process = process
    }

    /// Reads the log.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The most bytes to read in a second, or `nil` for no limit.
    ///   - minutes: The most minutes to take, or `nil` for no limit.
    ///   - isResumed: Whether to go on where the last scrub stopped.
    ///   - onProgress: Told how far it is.
    ///   - now: Asked for the time when a pass is complete.
    /// - Returns: What it came to; with a head if the pass is complete.
    /// - Throws: `.missingLedger`, `.inputOutput`.
    public func run(
        bytesPerSecond: UInt64?,
        minutes: UInt32?,
        isResumed: Bool,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        now: () -> Timestamp
    ) throws(LedgerError) -> ScanProcess.Result {
        try Ledger.requireLog(at: path)
        let task = ScanTask.scrub(
            path,
            bytesPerSecond: bytesPerSecond,
            minutes: minutes,
            isResumed: isResumed
        )
        let result = try process.run(task, onProgress: onProgress)
        let findings = result.outcome.findingCount
        guard let head = result.head ?? (findings > 0 ? result.statedHead : nil) else {
            return result
        }
        var record = SafekeepingRecord(.scrub, at: now(), head: head)
        record.findings = findings
        try LedgerError.translating(at: path) {
            try SafekeepingHistory(of: path).append(record)
        }
        return result
    }
}
