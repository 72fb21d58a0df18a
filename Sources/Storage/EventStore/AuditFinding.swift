/// Something in a log that is not as it was written.
package struct AuditFinding: Hashable, Sendable {
    /// The part of the log that is wrong.
    package enum Part: Hashable, Sendable {
        /// Entries and their positions.
        case entries

        /// Data beside the entries that can be derived from them.
        case index

        /// The tree heads that were known before the audit.
        case head
    }

    /// The part of the log that is wrong.
    package var part: Part

    /// The first position that cannot be trusted.
    package var position: UInt64

    /// What is wrong, as a sentence without a full stop.
    package var what: String
}

extension ReadableLog {
    /// Re-reads and re-hashes every entry and compares all that is stored beside them.
    ///
    /// - Parameters:
    ///   - registration: Returns the event that names a source, as the log was given it by
    ///   `append`.
    ///   - erasure: Reads the events that say what was erased.
    /// - Returns: Everything that is wrong; empty for a sound log.
    /// - Throws: `LMDBError` if the log cannot be read at all, `EventLogError.newerFormat`.
    package func findings(
        registration: @escaping EventLog.SourceRegistration,
        erasure: @escaping EventLog.ErasureReading = { _ in nil }
    ) throws -> [EventLogError] {
        var findings: [EventLogError] = []
        var audit = LogAudit(self, registration: registration, erasure: erasure) { finding in
            findings.append(.damaged(position: finding.position, finding.what))
        }
        while try !audit.advance(byteCount: 16 << 20) {}
        return findings
    }
}
