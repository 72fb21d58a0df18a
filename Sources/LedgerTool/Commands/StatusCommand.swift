import ArgumentParser
import Platform
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says what is in the ledger and whether a trip is going on.",
        discussion: """
            Sources are shown as they are now, or at the moment that --as-of names: whether the \
            signal is lost, and what has ended because nothing was reported. Nothing of that is \
            stored. The average speed is that of the time in motion, without gaps.

            With --watch, the screen is redrawn once a second until Ctrl-C, which ends it well: \
            exit code 0. Into a pipe or file, and with --format json, goes a line of JSON \
            whenever something has changed.

            Examples:
              ledger status
              ledger status --as-of 2026-03-14T09:00:00+01:00
              ledger status --watch --source phone
              ledger status --watch --every 10 --format json
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The moment to look at: RFC 3339, or milliseconds since 1970 (default: now).",
            valueName: "time"
        )
    )
    var asOf: EventTime?

    @Option(help: "Show only this source.")
    var source: String?

    @Flag(help: "Go on showing it until interrupted.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "With --watch, write a line at least as often, changed or not.",
            valueName: "seconds"
        )
    )
    var every: Int64?

    func validate() throws {
        try options.refuseCSV()
        guard !watch || asOf == nil else {
            throw ValidationError("--watch shows what is now, --as-of another moment: use one.")
        }
        guard every.map({ watch && (1...86_400).contains($0) }) ?? true else {
            throw ValidationError("--every takes 1 to 86400 seconds, and goes with --watch.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        guard !watch else { return try follow(ledger) }
        let instant = asOf ?? EventTime(WallClock.now)
        var status = try ledger.read { try $0.status(asOf: instant.timestamp) }
        try status.keep(source: source, at: ledger.path)
        let shown = ShownStatus(status, asOf: instant, path: ledger.path)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(json: shown)
            case .text, .csv: try shown.writeText(to: output)
            }
        }
    }

    private func follow(_ ledger: Ledger) throws {
        let watch = StatusWatch(ledger, source: source, on: .standard)
        if options.format == .text, every == nil, Terminal.isStandardOutput {
            try watch.draw()
        } else {
            try watch.report(every: every)
        }
    }
}
