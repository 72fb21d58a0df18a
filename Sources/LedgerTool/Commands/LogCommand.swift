import ArgumentParser
import Platform
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger log`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints entries of the log, in order of arrival.",
        discussion: """
            Examples:
              ledger log --limit 20
              ledger log --after 1041 --format json
              ledger log --follow
            """
    )

    /// How long --follow waits before it looks again.
    private static let pauseMilliseconds: UInt32 = 250

    @OptionGroup var options: GlobalOptions

    @Option(help: "Begin after the entry at this position.")
    var after: UInt64?

    @Option(help: "The most entries to print.")
    var limit: UInt64?

    @Flag(help: "Go on with what is appended later, until interrupted.")
    var follow = false

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        var next = after.map { $0 == .max ? $0 : $0 + 1 } ?? 0
        var left = limit ?? .max
        let output = Output.standard
        var writer = RowWriter(StoredEvent.columns, as: options.format)
        try output.writing { output in try output.write { writer.begin(to: &$0) } }
        while true {
            try output.writing { output in
                guard left > 0 else { return }
                try ledger.scanLog(from: next) { entry in
                    if options.format == .text {
                        // A table would wait for the last entry.
                        try output.writeLine(Self.text(of: entry))
                    } else {
                        try output.write { writer.add(entry, to: &$0) }
                    }
                    next = entry.position + 1
                    left -= 1
                    return left > 0
                }
            }
            guard follow, left > 0 else { return }
            WallClock.pause(milliseconds: Self.pauseMilliseconds)
        }
    }

    /// Returns position, time, source, type and content.
    private static func text(of entry: StoredEvent) -> String {
        let event = entry.event
        let source = event.source.isEmpty ? "ledger" : Excerpt.escaped(event.source)
        return "\(entry.position)  \(LocalTime.text(event.time))  \(source)  "
            + "\(event.body.typeName) \(Excerpt.escaped(event.contentJSON))"
    }
}
