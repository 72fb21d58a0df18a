public import TripLedger

/// How an export is written; the raw value is its name on the command line.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// A line of JSON for each entry with its exact bytes: it can be verified and imported.
    case jsonl

    /// A CloudEvents 1.0 object for each event, for programs that take those.
    case cloudevents

    /// Files as C2SP tlog-tiles lays them out: it can be verified and imported.
    case tiles

    /// A stream of frames with the bytes of entries, which is neither lines nor files: it can be
    /// verified and imported, and `ledger worker` takes it.
    case segments
}

/// The figures of an export.
public struct ExportSummary: Hashable, Sendable {
    /// The position of its first entry.
    public var from: UInt64

    /// The log's size and root at its end.
    public var head: LedgerHead

    /// Entries that were withheld: the export holds only their hashes.
    public var withheld: UInt64

    /// Entries whose content was erased before.
    public var erased: UInt64

    /// The name of the key that signed which entries are withheld; `nil` if none did.
    public var withheldSigner: String?
}
