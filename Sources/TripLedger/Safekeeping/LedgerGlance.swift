import EventStore
import Proofs
public import SystemPackage
import TripEvents

/// Opens a ledger and says what it says of itself, in the process that may crash over it.
public struct LedgerGlance {
    private let path: FilePath

    /// Prepares to look at the ledger in the directory `path`.
    public init(at path: FilePath) {
        self.path = path
    }

    /// Looks and says what there is.
    ///
    /// - Throws: What `say` throws.
    public func run(_ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do throws(LedgerError) {
            let ledger = try Ledger(at: path, isReadOnly: true)
            defer { ledger.close() }
            messenger.tell(.ledger(id: ledger.founding.ledger, try ledger.head()))
            try LedgerError.translating(at: path) { try tellFigures(ledger, messenger) }
            if let signed = try HeadStore(of: ledger).last() {
                messenger.tell(.figure("signed_size", signed.head.size))
            }
            if let lag = try ledger.lag() { messenger.tell(.figure("views_lag", lag)) }
        } catch {
            messenger.report(.log, error.cause)
        }
        try messenger.finish()
    }

    private func tellFigures(_ ledger: Ledger, _ messenger: ScanMessenger) throws {
        let figures = try ledger.log.figures()
        messenger.tell(.figure("map_bytes", figures.mapBytes))
        messenger.tell(.figure("used_bytes", figures.usedBytes))
        messenger.tell(.figure("file_bytes", figures.fileBytes))
        // The one that asks is among them.
        messenger.tell(.figure("readers", max(1, figures.readers) - 1))
        messenger.tell(.figure("cleared_readers", figures.clearedReaders))
        if try ledger.needsSweep() { messenger.tell(.figure("needs_sweep", 1)) }
        let size = try ledger.log.head().size
        if let last = try ledger.log.withEntry(at: size - 1, { $0.recordedAt }) {
            messenger.tell(.figure("last_recorded_at", UInt64(max(0, last))))
        }
    }
}
