package import Platform
import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// The folder in which a month of a ledger is kept: its mileage log as it was issued, the signed
/// head, and a bundle for an auditor.
package struct KeptMonth {
    /// The file of the mileage log.
    package static let log = "log.html"

    /// The file of the signed head.
    package static let head = "head.note"

    /// The folder of the bundle.
    package static let bundle = "bundle"

    private static let lock = "monthly.lock"

    /// The folder.
    package let path: FilePath

    /// Looks at a folder.
    package init(at path: FilePath) {
        self.path = path
    }

    /// Keeps others from issuing and keeping a month of the same ledger while `body` runs.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - notice: Told if another process does.
    ///   - body: What to do.
    /// - Returns: What `body` returned.
    /// - Throws: `.inputOutput`, and what `body` throws.
    package static func holding<Result>(
        of ledger: Ledger,
        _ notice: WaitNotice,
        _ body: () throws -> Result
    ) throws -> Result {
        let lock = ledger.path.appending(Self.lock)
        do {
            return try FileLock.holding(lock, isMade: true, notice, body)
        } catch let error as Errno {
            throw LedgerError(.inputOutput, at: lock.string, cause: error.description)
        }
    }

    /// Returns which report of a month is kept in the folder; `nil` if nothing is there.
    ///
    /// - Parameters:
    ///   - reports: The reports of the month that the ledger has issued.
    ///   - ledger: The ledger.
    /// - Returns: The report whose bytes the log has.
    /// - Throws: `.alreadyThere` if something else is there: not a bundle of this ledger, or a log
    ///   that is not one of the reports; `.inputOutput`.
    package func report(
        among reports: [IssuedReport],
        of ledger: Ledger
    ) throws(LedgerError) -> IssuedReport? {
        try LedgerError.translating(at: path) {
            guard try Directory.holds(path) else { return nil }
            guard let other = try BundleManifest.ledger(inBundle: path.appending(Self.bundle))
            else { throw refusal("it holds no bundle, so that no month is kept here") }
            guard other == ledger.founding.ledger else {
                throw refusal("a month of another ledger is kept here, of \(other)")
            }
            let log = path.appending(Self.log)
            let hash = try Directory.holds(log) ? LedgerBackup.digest(of: log) : ""
            guard let report = reports.last(where: { $0.content.outputHash == hash }) else {
                throw refusal("\(Self.log) in it is no report of the month that was issued")
            }
            return report
        }
    }

    /// Returns the last report of a month that was issued to be kept, with which a run goes on if
    /// an earlier one was cut off.
    ///
    /// Reports that people issued may lack the last entries of the month, so they do not count.
    ///
    /// - Parameters:
    ///   - reports: The reports of the month that the ledger has issued.
    ///   - ledger: The ledger.
    /// - Returns: The report whose hash ``noteIssuing(_:in:at:)`` has noted; `nil` if none is.
    /// - Throws: `.damaged` if the history cannot be one, `.inputOutput`.
    package static func begun(
        among reports: [IssuedReport],
        of ledger: Ledger
    ) throws(LedgerError) -> IssuedReport? {
        let records = try ledger.safekeeping().filter { $0.deed == .issuing }
        let hashes = Set(records.map(\.fileDigest))
        return reports.last { hashes.contains($0.content.outputHash) }
    }

    /// Notes in the history of a ledger's directory that a report is about to be issued, to be
    /// kept.
    ///
    /// - Parameters:
    ///   - report: Its bytes.
    ///   - ledger: The ledger.
    ///   - now: The time.
    /// - Throws: `.inputOutput`.
    package static func noteIssuing(
        _ report: [UInt8],
        in ledger: Ledger,
        at now: Timestamp
    ) throws(LedgerError) {
        try LedgerError.translating(at: ledger.path) {
            var record = SafekeepingRecord(.issuing, at: now, head: try ledger.head())
            record.fileDigest = SHA256.digest(report.span).description
            try SafekeepingHistory(of: ledger.path).append(record)
        }
    }

    /// Makes the folder with what is in it; it appears complete or not at all.
    ///
    /// - Parameter fill: Gets the folder while it has another name.
    /// - Throws: `.alreadyThere` if something was put there meanwhile; `.inputOutput`,
    ///   `.diskFull`, and what `fill` throws, if that is a `LedgerError`.
    package func create(_ fill: (FilePath) throws -> Void) throws(LedgerError) {
        try LedgerError.translating(at: path) {
            do {
                try Directory.create(path, fill)
            } catch Errno.fileExists {
                throw refusal("something was put here meanwhile")
            }
        }
    }

    /// Notes in the history of a ledger's directory that its month is kept.
    ///
    /// - Throws: `.inputOutput`.
    package func note(in ledger: Ledger, at now: Timestamp) throws(LedgerError) {
        try LedgerError.translating(at: ledger.path) {
            var record = SafekeepingRecord(.monthly, at: now, head: try ledger.head())
            record.file = try Directory.absolute(path).string
            try SafekeepingHistory(of: ledger.path).append(record)
        }
    }

    private func refusal(_ cause: String) -> LedgerError {
        LedgerError(
            .alreadyThere,
            at: path.string,
            cause: cause,
            hint: "Nothing was changed. Move it away, or name another folder with -o: each ledger "
                + "needs its own"
        )
    }
}
