import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger watch`.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tells what happens to trips and at places, as JSON lines or to a command.",
        discussion: """
            Goes on until Ctrl-C, which ends it well: exit code 0. With --exec, the command runs \
            in the shell once for each notification, one after the other and in order, and reads \
            one JSON object from its standard input. If it fails, that is said and the next one \
            runs; what comes meanwhile waits.

            Notifications are derived from the log and the time, not stored. Without --since they \
            begin now, and what happens while nobody watches is not told. Each has a `position`: \
            --since with it tells that one again and everything after it, so nothing is lost, and \
            some may come twice. When late data proves one wrong, another one says so: \
            trip_ended again, trip_resumed or trip_withdrawn. signal_lost, still_recording and \
            recovering are told only while they hold. place_entered and place_left are told of \
            places that were saved so, by fixes that come in order.

            Examples:
              ledger watch
              ledger watch --on trip_ended --exec 'jq -r .message >> trips.txt'
              ledger watch --on trip_started,trip_ended --since 1041
              ledger watch --on trip_ended --once
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Run this command of the shell each time.", valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "Tell only these, separated by commas: "
                + NotificationChoice.names.joined(separator: ", ") + " (default: all).",
            valueName: "event,…"
        )
    )
    var on: NotificationChoice?

    @Flag(help: "End after the first notification; exit code 1 if its command failed.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Begin after this many entries of the log (default: now).",
            valueName: "position"
        )
    )
    var since: UInt64?

    @Option(
        help: ArgumentHelp(
            "Kill a command that takes longer, with all it has started.",
            valueName: "seconds"
        )
    )
    var timeout: Int64 = 60

    func validate() throws {
        try options.refuseCSV()
        guard (1...86_400).contains(timeout) else {
            throw ValidationError("--timeout takes 1 to 86400 seconds.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let runner = exec.map { NotificationRunner($0, timeoutSeconds: timeout) }
        var loop = WatchLoop(
            try LedgerWatch(ledger, since: since),
            kinds: on?.kinds,
            unit: ledger.founding.units,
            runner: runner
        )
        try loop.run(isOnce: once)
        if once, loop.hasFailed { throw ExitCode(1) }
    }
}
