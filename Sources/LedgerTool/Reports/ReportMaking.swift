import ArgumentParser
import Rates
import RowFormats
import TripEvents
import TripLedger

/// A command that makes a report of one snapshot, prints it, and may issue it.
protocol ReportMaking: ParsableCommand {
    var book: LedgerOption { get }
    var documents: DocumentOptions { get }
    var moment: AsOfOption { get }
    var vehicle: String? { get }
    var draft: Bool { get }
    var issuing: IssueOptions { get }

    /// Where it is printed, if it is not issued.
    var output: Output { get }

    /// Makes the report.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - circumstances: What else it depends on.
    ///   - write: Takes closures that each append to what they are given, in order.
    /// - Returns: What is said beside it.
    /// - Throws: `.damaged`, `.inputOutput`, `ValidationError`, and what `write` throws.
    func make(
        _ snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks
}

extension ReportMaking {
    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        var circumstances = ReportCircumstances(ledger: ledger)
        if documents.output != nil { circumstances = circumstances.kept() }
        let instant = try moment.instant(in: ledger)
        let remarks: ReportRemarks
        if issuing.issue {
            remarks = try issue(circumstances.kept(), asOf: instant)
        } else {
            remarks = try documents.writing(to: output) { output in
                func make(_ snapshot: borrowing Snapshot) throws -> ReportRemarks {
                    try self.make(snapshot, circumstances) { try output.write($0) }
                }
                return draft
                    ? try ledger.read(asOf: instant, make)
                    : try circumstances.read(asOf: instant, make)
            }
        }
        Diagnostic.sayUnfinished(remarks.unfinished)
        if let vehicle { try Diagnostic.noteIfUnknown(vehicle: vehicle, in: ledger) }
    }

    /// Makes the report as bytes that depend on no screen.
    func bytes(
        _ snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances
    ) throws -> (bytes: [UInt8], remarks: ReportRemarks) {
        var bytes: [UInt8] = []
        let remarks = try make(snapshot, circumstances) { $0(&bytes) }
        return (bytes, remarks)
    }
}

/// What a report depends on beside its options and the entries of the log.
struct ReportCircumstances {
    /// The ledger that it is made from.
    let ledger: Ledger

    /// Whether its bytes are kept, and so depend on no screen.
    private(set) var isKept = false

    /// The report that is made again; `nil` for one that is made now.
    private(set) var issued: ReportIssued?

    init(ledger: Ledger) {
        self.ledger = ledger
    }

    /// The same for bytes that are kept: of a new report, or of an issued one that is made again.
    func kept(as issued: ReportIssued? = nil) -> ReportCircumstances {
        var kept = self
        kept.isKept = true
        kept.issued = issued
        return kept
    }

    /// How a report is shown to people: on this screen, or on any.
    ///
    /// - Parameters:
    ///   - unit: The unit of distances; `nil` for the ledger's.
    ///   - clock: Tells times.
    ///   - isWide: Whether lines may be as long as they are.
    ///   - documents: Say in which language the program's words are, and what numbers look like
    ///     in a spreadsheet program.
    /// - Returns: The style.
    func style(
        unit: DistanceUnit?,
        clock: LocalDay,
        isWide: Bool,
        for documents: DocumentOptions
    ) -> TextStyle {
        var style = isKept ? TextStyle() : TextStyle.screen
        style.unit = unit ?? ledger.founding.units
        style.clock = clock
        style.language = documents.language
        style.spreadsheet = documents.spreadsheet.excel
        if isWide { style.width = nil }
        return style
    }

    /// The rates that it goes by: those that are known now, or those that an issued one went by.
    func rates(_ snapshot: borrowing Snapshot) throws -> LoadedRates {
        let rates = try snapshot.rates(asIn: issued)
        Diagnostic.sayUnreadable(rates)
        return rates
    }

    /// Reads the log itself, and shows how far that is.
    ///
    /// - Parameters:
    ///   - instant: The instant to which time passes.
    ///   - size: How many entries are read; `nil` for all.
    ///   - body: What to read.
    /// - Returns: What `body` returned.
    /// - Throws: `.notFound`, `.damaged` or `.inputOutput`, and what `body` throws.
    func read<Result>(
        asOf instant: Timestamp,
        upTo size: UInt64? = nil,
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        let meter = ProgressMeter()
        let progress: (UInt64, UInt64) -> Void = { meter.show(entries: $0, of: $1) }
        return try ledger.readFromLog(
            asOf: instant,
            upTo: size,
            onProgress: progress
        ) { snapshot in
            meter.clear()
            return try body(snapshot)
        }
    }
}

/// What is said beside a report.
struct ReportRemarks {
    /// The trips that go on and are not counted.
    var unfinished = UnfinishedTrips()

    /// The days that it is about; `nil` if these have no first or no last one.
    var days: ClosedRange<CivilDate>?

    /// The table of the program that it goes by, if it goes by rates.
    var table: RateTable?
}

extension LocalPeriod {
    /// The days; `nil` if they have no first or no last one.
    var days: ClosedRange<CivilDate>? {
        guard let from, let to else { return nil }
        return from...to
    }
}
