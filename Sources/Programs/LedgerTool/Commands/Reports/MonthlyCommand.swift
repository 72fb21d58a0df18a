import ArgumentParser
import LedgerKeeping
import LedgerRows
import Platform
import Proofs
import Reports
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger monthly`.
struct MonthlyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monthly",
        abstract: "Issues the mileage log of last month, signs, bundles and keeps it.",
        discussion: """
            It is for a timer. A folder is made, such as kept/2026-03, with the mileage log of \
            the month as it was issued (`ledger report issued`), the signed head that covers it, \
            and a bundle of the year for an auditor. If the ledger has a key, the head is signed; \
            --stamp and --witnesses ask others about it (`ledger head`); stamps are in the bundle.

            The folder appears complete or not at all. A month that has one is done: another run \
            issues nothing, and tells only who was not told yet. A run that was cut off goes on \
            with the report that it had issued; one that you issued yourself is never taken. So a \
            timer may call it each day; `ledger doctor` says when it last ran. Each ledger needs \
            a folder of its own: where something else stands in the place of the month, nothing \
            is issued.

            --post and --mail tell where it is, by `ledger-sync`. Exit code 1: that could not be \
            told, or a witness has not cosigned; the next run tries again to tell. 65: something \
            else is there.

            Examples:
              ledger monthly -o kept
              ledger monthly -o kept --month 2026-03
              ledger monthly -o kept --mail me@example.org
              ledger monthly -o kept --stamp http://timestamp.example
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var signing: SigningOptions
    @OptionGroup var others: AskedOthers
    @OptionGroup var receiver: NoticeReceiver

    @Option(help: "The month that is issued: 2026-03, this or last (default: last).")
    var month: TypedMonth?

    @Option(.group)
    var group: SelectedGroup?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder in which each month gets its own.", valueName: "dir"),
        completion: .directory
    )
    var output: String

    @Option(help: "Who issues it (default: LEDGER_ACTOR, else you).")
    var actor: String?

    func validate() throws {
        try HandedOutFile.requireName(output, ofNew: "a directory")
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let isComplete = try KeptMonth.holding(of: ledger, Diagnostic.waiting) { () -> Bool in
            let now = WallClock.now
            let month = try self.month(in: ledger, now)
            let kept = KeptMonth(at: FilePath(output).appending(month.text))
            var isComplete = true
            let found = try kept.report(among: issued(month, of: ledger), of: ledger)
            var outcome = MonthlyOutcome(month: month.text, folder: kept.path, report: found?.id)
            if found == nil {
                let new = try keep(month, of: ledger, in: kept, now)
                outcome.report = new.report
                outcome.isNew = true
                isComplete = new.isComplete
            }
            try kept.note(in: ledger, at: now)
            try Output.show(outcome, as: options.format) { $0.text }
            return try tell(month, in: kept.path, of: ledger) && isComplete
        }
        if !isComplete { throw ExitCode(1) }
    }

    /// Returns the month, by the ledger's clock, which must be over.
    private func month(in ledger: Ledger, _ now: Timestamp) throws -> AskedDays {
        let today =
            ledger.clock?.day(of: EventTime(now)) ?? CivilDate(of: EventTime(now))
        let days = month?.days(on: today) ?? MonthWord.last.month(on: today)
        guard days.last < today else {
            throw ValidationError("\(days.text) is not over: it can be issued when it is.")
        }
        return days
    }

    /// Issues the report of a month, signs the head, and makes the folder.
    ///
    /// - Returns: The name of the report, and whether all who were asked about the head have
    ///   answered.
    private func keep(
        _ month: AskedDays,
        of ledger: Ledger,
        in kept: KeptMonth,
        _ now: Timestamp
    ) throws -> (report: String, isComplete: Bool) {
        let signer = try signing.signer(of: ledger)
        let store = try HeadStore(of: ledger)
        // What is wrong with what others are asked with is said before anything is issued.
        let files = try others.files()
        if others.areNamed, signer == nil { _ = try store.requireLast() }
        let report =
            try KeptMonth.begun(among: issued(month, of: ledger), of: ledger)
            ?? issue(month, of: ledger, now)
        let bytes = try IssuedReportMaker(ledger).bytes(of: report)
        var isComplete = true
        if signer != nil {
            let key = try signing.file(of: ledger).key()
            try ledger.noteSigned(ledger.signHead(with: key, in: store), at: now)
        }
        if others.areNamed {
            let head = try store.requireLast()
            isComplete = try others.ask(about: head, of: ledger, in: store, with: files).areComplete
        }
        let meter = ProgressMeter()
        let reports = BundledReports(
            year: month.first.year,
            jurisdiction: nil,
            group: group?.selection,
            vehicle: nil,
            // The entry of the issued report is one of the log as it is now.
            asOf: WallClock.now,
            language: nil,
            paper: nil
        )
        try kept.create { stage in
            try DurableFile.write(bytes, to: stage.appending(KeptMonth.log))
            _ = try ledger.writeBundle(
                at: stage.appending(KeptMonth.bundle),
                signedBy: signer,
                program: LedgerCommand.version,
                onProgress: meter.show
            ) { head, stamps in
                meter.clear()
                return try reports.content(of: ledger, upTo: head.size, stampedBy: stamps)
            }
            guard let head = try store.last() else { return }
            try DurableFile.write(head.note.bytes, to: stage.appending(KeptMonth.head))
        }
        return (report.id, isComplete)
    }

    /// Returns the reports of a month that were issued, by earlier runs or by people.
    private func issued(_ month: AskedDays, of ledger: Ledger) throws -> [IssuedReport] {
        try ledger.readNow { try $0.issuedReports() }
            .filter { report in
                guard let request = try? report.request() else { return false }
                return request.kind == .log && request.format == .html
                    && report.content.periodStart == month.first
                    && report.content.periodEnd == month.last
                    && request.group == group?.selection && request.vehicle == nil
                    && request.driver == nil && request.tripClass == nil
                    && request.privateAs == .all && request.sums != true
            }
    }

    private func issue(
        _ month: AskedDays,
        of ledger: Ledger,
        _ now: Timestamp
    ) throws -> IssuedReport {
        var request = ReportRequest(.log)
        request.month = month
        request.group = group?.selection
        request.format = .html
        // The report is handed over with the folder, which is made from it. What is noted shows
        // the next run that this one has issued it.
        return try ReportIssuing(request, of: ledger, by: actor)
            .issue(asOf: now) { try KeptMonth.noteIssuing($0, in: ledger, at: now) }
            .issued
    }

    /// Announces where the month is kept, unless this receiver was told before: then an empty file
    /// in the folder has a name of its address.
    ///
    /// - Returns: Whether nothing is left to announce.
    private func tell(
        _ month: AskedDays,
        in folder: FilePath,
        of ledger: Ledger
    ) throws -> Bool {
        guard let address = receiver.address else { return true }
        let mark = folder.appending("told-" + NoticeBook.name(of: address))
        guard try LedgerError.translating(at: mark, { try !Directory.holds(mark) }) else {
            return true
        }
        let place = try LedgerError.translating(at: folder) { try Directory.absolute(folder) }
        let sentence = NotificationMessage.monthIssued(
            month.text,
            keptIn: "\(place)",
            language: try ledger.settings().language(at: WallClock.now)
        )
        let words = [ledger.path.string, address, "notices=true", "message=\(sentence)"]
        guard try NeighbourProgram.runSync(words + receiver.words, for: "telling others") else {
            return false
        }
        try LedgerError.translating(at: mark) { try DurableFile.write([], to: mark) }
        return true
    }
}

/// A month that is kept.
struct MonthlyOutcome: Tabular {
    /// The month, as in 2025-03.
    let month: String

    /// The folder in which it is kept.
    let folder: FilePath

    /// The name of the report that was issued for it.
    var report: String?

    /// Whether this run has kept it; else an earlier one had.
    var isNew = false

    /// For programs: `monthly.v1.schema.json`.
    static let columns = Columns<MonthlyOutcome> {
        Column.name("month") { $0.month }
        Column.text("folder") { $0.folder.string }
        Column.text("report") { $0.report }
        Column.boolean("new") { $0.isNew }
    }

    /// For people.
    var text: String {
        let place = Excerpt.escaped(folder.string)
        return isNew
            ? "Kept \(month) in \(place): report \(Excerpt.escaped(report ?? "")).\n"
            : "\(month) is kept in \(place) already.\n"
    }
}
