import ArgumentParser
import LedgerKeeping
import Proofs
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a copy of the log that others can read and verify.",
        discussion: """
            --as jsonl writes a line for each entry: what `ledger log` shows, then the exact bytes \
            that are hashed. --as tiles writes the files of C2SP tlog-tiles. Both can be verified \
            without this ledger, and make the same ledger again with `ledger import`. --as \
            cloudevents is for programs that take CloudEvents 1.0; `ledger append` takes its \
            events, and nothing proves that they are all. --as segments writes frames with the \
            bytes of the entries, for `ledger import -` and `ledger worker`.

            With --withhold, of trips of a class nothing is told but the hashes of what was \
            recorded and decided about them and, if they were merged, about their parts: the copy \
            still verifies. Readings between trips belong to no trip and are in the copy. Which \
            entries are withheld is signed with the ledger's key, so that nobody else can withhold \
            more unseen; the copy verifies with that key.

            With --group, only what concerns these groups of sources is told: what their sources \
            reported, what the owner decided about their trips, and what the owner set for all. \
            Of everything else only the hash is told, signed likewise; but the notes of the ledger \
            itself stay: the names of all sources, and what was erased and why. So a group moves \
            to another ledger: `ledger append` its lines there, and then `ledger erase --group` it \
            here.

            Examples:
              ledger export for-the-accountant
              ledger export --withhold personal --withhold medical for-the-accountant
              ledger export --as cloudevents - | kcat -P -t trips
              ledger export --from 10432 - > later.jsonl
              ledger export --as segments - > van.segments
              ledger export --group 17 - | ledger --ledger other append
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var signing: SigningOptions

    @Option(name: .customLong("as"), help: "The form: jsonl, cloudevents, tiles or segments.")
    var form: ExportFormat = .jsonl

    @Option(help: "Begin with the entry at this position.")
    var from: UInt64 = 0

    @Option(help: "Withhold what concerns trips of this class; can be repeated.")
    var withhold: [TripClass] = []

    @Option(help: "Tell only what concerns this group of sources; can be repeated.")
    var group: [SourceGroup] = []

    @Argument(
        help: "A directory that is not there yet, or - for standard output.",
        completion: .directory
    )
    var destination: String

    func validate() throws {
        guard form != .tiles || destination != "-" && from == 0 else {
            throw ValidationError("Tiles are files in a directory, from position 0 on.")
        }
        guard form != .segments || destination == "-" else {
            throw ValidationError("Segments are a stream: name - and send it where it shall go.")
        }
        guard !destination.isEmpty else { throw ValidationError("Name a directory.") }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let classes = Set(withhold)
        let groups = group.map(\.name)
        let isWhole = classes.isEmpty && groups.isEmpty
        let signer = try isWhole || form == .segments ? nil : signing.signer(of: ledger)
        let meter = ProgressMeter(isBesideOutput: destination == "-")
        defer { meter.clear() }
        if destination == "-" {
            let summary = try Output.standard.writing { output in
                try ledger.export(
                    as: form,
                    from: from,
                    withholding: classes,
                    of: groups,
                    signedBy: signer,
                    onProgress: meter.show,
                    pieces: { try output.write($0) }
                )
            }
            meter.clear()
            return warn(summary)
        }
        let summary = try ledger.export(
            as: form,
            from: from,
            withholding: classes,
            of: groups,
            signedBy: signer,
            into: FilePath(destination),
            onProgress: meter.show
        )
        meter.clear()
        let written = WrittenExport(summary: summary, destination: destination)
        try Output.show(written, as: options.format, text: \.text)
        warn(summary)
    }

    private func warn(_ summary: ExportSummary) {
        guard summary.withheld > 0, summary.withheldSigner == nil, form != .cloudevents else {
            return
        }
        Diagnostic.say(
            "Which entries are withheld is not signed: `ledger verify` cannot tell who withheld "
                + "them. Make a key with `ledger key new`, or name it with --key.\n"
        )
    }
}

/// The contents of an export.
struct WrittenExport: Tabular {
    let summary: ExportSummary
    let destination: String

    /// For programs: `export.v1.schema.json`.
    static let columns = Columns<WrittenExport> {
        Column.text("destination") { $0.destination }
        Column.integer("first_position") { $0.summary.from }
        Column.integer("size") { $0.summary.head.size }
        Column.name("root", "Root") { $0.summary.head.root }
        Column.integer("withheld") { $0.summary.withheld }
        Column.integer("erased") { $0.summary.erased }
        Column.text("withheld_signed_by") { $0.summary.withheldSigner }.optional
    }

    /// For people.
    var text: String {
        let count = Count.text(summary.head.size - summary.from, "entry", "entries")
        var text = "Wrote \(count) to \(Excerpt.escaped(destination)).\n"
        if summary.withheld > 0 {
            text += "Of \(Count.text(summary.withheld, "entry", "entries")) only the hash.\n"
        }
        if summary.erased > 0 {
            text += "The content of \(Count.text(summary.erased, "entry", "entries")) was erased.\n"
        }
        return text + Self.columns.facts(self).text(width: Screen.columnCount)
    }
}
