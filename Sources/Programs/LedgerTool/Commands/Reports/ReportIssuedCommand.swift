import ArgumentParser
import Proofs
import Tables
import TripEvents
import TripLedger

/// The command `ledger report issued`.
struct ReportIssuedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issued",
        abstract: "Lists the reports that were handed out.",
        discussion: """
            A report is issued by --issue, as in `ledger report claim --jurisdiction us --year \
            2025 --issue > claim.txt`. The ledger then knows the SHA-256 of its bytes, and all \
            that they depend on; `ledger report reissue` makes them again.

            Examples:
              ledger report issued
              ledger report issued --format json
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try options.list(
            from: ledger,
            in: table,
            ifEmpty: "No report was issued; --issue issues one, as in "
                + "`ledger report log --year 2025 --issue`."
        ) { try $0.issuedReports() }
    }
}

/// The command `ledger report reissue`.
struct ReportReissueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reissue",
        abstract: "Makes a report again as it was issued, byte for byte.",
        discussion: """
            It is made from the entries that the ledger had then, as of the same moment and by the \
            same rates, whatever came later, and printed if its SHA-256 is that of the bytes that \
            were issued. If it is not, nothing is printed, and the reasons are said.

            With --compare the report is also made as it would be now: the lines that differ are \
            printed, and what was appended since about its trips. JSON has a line for each line \
            that differs, and then the changes, as `ledger changes --since` has them.

            Exit codes: 0 done; 1 the same bytes cannot be made again.

            Examples:
              ledger report reissue R1 -o again.html
              ledger report reissue R1 --compare
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>

    @Argument(help: "What the report is called, such as R1: `ledger report issued` lists all.")
    var report: String

    @Flag(help: "List the lines that would differ now, in the format of --format.")
    var compare = false

    @Option(
        .output,
        otherName: .customShort("o"),
        completion: .file(extensions: ["pdf", "html", "csv", "json", "txt"])
    )
    var output: String?

    @Flag(.replace)
    var replace = false

    func validate() throws {
        guard !compare || output == nil else {
            throw ValidationError("What --compare lists goes to standard output, without --output.")
        }
        guard compare || options.format == .text else {
            throw ValidationError(
                "A report is made again in the format in which it was issued: --format goes with "
                    + "--compare."
            )
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let issued = try ledger.readNow { try $0.issuedReport(report) }
        guard !compare else {
            let comparison = try ReportComparison(issued, in: ledger)
            return try Output.paged.writing { output in
                try comparison.write(options.format, style: .screen(for: ledger), to: output)
            }
        }
        let bytes = try IssuedReportMaker(ledger).bytes(of: issued)
        if let output, output != HandedOutFile.standardOutput {
            try HandedOutFile.put(bytes, at: output, isReplacing: replace)
            try Output.standard.writing {
                try $0.writeLine("Wrote \(Excerpt.escaped(output)), \(bytes.count) bytes.")
            }
        } else {
            try Output.standard.writing { try $0.write(bytes) }
        }
        let issuedAt = LocalTime.text(issued.issuedAt.told(by: ledger.clock))
        Diagnostic.say(
            "The same bytes as issued on \(issuedAt), made from the first "
                + "\(Count.text(issued.head.size, "entry", "entries")).\n"
        )
    }
}
