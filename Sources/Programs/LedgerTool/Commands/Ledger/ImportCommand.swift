import ArgumentParser
import Importers
package import LedgerKeeping
import SystemPackage
package import Tables
import TripLedger

/// The command `ledger import`.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a ledger from an export, or adds the entries that a ledger lacks.",
        discussion: """
            Entries keep their bytes, positions and hashes, so that the ledger has the root that \
            the export names; one that has not, or is damaged anywhere, is refused, and nothing \
            is left of it. Where there is a ledger already, the export must go on where it ends, \
            with the same history; if entries were erased since that this ledger still holds, make \
            a new one of the export, and delete this one.

            A ledger that was made from an export with withheld entries can be read and verified, \
            but not appended to.

            With --head, only the entries of an older head are taken: the ledger is as it was \
            when the head was printed or signed, and its reports have the figures of then. \
            Importing the same export once more without --head adds what came after.

            Events from other sources come in with `ledger append`.

            Examples:
              ledger import for-the-accountant --ledger copy
              ledger import audit-2025 --ledger copy
              ledger import for-the-accountant --head paper.note --ledger then
              ssh van ledger export - | ledger import - --ledger van
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(
        help: ArgumentHelp(
            "Take the entries of this head only: the file of a signed head, or SIZE:ROOT.",
            valueName: "head"
        ),
        completion: .file()
    )
    var head: NamedHead?

    @Argument(
        help: """
            What `ledger export` wrote: a directory, a file, or - for standard input; or what \
            `ledger bundle` wrote, whose evidence is meant.
            """,
        completion: .file()
    )
    var source: String

    func validate() throws {
        guard !source.isEmpty else { throw ValidationError("Name an export.") }
    }

    func run() throws {
        let meter = ProgressMeter()
        let summary: ImportSummary
        do {
            summary = try Ledger.importing(
                source == "-" ? nil : BundleVerification.export(at: FilePath(source)),
                into: try options.path,
                asOf: try head?.read().head,
                onProgress: { meter.show(.log, $0, $1) }
            )
        } catch var error as LedgerError {
            meter.clear()
            guard let cure = cure else { throw error }
            error.hint = error.hint.isEmpty ? cure : "\(cure). \(error.hint)"
            throw error
        }
        meter.clear()
        try Output.show(summary, as: options.format, text: Self.text)
    }

    /// What to do with input that another app or a device wrote, and that is not an export; `nil`
    /// for other input.
    private var cure: String? {
        guard source != "-", let size = try? Stat(FilePath(source)).size, size > 0 else {
            return nil
        }
        struct Found: Error {}
        var what: String?
        var opener = InputOpener(InputForm()) { _ in throw Found() }
        // The first input decides; the others are not opened.
        try? opener.open(source) { input, _ in
            if input.format != .jsonl {
                what = input.format.title
            } else if input.head.starts(with: Self.eventBeginning) {
                what = "events"
            }
            throw Found()
        }
        guard let what else { return nil }
        return "It looks like \(what): `ledger append \(ShellWord.quoted(source))` takes that"
    }

    /// How a line of an event usually begins.
    private static let eventBeginning = Array(#"{"type":"#.utf8)

    private static func text(_ summary: ImportSummary) -> String {
        var text =
            summary.added == 0
            ? "Everything was there already.\n"
            : "Imported \(Count.text(summary.added, "entry", "entries")).\n"
        if summary.withheld > 0 {
            text += "Of \(Count.text(summary.withheld, "entry", "entries")) only the hash.\n"
        }
        return text + ImportSummary.columns.facts(summary).text(width: Screen.columnCount)
    }
}

extension ImportSummary: Tabular {
    /// The result of an import: `import.v1.schema.json`.
    package static let columns = Columns<ImportSummary> {
        Column.integer("added") { $0.added }
        Column.integer("known") { $0.known }
        Column.integer("withheld") { $0.withheld }
        Column.integer("size", "Entries") { $0.head.size }
        Column.name("root", "Root") { $0.head.root }
    }
}
