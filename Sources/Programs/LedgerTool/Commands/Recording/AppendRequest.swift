import ArgumentParser
import Importers
import LedgerKeeping
import LedgerRows
import Platform
import ServerStore
import Tables
import TripLedger

/// The work of one `ledger append`.
struct AppendRequest {
    /// The directory of the ledger, or `nil` for the usual one.
    var ledger: String?

    /// Files of events, `-` for standard input; if there are none, standard input.
    var files: [String] = []

    /// The form of the files.
    var form = InputForm()

    /// How events are taken in.
    var intake = IntakeOptions(answersEveryLine: false)

    /// The rules to adopt for new sources.
    var rules = ImportFollowUp.Rules.measured

    /// The vehicle of trips that name none.
    var vehicle: String?

    /// How long to wait until a second server has the acknowledged entries; `nil` if the disk is
    /// enough.
    var replicaTimeout: Duration?

    /// Whether only the effect that they would have is shown.
    var isDryRun = false

    /// The format that was asked for; `nil` for text on a terminal, else JSON.
    var format: RowFormat?

    /// Whether trips that began or changed are listed.
    var listsTrips = false

    /// Whether a person reads the answer; receipts are for programs.
    private var isForPeople: Bool {
        !intake.answersEveryLine && (format.map { $0 == .text } ?? Terminal.isStandardOutput)
    }

    /// Appends the events, and reports their outcomes.
    ///
    /// - Throws: `ExitCode` if some were not accepted, or a file could not be read.
    func run() throws {
        let ledger = try LedgerOption.open(ledger)
        defer { ledger.close() }
        if !isDryRun, !intake.isAllOrNothing { InterruptWords.say(Self.interruptWords) }
        let ending: ExitCode
        do {
            ending =
                try isDryRun
                ? tryOut(on: ledger) : append(to: ledger, after: tripsBefore(in: ledger))
        } catch var error as OutputError {
            if !isDryRun {
                error.afterword = "What was stored is recognised when it is sent again.\n"
            }
            throw error
        }
        if ending != .success { throw ending }
    }

    /// The words when it is interrupted: answered lines are stored, and the others are not.
    private static let interruptWords =
        (Terminal.isStandardError ? "\n" : "")
        + "ledger: interrupted. What was stored stays; the same command again goes on, and\n"
        + "counts it as duplicates.\n"

    /// Appends the events to a copy of the ledger: that is the only exact way to find their effect.
    private func tryOut(on ledger: Ledger) throws -> ExitCode {
        let head = try ledger.head()
        // The copy has no views, but those of the ledger itself can be read quickly.
        let before = tripsBefore(in: ledger)
        let ending: ExitCode
        do {
            ending = try ledger.withCopy { try append(to: $0, after: before, insteadOf: head) }
        } catch var error as LedgerError where error.code == .sizeMoved {
            // The error about the copy also holds for the ledger; only its place is replaced,
            // because the copy is gone.
            error.place = ledger.path.string
            throw error
        }
        Diagnostic.say("This was a dry run: nothing was appended.\n")
        return ending
    }

    /// Returns the present trips, if changes of trips are to be reported.
    private func tripsBefore(in ledger: Ledger) -> TripsBefore? {
        isForPeople || listsTrips ? TripsBefore(ledger) : nil
    }

    /// Appends the events to a ledger, and reports their outcomes.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, or its copy.
    ///   - before: The trips before, if changes of trips are to be reported.
    ///   - head: The head of the ledger, if this is its copy.
    /// - Returns: How the command ends.
    /// - Throws: `LedgerError`, `OutputError`.
    private func append(
        to ledger: Ledger,
        after before: TripsBefore?,
        insteadOf head: LedgerHead? = nil
    ) throws -> ExitCode {
        try Output.standard.writing { output in
            let report = AppendReport(
                on: output,
                showsReceipts: intake.answersEveryLine,
                isDryRun: isDryRun
            )
            let answer = try take(into: ledger, after: before, insteadOf: head, telling: report)
            if isForPeople {
                try answer.write(to: output, style: .screen(for: ledger))
            } else {
                let clock = listsTrips ? ledger.clock : answer.withoutEffect.clock
                try output.writeLine(json: answer, by: clock)
            }
            try output.flush()
            report.notes.say()
            if answer.intake.misspelt > 0 {
                Diagnostic.say("`ledger append --strict` refuses such members.\n")
            }
            answer.followUp.say()
            answer.withoutEffect.say()
            giveAdvice(after: answer.intake, in: ledger)
            if report.hasUnreadable {
                return ExitCode(LedgerError.Code.unreadableInput.exitCode)
            }
            return answer.intake.isComplete && !report.hasEmpty ? .success : ExitCode(1)
        }
    }

    /// Appends the events to a ledger, and does the work that follows.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, or its copy.
    ///   - before: The trips before, if changes of trips are to be reported.
    ///   - head: The head of the ledger, if this is its copy.
    ///   - report: Gets the outcomes of lines.
    /// - Returns: The summary.
    /// - Throws: `LedgerError`, `OutputError`.
    func take(
        into ledger: Ledger,
        after before: TripsBefore?,
        insteadOf head: LedgerHead? = nil,
        telling report: AppendReport
    ) throws -> AppendSummary {
        var form = form
        form.ledgerZone = { ledger.clock?.zone }
        let files = EventFiles(files.isEmpty ? ["-"] : files, form, report: report)
        var options = intake
        options.notesAllStretches =
            options.notesAllStretches || vehicle != nil || rules.concernOwnLines
        let confirmation = confirmation(of: ledger)
        var summary = try files.append(to: ledger, options: options, confirmedBy: confirmation)
        report.finish(summary)
        let followUp = try ImportFollowUp(
            &summary,
            in: ledger,
            rules: rules,
            vehicle: vehicle,
            payments: report.notes.payments
        )
        try confirmation?.wait(upTo: summary.head.size)
        let withoutEffect = EffectNotice(about: summary, in: ledger, asOf: WallClock.now)
        report.notes.finish(summary, in: ledger)
        return AppendSummary(
            intake: summary,
            followUp: followUp,
            withoutEffect: withoutEffect,
            notes: report.notes.notes,
            trips: before.flatMap { AppendedTrips(in: ledger, after: $0) },
            listsTrips: listsTrips,
            headBefore: head
        )
    }

    /// Returns the confirmation that waits for a second server, if that was requested.
    private func confirmation(of ledger: Ledger) -> ReplicaConfirmation? {
        guard !isDryRun, let replicaTimeout else { return nil }
        return ReplicaConfirmation(of: ledger, timeout: replicaTimeout)
    }

    /// Names clocks that went back, and the rules that would make trips from fixes that are in no
    /// trip.
    ///
    /// It looks at the views only if there may be something to say, and then does the update that
    /// the next command would do. An error here does not undo what is stored.
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
                "\(Excerpt.escaped(source.name)): its clock \(notice.what(by: nil)).\n"
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

    /// The most earlier entries that may be read for a suggestion.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// The most sources for which rules are suggested.
    private static let mostSuggestions = 3
}

extension AppendRequest {
    /// Reads arguments such as `--ledger book append --receipts drive.jsonl`, or gives up.
    ///
    /// This is a fast path, and the only place beside the argument parser that parses arguments:
    /// `append` runs once for each event where a program has only one at a time, and the argument
    /// parser finds its commands by reflection. One durable append of one line takes 2.4 million
    /// instructions with this and 22 million without.
    ///
    /// Other arguments, such as `--help`, a mistake or an option given twice, are left to the
    /// parser. Arguments that this accepts MUST mean the same to the parser.
    init?(_ arguments: [String]) {
        var words = arguments.makeIterator()
        var isNamed = false
        while let word = words.next() {
            switch word {
            case "--ledger" where ledger == nil:
                guard let directory = words.next(), Self.isPlain(directory) else { return nil }
                ledger = directory
            case "--format" where format == nil:
                // There is no table.
                guard let named = words.next().flatMap({ RowFormat(rawValue: $0) }),
                    named == .text || named == .json
                else { return nil }
                format = named
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
            case "--require-replica" where isNamed:
                replicaTimeout = ReplicaOptions.usualTimeout
            case "--strict" where isNamed:
                intake.isStrict = true
            case "--trips" where isNamed:
                listsTrips = true
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
