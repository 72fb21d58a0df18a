extension Environment {
    /// Returns the two snapshots that the data file holds, the one of meta page 0 first, and what
    /// `body` makes of them; `nil` if writers have changed them meanwhile, again and again.
    package func withStoredSnapshots<Result>(
        _ body: (_ pages: [StoredSnapshot]) throws -> Result
    ) throws -> Result? {
        guard gate.enterReading() else { throw closedError("pread") }
        defer { gate.leaveReading() }
        for _ in 1...10 {
            let snapshots = try dataFile.snapshots(in: path)
            let result = try body(snapshots)
            // While a transaction runs, both snapshots stay; the one after it may take pages of
            // the older one.
            let after = try dataFile.snapshots(in: path)
            if after.map(\.transaction) == snapshots.map(\.transaction) { return result }
        }
        return nil
    }
}
