import EventStore
import Platform
import SystemPackage
public import TripLedger

extension Ledger {
    /// Runs `body` with a copy of this ledger as it is now, which is gone afterwards: to see what
    /// something would do.
    ///
    /// The copy stands in the directory for temporary files (`TMPDIR`), and takes as much disk as
    /// the log.
    ///
    /// - Parameter body: Gets the copy, and may do with it what can be done with a ledger.
    /// - Returns: What `body` returned.
    /// - Throws: `.inputOutput`, and what `body` throws.
    public func withCopy<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
        let name = "ledger-copy-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        let directory = Directory.temporary.appending(name)
        defer { try? Directory.removeTree(directory) }
        try LedgerError.translating(at: directory) {
            try Directory.make(directory.appending("log"))
            let file = directory.appending("log").appending("data.mdb")
            let descriptor = try DurableFile.create(file)
            defer { try? descriptor.close() }
            try eventLog.copy(to: descriptor)
        }
        let copy = try Ledger(at: directory)
        defer { copy.close() }
        return try body(copy)
    }
}
