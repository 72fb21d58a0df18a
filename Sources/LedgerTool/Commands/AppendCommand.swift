import ArgumentParser
import Importers
import LedgerKeeping
import Platform
import RowFormats
import TripLedger

/// The command `ledger append`.
struct AppendCommand: ParsableCommand {
    static let name = "append"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Appends events, or what another app recorded, and says what became of them.",
        discussion: """
            Takes lines of JSON, one event each, and the formats of others: \(Self.formats). \
            Which one it is, the content tells, never the name; --as says it where that cannot be \
            told. The same records again, in the same file or a longer one, are duplicates. \
            Files may be compressed by gzip, or in a zip or tar archive, such as a Takeout as it \
            was downloaded; of a directory, all files below it are taken. What is of another kind \
            there is left out and counted. What the columns of any other table mean, says a map \
            (--map), which --suggest-map proposes. `ledger convert` shows the events without \
            appending them; --dry-run says what would become of them, on a copy of the ledger.

            What can be read without waiting goes into one transaction, and is answered only \
            when it is safe on disk. Sending the same event again is harmless: it is recognised \
            as a duplicate. A line that is no acceptable event is left out, and shown on \
            standard error or in its receipt; the others are appended. At the end there is one \
            line of JSON that sums up.

            Members that events of a type do not have are kept as they were sent: `ledger log` \
            gives them back as extra. Blank lines are skipped. What `ledger log --format json` \
            prints can be appended to another ledger; entries that a ledger wrote about itself \
            are passed over.

            Of a file in another format the ledger keeps its name, its SHA-256 and the record of \
            each event: `ledger trip`, `ledger explain` and `ledger log --format json` say them. A \
            new source gets the rules that fit how it records; that, and a drive that another \
            source recorded too, is said.

            A source belongs to one group, or to the ledger's owner: its first event says which, \
            by --group or by its member group. Settings and decisions from a source of a group \
            concern that group alone, those from the owner's sources all. Choose a number rather \
            than a plate or a person's name: a group stays in the log for good.

            Examples:
              ledger append drive.jsonl
              ledger append track.gpx --source car-logger --vehicle van
              ledger append takeout.zip
              ledger append box.jsonl --group 17
              ledger append trips.csv --suggest-map > columns.json
              ledger append trips.csv --map columns.json
              ledger simulate tunnel | ledger append
              tail -f phone.jsonl | ledger append --receipts
              ledger --ledger old log --format json | ledger --ledger new append

            `ledger schema event` says what a line looks like.
            """
    )

    /// The formats of others, for people.
    static let formats = ImportFormat.allCases.filter { $0 != .jsonl }.map(\.title)
        .joined(separator: ", ")

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "Files, archives or directories; - or none for standard input.",
        completion: .file()
    )
    var file: [String] = []

    @OptionGroup var form: InputFormOptions

    @OptionGroup var followUp: FollowUpOptions

    @Option(help: SourceGroup.help)
    var group: SourceGroup?

    @Flag(help: "Write a line of JSON for each event as soon as it is stored.")
    var receipts = false

    @Flag(help: "Refuse members that events of a type do not have, and do not keep them.")
    var strict = false

    @Flag(help: "Append everything or, if one line is not acceptable, nothing.")
    var allOrNothing = false

    @Option(help: "Append only if the ledger holds exactly this many entries.")
    var expectSize: UInt64?

    @Flag(help: "Say what would become of everything, and append nothing.")
    var dryRun = false

    func validate() throws {
        try options.refuseCSV()
        guard file.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
        guard !dryRun || !receipts else {
            throw ValidationError("With --dry-run nothing is stored, so there are no --receipts.")
        }
    }

    func run() throws {
        guard !form.suggestMap else { return try MapProposal(file).run() }
        var intake = IntakeOptions(
            defaultSource: form.source,
            isStrict: strict,
            isAllOrNothing: allOrNothing,
            expectedSize: expectSize,
            answersEveryLine: receipts
        )
        intake.group = group?.name
        try AppendRequest(
            ledger: options.ledger,
            files: file,
            form: try form.form(),
            intake: intake,
            rules: followUp.preset,
            vehicle: form.vehicle,
            isDryRun: dryRun
        )
        .run()
    }
}

/// What `ledger append` is to do.
struct AppendRequest {
    /// The directory of the ledger, or `nil` for the usual one.
    var ledger: String?

    /// Files of events, `-` for standard input; if there are none, standard input.
    var files: [String] = []

    /// In which form they are.
    var form = InputForm()

    /// How events are taken in.
    var intake = IntakeOptions(answersEveryLine: false)

    /// Which rules are adopted for new sources of files in other formats.
    var rules = ImportFollowUp.Rules.measured

    /// The vehicle of trips that name none.
    var vehicle: String?

    /// Whether it is only said what would become of them.
    var isDryRun = false

    /// Appends the events and says what became of them.
    ///
    /// - Throws: `ExitCode` if some were not accepted, or a file could not be read.
    func run() throws {
        let ledger = try LedgerOption.open(ledger)
        defer { ledger.close() }
        if !isDryRun, !intake.isAllOrNothing { InterruptWords.say(Self.interruptWords) }
        let ending: ExitCode
        do {
            ending = try isDryRun ? tryOut(on: ledger) : append(to: ledger)
        } catch var error as OutputError {
            if !isDryRun {
                error.afterword = "What was stored is recognised when it is sent again.\n"
            }
            throw error
        }
        if ending != .success { throw ending }
    }

    /// What is said when it is interrupted: what was answered is stored, and the rest is not.
    private static let interruptWords =
        (Terminal.isStandardError ? "\n" : "")
        + "ledger: interrupted. What was stored stays; the same command again goes on, and\n"
        + "counts it as duplicates.\n"

    /// Appends the events to a copy of the ledger: only so is what they would do known exactly.
    private func tryOut(on ledger: Ledger) throws -> ExitCode {
        let head = try ledger.head()
        let ending = try ledger.withCopy { try append(to: $0, insteadOf: head) }
        Diagnostic.say("This was a dry run: nothing was appended.\n")
        return ending
    }

    /// Appends the events to a ledger, and says what became of them.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, or its copy.
    ///   - head: The head of the ledger, if this is its copy.
    /// - Returns: How the command ends.
    /// - Throws: `LedgerError`, `OutputError`.
    private func append(to ledger: Ledger, insteadOf head: LedgerHead? = nil) throws -> ExitCode {
        try Output.standard.writing { output in
            let report = AppendReport(
                on: output,
                showsReceipts: intake.answersEveryLine,
                isDryRun: isDryRun
            )
            let files = EventFiles(files.isEmpty ? ["-"] : files, form, report: report)
            var options = intake
            options.notesAllStretches = vehicle != nil
            var summary = try files.append(to: ledger, options: options)
            report.finish(summary)
            let followUp = try ImportFollowUp(
                &summary,
                in: ledger,
                rules: rules,
                vehicle: vehicle
            )
            try output.writeLine(
                json: AppendSummary(intake: summary, followUp: followUp, headBefore: head)
            )
            try output.flush()
            followUp.say()
            sayMisspellings(summary)
            giveAdvice(after: summary, in: ledger)
            if report.hasUnreadable {
                return ExitCode(LedgerError.Code.unreadableInput.exitCode)
            }
            return summary.isComplete ? .success : ExitCode(1)
        }
    }

    /// Names members that were kept and were perhaps meant to be others.
    private func sayMisspellings(_ summary: IntakeSummary) {
        let found = summary.misspellings.sorted { one, other in
            (other.value, one.key.name) < (one.value, other.key.name)
        }
        for (misspelling, count) in found.prefix(Self.mostSuggestions) {
            Diagnostic.say("In \(Count.text(count, "event", "events")), \(misspelling.text)\n")
        }
        if !found.isEmpty {
            Diagnostic.say("`ledger append --strict` refuses such members.\n")
        }
    }

    /// Names clocks that went back, and the rules that would make trips of fixes that are in none.
    ///
    /// It looks at the views only if there may be something to say, and does then what the next
    /// command would have to do. What is stored is stored, whatever goes wrong here.
    private func giveAdvice(after summary: IntakeSummary, in ledger: Ledger) {
        guard summary.hasOnlyFixes || summary.hasFixesOutOfOrder,
            summary.appended >= LedgerStatus.fixesOfADrive,
            let lag = try? ledger.lag() ?? summary.head.size,
            lag <= UInt64(summary.appended) + Self.mostEntriesBehind,
            let status = try? ledger.readNow({ try $0.status(asOf: WallClock.now) })
        else { return }
        for source in status.sources.filter({ $0.clockStep != nil }).prefix(Self.mostSuggestions) {
            guard let notice = ClockNotice(source) else { continue }
            Diagnostic.say(
                "\(Excerpt.escaped(source.name)): its clock \(notice.what).\n"
                    + "If it was wrong since: `\(notice.command)`.\n"
            )
        }
        let sources = status.sources.filter(\.needsStartsByMovement)
        for source in sources.prefix(Self.mostSuggestions) {
            let name = Excerpt.escaped(source.name)
            Diagnostic.say(
                "\(name): \(SourceActivity.reason(source)).\n"
                    + "`\(SuggestedCommand(source).text)` starts trips by movement.\n"
            )
        }
    }

    /// How many entries that were there before may be read for the sake of a suggestion.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// For how many sources rules are suggested at most.
    private static let mostSuggestions = 3
}

extension AppendRequest {
    /// Reads arguments such as `--ledger book append --receipts drive.jsonl`, or gives up.
    ///
    /// This is a fast path: `append` runs once for each event where a program has only one at a
    /// time, and the argument parser finds its commands by reflection. One durable append of one
    /// line takes 2.0 million instructions with this and 16.0 million without, 2.0 and 5.1 ms.
    ///
    /// What is not clear at once, such as `--help`, a mistake or an option given twice, is left
    /// to the parser. What this accepts MUST mean the same to the parser.
    init?(_ arguments: [String]) {
        var words = arguments.makeIterator()
        var isNamed = false
        while let word = words.next() {
            switch word {
            case "--ledger" where ledger == nil:
                guard let directory = words.next(), Self.isPlain(directory) else { return nil }
                ledger = directory
            case "--format":
                let format = words.next().flatMap { RowFormat(rawValue: $0) }
                // There is no table; the others make no difference.
                guard let format, format != .csv else { return nil }
            case AppendCommand.name where !isNamed:
                isNamed = true
            case "--source" where isNamed && intake.defaultSource == nil:
                guard let source = words.next(), Self.isPlain(source) else { return nil }
                intake.defaultSource = source
                form.options.source = source
            case "--group" where isNamed && intake.group == nil:
                guard let group = words.next(), Self.isPlain(group),
                    let checked = SourceGroup(argument: group)
                else { return nil }
                intake.group = checked.name
            case "--expect-size" where isNamed && intake.expectedSize == nil:
                guard let size = words.next().flatMap(UInt64.init) else { return nil }
                intake.expectedSize = size
            case "--receipts" where isNamed:
                intake.answersEveryLine = true
            case "--strict" where isNamed:
                intake.isStrict = true
            case "--all-or-nothing" where isNamed:
                intake.isAllOrNothing = true
            case _ where isNamed && Self.isPlain(word):
                files.append(word)
            default:
                return nil
            }
        }
        guard isNamed else { return nil }
    }

    /// Whether a word is a name, and neither an option nor missing.
    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && !word.hasPrefix("-")
    }
}

/// The last line of `ledger append`.
struct AppendSummary: Tabular {
    /// What became of the input.
    let intake: IntakeSummary

    /// What was done after it.
    let followUp: ImportFollowUp

    /// The head of the ledger, if all this happened to a copy of it.
    let headBefore: LedgerHead?

    /// Its members: `summary.v1.schema.json`.
    static let columns = Columns<AppendSummary> {
        Column.boolean("dry_run") { $0.headBefore != nil }
            .optional(onlyWhere: { $0.headBefore != nil })
        IntakeSummary.counts.of { $0.intake }
        Column.rows("rules", MeasuredRules.columns) { $0.followUp.rules }
            .optional(onlyWhere: { !$0.followUp.rules.isEmpty })
        Column.integer("vehicle_named") { summary in
            summary.followUp.editedTrips > 0 ? summary.followUp.editedTrips : nil
        }
        .optional
        Column.rows("same_drives", SameDrive.columns) { summary in
            summary.followUp.sameDrives.map { SameDrive(overlap: $0) }
        }
        .optional(onlyWhere: { !$0.followUp.sameDrives.isEmpty })
        Column.integer("size") { ($0.headBefore ?? $0.intake.head).size }
        Column.name("root") { ($0.headBefore ?? $0.intake.head).root }
    }
}
