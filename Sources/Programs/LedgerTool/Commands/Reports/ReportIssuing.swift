import Platform
import Proofs
import Reports
import TripEvents
import TripLedger

/// Makes a report, hands it over, and notes in the ledger that it was handed out.
struct ReportIssuing {
    private let request: ReportRequest
    private let ledger: Ledger
    private let actor: String?

    /// Prepares to issue a report.
    ///
    /// - Parameters:
    ///   - request: The report.
    ///   - ledger: The ledger.
    ///   - actor: Who issues it; `nil` for the user.
    init(_ request: ReportRequest, of ledger: Ledger, by actor: String?) {
        self.request = request
        self.ledger = ledger
        self.actor = actor
    }

    /// Issues the report.
    ///
    /// A report that could not be handed over completely was not issued.
    ///
    /// - Parameters:
    ///   - instant: The instant to which time passes.
    ///   - handOver: Gets its bytes before the ledger notes it.
    /// - Returns: The report with its name, and the remarks on it.
    /// - Throws: ``ReportProblem``, `LedgerError`, and what `handOver` throws.
    func issue(
        asOf instant: Timestamp,
        handOver: ([UInt8]) throws -> Void
    ) throws -> (issued: IssuedReport, remarks: ReportRemarks) {
        let means = ReportMeans.kept(of: ledger)
        let (resolved, bytes, remarks, head) = try ledger.readFromLog(asOf: instant) { snapshot in
            let resolved = try ResolvedReport(request, asOf: instant, of: snapshot, by: means)
            let made = try resolved.bytes(snapshot)
            return (resolved.request, made.bytes, made.remarks, snapshot.head)
        }
        guard let days = remarks.days else { throw ReportProblem.openDaysIssued }
        try handOver(bytes)
        var content = ReportIssued(
            resolved,
            on: days,
            outputHash: SHA256.digest(bytes.span).description,
            head: head
        )
        content.programVersion = LedgerCommand.version
        if resolved.format == .pdf {
            var document = resolved
            document.format = .document
            let bytes = try ledger.readFromLog(asOf: instant, upTo: head.size) { snapshot in
                try ResolvedReport(document, asOf: instant, of: snapshot, by: means)
                    .bytes(snapshot).bytes
            }
            content.documentHash = SHA256.digest(bytes.span).description
        }
        if let table = remarks.table {
            let loading = table.loading()
            content.table = loading.table
            content.rates = loading.rates
            content.contentHash = loading.contentHash
        }
        let now = WallClock.now
        let issued = try ledger.issue(
            content,
            by: DecisionOptions.decider(actor),
            now: EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        )
        return (issued, remarks)
    }
}
