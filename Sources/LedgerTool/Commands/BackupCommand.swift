import ArgumentParser
import Platform
import Projections
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger backup`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the ledger into one file, and proves the copy.",
        discussion: """
            Others may go on appending meanwhile. The copy gets its name when all of it has been \
            written to disk, read back and hashed; a run that is cut off leaves no backup. It \
            holds all entries; what is derived from them is derived again when it is restored.

            Examples:
              ledger backup /media/usb
              ledger backup book.backup --replace
              ledger restore-backup book.backup --ledger restored
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file, or a directory, in which it gets a name of its own.")
    var destination: String

    @Flag(help: "Replace the file if it is there.")
    var replace = false

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let meter = ScanMeter()
        let report = try LedgerBackup(of: ledger, process: LedgerScanner.process)
            .make(
                to: FilePath(destination),
                isReplacing: replace,
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
        guard report.isUnswept else { return }
        Diagnostic.say(
            "What was erased may still be in unused places of the backup. Say `ledger erase "
                + "--sweep`, back up again, and delete this one.\n"
        )
    }

    private static func facts(_ report: LedgerBackup.Report) -> [(label: String, fact: String)] {
        [
            ("Backup", Excerpt.escaped(report.file.string)),
            ("Ledger", report.ledger),
            ("Entries", String(report.head.size)),
            ("Root", report.head.root),
            ("Bytes", String(report.fileBytes)),
            ("SHA-256", report.fileDigest),
        ]
    }

    /// For programs (`backup.v1.schema.json`).
    private static func json(_ report: LedgerBackup.Report) -> RowJSON {
        var json = RowJSON()
        json.add("file", text: report.file.string)
        json.add("ledger", text: report.ledger)
        json.add("size", integer: Int64(clamping: report.head.size))
        json.add("root", text: report.head.root)
        json.add("bytes", integer: report.fileBytes)
        json.add("sha256", text: report.fileDigest)
        json.add("unswept", boolean: report.isUnswept)
        return json
    }
}
