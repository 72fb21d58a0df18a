import ArgumentParser
import LedgerKeeping
import LedgerRows
import Platform
import Proofs
import Reports
import SystemPackage
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
            changes nothing, issues nothing, and tells only who was not told yet. A run that was \
            cut off goes on with the report that it had issued. So a timer may call it each day.

            --post and --mail tell where it is, by `ledger-sync`. Exit code 1: that could not be \
            told, or a witness has not cosigned; the next run tries again to tell.

            Examples:
              ledger monthly -o kept
              ledger monthly -o kept --month 2026-03
              ledger monthly -o kept --mail me@example.org
              ledger monthly -o kept --stamp http://timestamp.example
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var signing: SigningOptions
    @OptionGroup var others: AskedOthers
    @OptionGroup var receiver: NoticeReceiver

    @Option(help: "The month that is issued: 2026-03, this or last (default: last).")
    var month: TypedMonth?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder in which each month gets its own.", valueName: "dir"),
        completion: .directory
    )
    var output: String

    @Option(help: "Who issues it (default: LEDGER_ACTOR, else you).")
    var actor: String?

    func validate() throws {
        guard output != "" else { throw ValidationError("Name a folder with -o.") }
    }

    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        let now = WallClock.now
        let month = try month(in: ledger, now)
        let folder = FilePath(output).appending(month.text)
        var isComplete = true
        if try LedgerError.translating(at: folder, { try Directory.holds(folder) }) {
            try Self.say("\(month.text) is kept in \(Excerpt.escaped(folder.string)) already.")
        } else {
            isComplete = try keep(month, of: ledger, in: folder, now)
        }
        isComplete = try tell(month, in: folder, of: ledger) && isComplete
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
    /// - Returns: Whether all who were asked about the head have answered.
    private func keep(
        _ month: AskedDays,
        of ledger: Ledger,
        in folder: FilePath,
        _ now: Timestamp
    ) throws -> Bool {
        let report = try issued(month, of: ledger) ?? issue(month, of: ledger, now)
        let bytes = try IssuedReportMaker(ledger).bytes(of: report)
        let signer = try signing.signer(of: ledger)
        var isComplete = true
        let store = try HeadStore(of: ledger)
        if signer != nil {
            let key = try signing.file(of: ledger).key()
            try ledger.noteSigned(ledger.signHead(with: key, in: store), at: now)
        }
        if others.areNamed {
            isComplete = try others.ask(about: store.requireLast(), of: ledger, in: store)
        }
        let meter = ProgressMeter()
        let reports = BundledReports(
            year: month.first.year,
            jurisdiction: nil,
            vehicle: nil,
            asOf: now,
            language: nil,
            paper: nil
        )
        try LedgerError.translating(at: folder) {
            try Directory.create(folder) { stage in
                try DurableFile.write(bytes, to: stage.appending(Self.reportFile))
                _ = try ledger.writeBundle(
                    at: stage.appending(Self.bundleFolder),
                    signedBy: signer,
                    program: LedgerCommand.version,
                    onProgress: meter.show
                ) { head in
                    meter.clear()
                    return try reports.content(of: ledger, upTo: head.size)
                }
                guard let head = try store.last() else { return }
                try DurableFile.write(head.note.bytes, to: stage.appending(Self.headFile))
            }
        }
        try Self.say(
            "Kept \(month.text) in \(Excerpt.escaped(folder.string)): report \(report.id)."
        )
        return isComplete
    }

    private static func say(_ line: String) throws {
        try Output.standard.writing { try $0.writeLine(line) }
    }

    /// The file of the mileage log.
    private static let reportFile = "log.html"

    /// The file of the signed head.
    private static let headFile = "head.note"

    /// The folder of the bundle.
    private static let bundleFolder = "bundle"

    /// The empty file that says that it was told.
    private static let toldFile = "told"

    /// Returns the report of a month that an earlier run has issued.
    private func issued(_ month: AskedDays, of ledger: Ledger) throws -> IssuedReport? {
        try ledger.readNow { try $0.issuedReports() }
            .last { report in
                guard let request = try? report.request() else { return false }
                return request.kind == .log && request.format == .html
                    && report.content.periodStart == month.first
                    && report.content.periodEnd == month.last && request.vehicle == nil
                    && request.tripClass == nil && request.privateAs == .all
                    && request.sums != true
            }
    }

    private func issue(
        _ month: AskedDays,
        of ledger: Ledger,
        _ now: Timestamp
    ) throws -> IssuedReport {
        var request = ReportRequest(.log)
        request.month = month
        request.format = .html
        // It is handed over with the folder, which is made of what was issued.
        return try ReportIssuing(request, of: ledger, by: actor).issue(asOf: now) { _ in }.issued
    }

    /// Tells where the month is, unless that was told before.
    ///
    /// - Returns: Whether nothing is left to tell.
    private func tell(
        _ month: AskedDays,
        in folder: FilePath,
        of ledger: Ledger
    ) throws -> Bool {
        let mark = folder.appending(Self.toldFile)
        guard let address = receiver.address,
            try LedgerError.translating(at: mark, { try !Directory.holds(mark) })
        else { return true }
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
