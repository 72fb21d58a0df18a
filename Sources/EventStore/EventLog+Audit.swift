extension EventLog {
    /// Re-reads and re-hashes every entry and compares all that is stored beside them.
    ///
    /// - Parameter registration: Returns the event that names a source, as the log was given it by
    ///   `append`.
    /// - Returns: Everything that is wrong; empty for a sound log.
    /// - Throws: `LMDBError` if the log cannot be read at all.
    package func findings(
        registration: @escaping SourceRegistration
    ) throws -> [EventLogError] {
        var audit = LogAudit(self, registration: registration)
        try audit.run()
        return audit.findings
    }
}
