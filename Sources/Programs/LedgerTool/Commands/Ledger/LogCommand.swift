import ArgumentParser
import LedgerKeeping
import LedgerRows
import Platform
import Tables
import TripEvents
import TripLedger

/// The command `ledger log`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints entries of the log, in order of arrival.",
        discussion: """
            With several of --type, --source, --trip, --from and --to, an entry has to fit all of \
            them. The entries of a trip are those of its source while it lasted, and what people \
            decided about it: those that `ledger prove` proves.

            Examples:
              ledger log --limit 20
              ledger log --reverse --limit 20
              ledger log --after 1041 --format json
              ledger log --type go_pressed --type stop_pressed --from 2026-03-01
              ledger log --trip last --type details_edited
              ledger log --follow
            """
    )

    /// How long --follow waits before it looks again.
    private static let pauseMilliseconds: UInt32 = 250

    @OptionGroup var options: GlobalOptions<TableFormat>

    @Option(help: "Begin after the entry at this position.")
    var after: UInt64?

    @Option(
        parsing: .unconditional,
        help: "The most entries to print.",
        transform: RowLimit.read
    )
    var limit: Int?

    @Option(help: "Print entries of this type only; can be repeated.")
    var type: [EntryType] = []

    @Option(help: "Print entries of this source only; can be repeated. \"\" is the ledger itself.")
    var source: [String] = []

    @Option(
        help: ArgumentHelp(
            "Print what made a trip what it is: the beginning of its id, or last, or active.",
            valueName: "trip"
        )
    )
    var trip: TripReference?

    @OptionGroup var days: PeriodOptions

    @Flag(help: "Print the newest entry first.")
    var reverse = false

    @Flag(help: "Go on with what is appended later, until interrupted.")
    var follow = false

    @Flag(help: "Show lines in full.")
    var wide = false

    @Option(help: SpreadsheetOption.help)
    var excel: DecimalMark?

    private var format: RowFormat { excel == nil ? options.format : .csv }

    func validate() throws {
        guard excel == nil || [.text, .csv].contains(options.format) else {
            throw SpreadsheetOption.conflict(with: options.format.rawValue)
        }
        guard !follow || !reverse else {
            throw ValidationError("--follow goes on with newer entries, and --reverse with older.")
        }
        guard !follow || trip == nil else {
            throw ValidationError(
                "--trip prints the entries that a trip has now: use it without --follow."
            )
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let filter = try LogFilter(
            for: ledger,
            types: Set(type),
            sources: source,
            period: days.isUnlimited ? nil : days.period(in: ledger),
            positions: trip.map { try ledger.positions(of: $0) }
        )
        var next = after.map { $0 == .max ? $0 : $0 + 1 } ?? 0
        var left = limit ?? .max
        let output = Output.standard
        var style = TextStyle.screen(for: ledger)
        if wide { style.width = nil }
        style.spreadsheet = excel
        var writer = LogWriter(as: format, style)
        // Asked once: asking within the walk would copy the writer for each entry.
        let showsOrigins = writer.showsOrigins
        var origins = ledger.origins()
        let meter = ProgressMeter(isBesideOutput: true)
        try output.writing { output in try output.write { writer.begin(to: &$0) } }
        while true {
            try output.writing { output in
                guard left > 0 else { return }
                defer { meter.clear() }
                next = try ledger.scanLog(
                    from: next,
                    where: filter,
                    isReversed: reverse,
                    onProgress: meter.show
                ) { entry in
                    let origin =
                        showsOrigins
                        ? try origins.origin(of: entry.position, recordedAt: entry.recordedAt)
                        : nil
                    try output.write { writer.append(entry, from: origin, to: &$0) }
                    left -= 1
                    return left > 0
                }
            }
            guard follow, left > 0 else { return }
            WallClock.pause(milliseconds: Self.pauseMilliseconds)
        }
    }
}
