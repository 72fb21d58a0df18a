import ArgumentParser
package import LedgerKeeping
import Platform
import SystemPackage
package import Tables
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

            If there are tokens, a second file, with .server at the end of its name, holds them \
            and refused deliveries. Keep it beside the first: then phones go on delivering to a \
            ledger that is restored. No token can be made of it, but the keys of encrypted \
            messages are in it. A folder with .heads at the end of its name holds signed heads, \
            cosignatures and stamps, if there are any: no program can make those again.

            With --keep the oldest backups of this ledger in the directory go when the new one \
            has been verified. With --rehearse it is restored into a directory beside it, which is \
            removed again: its entries are hashed once more, its heads and stamps are held against \
            them, and its trips derived.

            Exit code 1: tokens, signed heads or stamps of the ledger cannot be read, so they are \
            not in the backup, or it could not be restored. Then no older backup is removed.

            Examples:
              ledger backup /media/usb
              ledger backup /media/usb --keep 14 --rehearse
              ledger backup book.backup --replace
              ledger restore-backup book.backup --ledger restored
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(
        help: "The file, or a directory, in which it gets a name of its own.",
        completion: .file()
    )
    var destination: String

    @Flag(help: "Replace the file if it is there.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "Keep so many backups of this ledger in the directory, and remove older ones.",
            valueName: "count"
        )
    )
    var keep: Int?

    @Flag(help: "Restore the backup elsewhere, to see that it can be.")
    var rehearse = false

    func validate() throws {
        try HandedOutFile.requireName(destination, ofNew: "a file, or a directory")
        guard keep.map({ (1...10_000).contains($0) }) ?? true else {
            throw ValidationError("--keep takes a number from 1 to 10000.")
        }
        guard keep == nil || (try? Stat(FilePath(destination)))?.type == .directory else {
            throw ValidationError("--keep goes with a directory, in which backups get names.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let meter = ProgressMeter()
        let report = try LedgerBackup(of: ledger, process: LedgerScanner.process)
            .make(
                to: FilePath(destination),
                isReplacing: replace,
                now: WallClock.now,
                onProgress: { meter.show(.log, $0, $1) }
            )
        meter.clear()
        try care(for: report, of: ledger, meter)
        try Output.show(report, as: options.format)
        for leftover in report.leftovers {
            Diagnostic.say(
                "\(Excerpt.escaped(leftover.string)) holds a copy of the log that was not "
                    + "finished. Unless another backup is at work there, delete it.\n"
            )
        }
        if report.isUnswept {
            Diagnostic.say(
                "What was erased may still be in unused places of the backup. Say `ledger erase "
                    + "--sweep`, back up again, and delete this one.\n"
            )
        }
        if let gap = report.gap { throw gap }
    }

    /// Tries the backup, and removes old ones if it can be restored and nothing is missing in it.
    private func care(
        for report: LedgerBackup.Report,
        of ledger: Ledger,
        _ meter: ProgressMeter
    ) throws {
        let care = BackupCare(of: ledger, process: LedgerScanner.process)
        if rehearse {
            let rehearsal = try care.rehearse(
                report,
                now: WallClock.now,
                onProgress: { meter.show(.log, $0, $1) }
            )
            meter.clear()
            Diagnostic.say(
                "It was restored and read: "
                    + "\(Count.text(rehearsal.head.size, "entry", "entries")), "
                    + "\(Count.text(rehearsal.tripCount, "trip", "trips"))"
                    + "\(rehearsal.heads.map { ", \($0.counts)" } ?? "").\n"
            )
        }
        guard let keep, report.gap == nil else { return }
        for file in try care.removeOldest(besides: report.file, keeping: keep) {
            Diagnostic.say("Removed the older backup \(Excerpt.escaped(file.string)).\n")
        }
    }
}

extension LedgerBackup.Report: Tabular {
    /// A backup that was made: `backup.v1.schema.json`.
    package static let columns = Columns<LedgerBackup.Report> {
        Column.text("file", "Backup") { $0.file.string }
        Column.name("ledger", "Ledger") { $0.ledger }
        Column.integer("size", "Entries") { $0.head.size }
        Column.name("root", "Root") { $0.head.root }
        Column.integer("bytes", "Bytes") { $0.fileBytes }
        Column.name("sha256", "SHA-256") { $0.fileDigest }
        Column.text("tokens_file", "Tokens") { $0.tokensFile?.string }.optional
        Column.text("tokens_problem") { $0.tokensProblem }.optional
        Column.text("heads_folder", "Signed heads") { report in
            report.heads.flatMap { $0.isEmpty ? nil : $0.folder.string }
        }
        .optional
        Column.list("heads_left") { report in
            report.heads.flatMap { $0.left.isEmpty ? nil : $0.left }
        }
        .optional
        Column.boolean("unswept") { $0.isUnswept }
    }
}

extension HeadsBackup {
    /// How many there are, for people.
    var counts: String {
        Count.text(headCount, "signed head", "signed heads") + ", "
            + Count.text(stampCount, "stamp", "stamps")
    }
}
