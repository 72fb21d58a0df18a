import ArgumentParser
import Platform
import Proofs
import RowFormats
import TripEvents
import TripLedger

/// Makes issued reports again: by the very commands that made them, from the words that were kept.
struct IssuedReportMaker {
    private let ledger: Ledger

    /// Makes reports of a ledger.
    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// Returns the bytes of a report as they were issued.
    ///
    /// - Throws: `.wouldLose` with the reasons if they are others now; `.newer` if this program
    ///   does not know what was asked for; `.damaged`, `.inputOutput`.
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

    /// Makes a report from the entries of then, in its own format or in another one.
    ///
    /// - Throws: As ``bytes(of:)``, but that the bytes may be others.
    func made(_ report: IssuedReport, as format: ReportFormat? = nil) throws -> [UInt8] {
        let command = try command(of: report, as: format)
        let circumstances = ReportCircumstances(ledger: ledger).kept(as: report.content)
        guard report.head.size <= (try ledger.head().size) else {
            throw refusal(of: report, because: [.otherEntries])
        }
        return try circumstances.read(
            asOf: try command.moment.instant(in: ledger),
            upTo: report.head.size
        ) { snapshot in
            try command.bytes(snapshot, circumstances).bytes
        }
    }

    /// Returns the command that made a report, with its options, or with another format.
    ///
    /// - Throws: `.newer` if this program has no such command or option.
    func command(
        of report: IssuedReport,
        as format: ReportFormat? = nil
    ) throws -> any ReportMaking {
        do {
            return try IssuedParameters(report.content.parameters).written(as: format)
                .command(report.content.report)
        } catch {
            let version = report.content.programVersion.map { " \($0)" } ?? ""
            throw LedgerError(
                .newer,
                at: ledger.path.string,
                cause: "this program cannot make report \(report.id): it does not know what was "
                    + "asked for",
                hint: "Use the version\(version) of ledger that issued it, or a newer one"
            )
        }
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
