extension EventLog {
    /// Re-reads and re-hashes every entry and compares all that is stored beside them.
    ///
    /// - Parameters:
    ///   - registration: Returns the event that names a source, as the log was given it by
    ///   `append`.
    ///   - erasure: Reads the events that say what was erased.
    /// - Returns: Everything that is wrong; empty for a sound log.
    /// - Throws: `LMDBError` if the log cannot be read at all, `EventLogError.newerFormat`.
    package func findings(
        registration: @escaping SourceRegistration,
        erasure: @escaping ErasureReading = { _ in nil }
    ) throws -> [EventLogError] {
        var findings: [EventLogError] = []
        var audit = LogAudit(self, registration: registration, erasure: erasure) { finding in
            findings.append(.damaged(position: finding.position, finding.what))
        }
        while try !audit.advance(byteCount: 16 << 20) {}
        return findings
    }
}
