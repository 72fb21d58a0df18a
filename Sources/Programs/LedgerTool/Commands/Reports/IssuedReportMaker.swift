import Proofs
import Reports
import TripEvents
import TripLedger

/// Makes issued reports again, from the requests that were stored with them.
struct IssuedReportMaker {
    private let ledger: Ledger

    /// Makes reports of a ledger.
    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// Returns the bytes of a report as they were issued.
    ///
    /// - Throws: `.wouldLose` with the reasons if the bytes are different now; `.newer` if this
    ///   program does not know the request; `.damaged`, `.inputOutput`.
    func bytes(of report: IssuedReport) throws -> [UInt8] {
        let bytes = try made(report)
        if SHA256.digest(bytes.span).description == report.content.outputHash { return bytes }
        if let hash = report.content.documentHash {
            let document = try made(report, as: .document)
            guard SHA256.digest(document.span).description != hash else {
                throw refusal(of: report, because: [.otherFonts])
            }
        }
        let reasons = try ledger.readNow {
            try $0.differences(fromIssued: report, madeBy: LedgerCommand.version)
        }
        throw refusal(of: report, because: reasons)
    }

    /// Makes a report from its original entries, in its own format or in another one.
    ///
    /// - Throws: As ``bytes(of:)``, but different bytes are no error.
    func made(_ report: IssuedReport, as format: ReportFormat? = nil) throws -> [UInt8] {
        var request = try request(of: report)
        request.format = format ?? request.format
        guard report.head.size <= (try ledger.head().size) else {
            throw refusal(of: report, because: [.otherEntries])
        }
        guard let instant = request.asOf else { throw unknown(report, "as_of is missing.") }
        let means = ReportMeans.kept(of: ledger, asIn: report.content)
        return try ledger.readFromLog(asOf: instant, upTo: report.head.size) { snapshot in
            do {
                return try ResolvedReport(request, asOf: instant, of: snapshot, by: means)
                    .bytes(snapshot).bytes
            } catch let problem as ReportProblem {
                throw unknown(report, problem.sentence(at: .request))
            }
        }
    }

    /// Returns the request that a report answers.
    ///
    /// - Throws: `.newer` if this program does not know all of it.
    func request(of report: IssuedReport) throws(LedgerError) -> ReportRequest {
        do throws(ReportProblem) {
            return try report.request()
        } catch {
            throw unknown(report, error.sentence(at: .request))
        }
    }

    private func unknown(_ report: IssuedReport, _ reason: String) -> LedgerError {
        let version = report.content.programVersion.map { " \($0)" } ?? ""
        return LedgerError(
            .newer,
            at: ledger.path.string,
            cause: "this program cannot make report \(report.id), as it does not know what was "
                + "asked for: \(reason.dropLast())",
            hint: "Use the version\(version) of ledger that issued it, or a newer one"
        )
    }

    private func refusal(
        of report: IssuedReport,
        because reasons: [ReissueDifference]
    ) -> LedgerError {
        LedgerError(
            .wouldLose,
            at: ledger.path.string,
            cause: "report \(report.id) cannot be made again as it was issued: "
                + reasons.map(\.sentence).joined(separator: "; "),
            hint: "Nothing was printed; the copy that was handed out has the SHA-256 "
                + report.content.outputHash
        )
    }
}
