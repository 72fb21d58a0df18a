extension EventLog {
    /// Re-reads and re-hashes every entry and compares all that is stored beside them.
    ///
    /// - Returns: Everything that is wrong; empty for a sound log.
    /// - Throws: `LMDBError` if the log cannot be read at all.
    package func findings() throws -> [EventLogError] {
        var audit = LogAudit(self)
        try audit.run()
        return audit.findings
    }
}
