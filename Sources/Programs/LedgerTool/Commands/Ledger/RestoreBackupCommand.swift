import ArgumentParser
package import LedgerKeeping
import Platform
import SystemPackage
package import Tables
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
            be signed again. Tokens that the backup has beside it are restored too, unless there \
            are others: those stay, for older ones would let in what was revoked since. Signed \
            heads and stamps beside it join those that are there. That it was restored stands in \
            history.jsonl in the ledger's directory.

            Examples:
              ledger restore-backup book.backup --ledger restored
              ledger restore-backup book.backup --accept-loss
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(help: "The backup, a file that `ledger backup` made.", completion: .file())
    var file: String

    @Flag(help: "Go on although entries would be missing that are known to have been there.")
    var acceptLoss = false

    func run() throws {
        let meter = ProgressMeter()
        var report = try LedgerRestore(into: options.path, process: LedgerScanner.process)
            .restore(
                FilePath(file),
                acceptsLoss: acceptLoss,
                now: WallClock.now,
                onProgress: { meter.show(.log, $0, $1) }
            )
        meter.clear()
        report.tokens = try ServerBackup(process: LedgerScanner.process)
            .restore(from: FilePath(file), into: options.path)
        try Output.show(report, as: options.format) { report in
            let aside = report.headsSetAside
                .map { ("Signed head", "set aside as \(Excerpt.escaped($0.string))") }
            return (LedgerRestore.Report.columns.facts(report) + FactSheet(aside))
                .text(width: Screen.columnCount)
        }
        for file in report.heads?.left ?? [] {
            Diagnostic.note(
                "\(file) was not restored: it cannot be read, or the log does not "
                    + "have that head"
            )
        }
    }
}

extension LedgerRestore.Report: Tabular {
    /// A backup that was restored: `restored.v1.schema.json`.
    package static let columns = Columns<LedgerRestore.Report> {
        Column.text("path", "Restored") { $0.path.string }
        Column.name("ledger", "Ledger") { $0.ledger }
        Column.integer("size", "Entries") { $0.head.size }
        Column.name("root", "Root") { $0.head.root }
        Column.text("moved_aside", "Before") { $0.movedAside?.string }.optional
            .shown(as: { $0.movedAside.map { .text("moved to \($0.string)") } ?? .none })
        Column.name("tokens", "Tokens") { $0.tokens?.rawValue }.optional
            .shown(as: { $0.tokens.map { .text(words(for: $0)) } ?? .none })
        Column.integer("heads") { $0.heads?.headCount }.optional
        Column.integer("stamps") { $0.heads?.stampCount }.optional
        Column.shown("Signed heads") { report in
            report.heads.map { .text("\($0.counts) of the backup") } ?? .none
        }
        Column.list("heads_set_aside") { report in
            report.headsSetAside.isEmpty ? nil : report.headsSetAside.map(\.string)
        }
        .optional
    }

    private static func words(for tokens: ServerBackup.Restoration) -> String {
        switch tokens {
        case .restored: "those of the backup; any that were revoked since are valid again"
        case .kept: "those that were here"
        case .unsound: "none, for those of the backup cannot be read"
        }
    }
}
