package import Proofs

/// An entry on its way from an export into a log.
package enum ImportedEntry: Sendable {
    /// The exact bytes, a tombstone's too; with the name if it is the event that gives a source its
    /// number.
    case entry([UInt8], registering: String?)

    /// An entry of which the export tells nothing but the leaf hash.
    case withheld(Digest)
}
