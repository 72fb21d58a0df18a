import ArgumentParser
import LedgerKeeping
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger bundle`.
struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract:
            "Writes what an auditor needs: reports, the evidence, rates, and how to check it.",
        discussion: """
            The reports of a year stand in it as text, HTML, CSV and JSON, the claim only with \
            --jurisdiction; then every entry of the ledger, the rates that the claim goes by, and \
            a manifest with the SHA-256 of each file. If the ledger has a key, the head and the \
            manifest are signed. README.txt says in plain words what is what.

            `ledger verify DIR` checks it where no ledger is: it makes every report again from the \
            evidence, and names each file, line and figure that differs. Hand over the key, or the \
            head, in another way: what comes with the bundle cannot vouch for it. All entries are \
            in it, \
            also those of private trips, without which the figures could not be computed.

            With a jurisdiction the year is its tax year. The same ledger, as of the same moment, \
            gives the same bytes.

            Examples:
              ledger bundle --year 2025
              ledger bundle --year 2025 --jurisdiction us -o for-the-auditor
              ledger bundle --year 2025 --language de --paper a4
              ledger verify audit-2025 --key key.txt
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var signing: SigningOptions

    @Option(help: "The year, or the tax year that begins in it.")
    var year: Int

    @Option(
        help: "Whose forms and rates are meant: us, gb, ca, nl, de, au or fr; rates alone: at."
    )
    var jurisdiction: String?

    @Option(.group)
    var group: SelectedGroup?

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(.language)
    var language: Language?

    @Option(.paper)
    var paper: PaperSize?

    @OptionGroup var moment: AsOfOption

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A directory that is not there yet (default: audit-YEAR).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var output: String?

    func validate() throws {
        try PeriodOptions.requireFourDigits(year)
        try HandedOutFile.requireName(output, ofNew: "a directory")
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let reports = BundledReports(
            year: year,
            jurisdiction: jurisdiction,
            group: group?.selection,
            vehicle: vehicle,
            asOf: try moment.instant(in: ledger),
            language: language,
            paper: paper
        )
        let output = output ?? "audit-\(year)"
        let meter = ProgressMeter()
        let manifest = try ledger.writeBundle(
            at: FilePath(output),
            signedBy: try signing.signer(of: ledger),
            program: LedgerCommand.version,
            onProgress: meter.show
        ) { head, stamps in
            meter.clear()
            return try reports.content(of: ledger, upTo: head.size, stampedBy: stamps)
        }
        let written = WrittenBundle(manifest: manifest, destination: output)
        try Output.show(written, as: options.format) { $0.text }
        if let vehicle { try Diagnostic.noteIfUnknown(vehicle: vehicle, in: ledger) }
    }
}

/// The contents of a bundle.
struct WrittenBundle: Tabular {
    let manifest: BundleManifest
    let destination: String

    /// For programs: `bundle.v1.schema.json`.
    static let columns = Columns<WrittenBundle> {
        Column.text("destination") { $0.destination }
        Column.day("first_day") { $0.manifest.days.lowerBound }
        Column.day("last_day") { $0.manifest.days.upperBound }
        Column.integer("reports", "Reports") { $0.manifest.question.reportFiles.count }
        Column.integer("size", "Entries") { $0.manifest.head.size }
        Column.name("root", "Root") { $0.manifest.head.root }
    }

    /// For people.
    var text: String {
        "Wrote the bundle \(Excerpt.escaped(destination)), of "
            + "\(manifest.days.lowerBound) to \(manifest.days.upperBound).\n"
            + Self.columns.facts(self).text(width: Screen.columnCount)
            + ProgramName.shown(
                "`ledger verify \(Excerpt.escaped(destination)) "
                    + "\(KnownHead(manifest.head).argument)`\n"
            )
            + "checks it anywhere. Hand over the head in another way: it vouches for all of it\n"
            + "but prints/, for which the key does that signed it.\n"
    }
}
