/// Something in a log that is not as it was written.
package struct AuditFinding: Hashable, Sendable {
    /// What part of the log is wrong.
    package enum Part: Hashable, Sendable {
        /// Entries and their positions.
        case entries

        /// What is stored beside the entries and can be derived from them.
        case index

        /// The tree heads that somebody knew before.
        case head
    }

    /// What part of the log is wrong.
    package var part: Part

    /// The first position that cannot be trusted.
    package var position: UInt64

    /// What is wrong, as a sentence without a full stop.
    package var what: String
}
