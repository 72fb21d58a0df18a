import ArgumentParser
import Platform
import Projections
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger restore-backup`.
struct RestoreBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-backup",
        abstract: "Makes a ledger of a backup, or puts it in the place of one.",
        discussion: """
            The backup is read and hashed in full first. A ledger that is there is moved aside, \
            never deleted. A backup that lacks entries which the ledger is known to have had is \
            refused, and so is one that is not an older state of it: see --accept-loss. With \
            that, signed heads that the restored log does not have are set aside, so that it can \
            be signed again. That it was restored stands in history.jsonl in the ledger's directory.

            Examples:
              ledger restore-backup book.backup --ledger restored
              ledger restore-backup book.backup --accept-loss
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The backup, a file that `ledger backup` made.")
    var file: String

    @Flag(help: "Go on although entries would be missing that are known to have been there.")
    var acceptLoss = false

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let meter = ScanMeter()
        let report = try LedgerRestore(into: options.path, process: LedgerScanner.process)
            .restore(
                FilePath(file),
                acceptsLoss: acceptLoss,
                now: WallClock.now,
                onProgress: { meter.show(.log, $0, $1) }
            )
        meter.clear()
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(Self.json(report))
            case .text, .csv: try output.write(FactSheet(Self.facts(report)).text)
            }
        }
    }

    private static func facts(_ report: LedgerRestore.Report) -> [(label: String, fact: String)] {
        var facts = [
            ("Restored", Excerpt.escaped(report.path.string)),
            ("Ledger", report.ledger),
            ("Entries", String(report.head.size)),
            ("Root", report.head.root),
        ]
        if let aside = report.movedAside {
            facts.append(("Before", "moved to \(Excerpt.escaped(aside.string))"))
        }
        for head in report.headsSetAside {
            facts.append(("Signed head", "set aside as \(Excerpt.escaped(head.string))"))
        }
        return facts.map { (label: $0.0, fact: $0.1) }
    }

    /// For programs (`restored.v1.schema.json`).
    private static func json(_ report: LedgerRestore.Report) -> RowJSON {
        var json = RowJSON()
        json.add("path", text: report.path.string)
        json.add("ledger", text: report.ledger)
        json.add("size", integer: Int64(clamping: report.head.size))
        json.add("root", text: report.head.root)
        if let aside = report.movedAside { json.add("moved_aside", text: aside.string) }
        if !report.headsSetAside.isEmpty {
            json.add("heads_set_aside", texts: report.headsSetAside.map(\.string))
        }
        return json
    }
}
