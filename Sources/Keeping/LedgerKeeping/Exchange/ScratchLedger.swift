import EventStore
import Platform
import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// A ledger that is made of segments in a temporary place, to be read there once.
package struct ScratchLedger {
    private let path: FilePath
    private let maximumByteCount: Int
    private var log: EventLog?
    private var batch: [ImportedEntry] = []
    private var batchByteCount = 0
    private var sourceCount = 0
    private var position: UInt64 = 0

    /// Prepares to make one.
    ///
    /// - Parameters:
    ///   - path: An empty directory of its own, which the caller removes at the end.
    ///   - maximumByteCount: How many bytes of entries are collected before they are stored.
    package init(in path: FilePath, collecting maximumByteCount: Int) {
        self.path = path
        self.maximumByteCount = maximumByteCount
    }

    /// Adds the next entries.
    ///
    /// - Throws: `LedgerError`.
    package mutating func append(_ contents: [ExportedContent]) throws {
        try LedgerError.translating(at: path) {
            for content in contents {
                switch content {
                case .withheld(let leaf): batch.append(.withheld(leaf))
                case .entry(let bytes):
                    batch.append(.entry(bytes, registering: try registration(in: bytes)))
                    batchByteCount += bytes.count
                }
                batchByteCount += Digest.byteCount
                position += 1
            }
            if batchByteCount >= maximumByteCount { try store() }
        }
    }

    /// Stores what is left, and opens the ledger.
    ///
    /// - Parameters:
    ///   - adoptions: Adoptions of rules that replace all those in the log; `nil` to keep the
    ///     log's.
    ///   - now: When they are stored.
    /// - Returns: The ledger, which the caller closes.
    /// - Throws: `LedgerError`.
    package mutating func open(
        adopting adoptions: [TripEvent]? = nil,
        now: Timestamp
    ) throws -> Ledger {
        try LedgerError.translating(at: path) { try store() }
        log?.close()
        log = nil
        guard let adoptions else { return try Ledger(at: path) }
        let ledger = try Ledger(at: path, adoptionsFrom: position, zones: [:])
        do {
            let receipts = try ledger.append(adoptions, now: now, mostSources: .max)
            for receipt in receipts where !receipt.isStored {
                throw LedgerError(
                    .unreadableInput,
                    at: path.string,
                    cause: "rules cannot be adopted in this ledger: \(receipt)"
                )
            }
        } catch {
            ledger.close()
            throw error
        }
        return ledger
    }

    /// Closes what is open, after an error.
    package mutating func discard() {
        log?.close()
        log = nil
    }

    private mutating func store() throws {
        guard !batch.isEmpty else { return }
        if let log {
            _ = try log.append(importing: batch, at: log.newest.head().size)
        } else {
            let place = path.appending("log")
            log = try EventLog.create(at: place, importing: batch, isTemporary: true)
        }
        batch.removeAll(keepingCapacity: true)
        batchByteCount = 0
    }

    /// Returns the source to which an entry gives its number, if it does.
    private mutating func registration(in bytes: [UInt8]) throws -> RegisteredSource? {
        guard let entry = EntryView(startOf: bytes.span), entry.source == 0, !entry.isTombstone,
            entry.kind == EventKind.sourceRegistered.rawValue,
            case .sourceRegistered(let source) =
                try StoredEvent(entry, at: position, source: .ledger).event.body
        else { return nil }
        sourceCount += 1
        guard Int(source.number) == sourceCount else {
            throw EventLogError.damaged(position: position, "it names no new source")
        }
        return RegisteredSource(name: source.name, group: source.group)
    }
}
