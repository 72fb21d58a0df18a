import Proofs

/// What an export tells of one entry.
enum ExportedContent: Hashable, Sendable {
    /// Its exact bytes; a tombstone's if its content was erased.
    case entry([UInt8])

    /// Nothing but its leaf hash.
    case withheld(Digest)
}
