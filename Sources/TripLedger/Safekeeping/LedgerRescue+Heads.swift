import EventStore
import Proofs
import SystemPackage

extension LedgerRescue {
    /// Collects the heads that were given, and those that stand beside a data file.
    ///
    /// These are signed ones, and those in the history of the ledger's directory. The signed one
    /// that is kept outside is found by the id of the ledger that was saved.
    func knownHeads(
        beside dataFile: FilePath,
        savedIn report: RescueReport
    ) throws -> RescueHeads {
        var heads = RescueHeads(others: givenHeads)
        let folder = dataFile.removingLastComponent()
        if folder.lastComponent?.string == "log" {
            let directory = folder.removingLastComponent()
            heads.others += try SafekeepingHistory(of: directory).knownHeads()
            let found = try HeadStore.survivors(in: directory.appending("heads"))
            heads.signed = found.heads.map { LedgerHead($0.head) }
            heads.unreadable = found.unreadable
        }
        if report.head.size > 0, let outside = try? outsideHead(of: report.path) {
            heads.signed.append(outside)
        }
        return heads
    }

    private func outsideHead(of path: FilePath) throws(LedgerError) -> LedgerHead? {
        let saved = try Ledger(at: path, isReadOnly: true)
        defer { saved.close() }
        return try HeadStore(of: saved).last().map { LedgerHead($0.head) }
    }

    /// Returns the positions of entries that must have been there, and are neither in the new log
    /// nor stranded.
    static func missing(
        _ plan: RescuePlan,
        _ report: RescueReport,
        _ heads: RescueHeads
    ) -> [Range<UInt64>] {
        let ends =
            plan.stretches.map(\.positions.upperBound) + heads.sizes
            + [report.statedSize, report.earlierSize].compactMap(\.self)
        var missing: [Range<UInt64>] = []
        var position = report.head.size
        for range in report.strandedRanges {
            if range.lowerBound > position { missing.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if let end = ends.max(), end > position { missing.append(position..<end) }
        return missing
    }
}
