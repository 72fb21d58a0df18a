import ArgumentParser
import Platform
import Proofs
import RowFormats
import TripEvents
import TripLedger

extension ReportMaking {
    /// Prints the report, and then notes in the ledger that it was handed out.
    ///
    /// What could not be written as a whole was not issued.
    ///
    /// - Parameters:
    ///   - circumstances: What the report depends on beside its options.
    ///   - instant: The instant to which time passes.
    /// - Returns: What is said beside it.
    /// - Throws: `OutputError`, `LedgerError`.
    func issue(
        _ circumstances: ReportCircumstances,
        asOf instant: Timestamp
    ) throws -> ReportRemarks {
        let (report, head) = try circumstances.read(asOf: instant) { snapshot in
            (try bytes(snapshot, circumstances), snapshot.head)
        }
        guard let days = report.remarks.days else {
            preconditionFailure("a report is issued for days with a first and a last one")
        }
        try documents.writing(to: .standard) { try $0.write(report.bytes) }
        let parameters = IssuedParameters(
            NamedCommand(arguments: Array(CommandLine.arguments.dropFirst())).arguments,
            of: Self.self,
            format: documents.chosen,
            days: days,
            asOf: instant
        )
        var content = ReportIssued(
            report: Self._commandName,
            periodStart: days.lowerBound,
            periodEnd: days.upperBound,
            parameters: parameters.fields,
            outputHash: SHA256.digest(report.bytes.span).description,
            treeSize: head.size,
            treeHash: head.root
        )
        content.programVersion = LedgerCommand.version
        if documents.chosen == .pdf {
            let document = try parameters.written(as: .document).command(Self._commandName)
            let bytes = try circumstances.read(asOf: instant, upTo: head.size) { snapshot in
                try document.bytes(snapshot, circumstances).bytes
            }
            content.documentHash = SHA256.digest(bytes.span).description
        }
        if let table = report.remarks.table {
            let loading = table.loading()
            content.table = loading.table
            content.rates = loading.rates
            content.contentHash = loading.contentHash
        }
        let now = WallClock.now
        let issued = try circumstances.ledger.issue(
            content,
            by: DecisionOptions.decider(issuing.actor),
            now: EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        )
        Diagnostic.say(
            "Issued as \(issued.id), made from \(Count.text(head.size, "entry", "entries")). "
                + "`ledger report reissue \(issued.id)` makes the same bytes again.\n"
        )
        return report.remarks
    }
}
