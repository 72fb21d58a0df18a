import EventStore
import Platform
import SystemPackage
public import TripLedger

extension Ledger {
    /// Runs `body` with a copy of this ledger as it is now, and removes the copy afterwards: for
    /// trying out the effect of a change.
    ///
    /// The copy is in the directory for temporary files (`TMPDIR`), and takes as much disk as the
    /// log. A copy that a killed process left there is removed by the next one, and by an erasure.
    ///
    /// - Parameter body: Gets the copy, and may do with it what can be done with a ledger.
    /// - Returns: What `body` returned.
    /// - Throws: `.inputOutput`, and what `body` throws.
    public func withCopy<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
        let parent = Directory.temporary
        do {
            return try Unfinished.withDirectory(for: Self.copyName, in: parent) { directory in
                defer { try? Directory.removeTree(directory) }
                try LedgerError.translating(at: directory) { try copyLog(into: directory) }
                let copy = try Ledger(at: directory)
                defer { copy.close() }
                return try body(copy)
            }
        } catch let error as Errno {
            throw LedgerError(.inputOutput, at: parent.string, cause: error.description)
        }
    }

    private func copyLog(into directory: FilePath) throws {
        let log = directory.appending("log")
        try Directory.make(log)
        let descriptor = try DurableFile.create(log.appending("data.mdb"))
        defer { try? descriptor.close() }
        try eventLog.copy(to: descriptor)
    }

    /// Removes the copies that killed processes left in the directory for temporary files: they
    /// still hold content that was erased since.
    static func removeAbandonedCopies() {
        Unfinished.removeAbandoned(of: copyName, in: Directory.temporary)
    }

    private static let copyName = "ledger-copy"
}
