import EventStore

extension VerifyFinding {
    /// Takes over what an audit found.
    init(_ finding: AuditFinding) {
        let subject: VerifySubject =
            switch finding.part {
            case .entries: .log
            case .index: .index
            case .head: .head
            }
        self.init(subject, at: finding.position, finding.what)
    }
}
