import ArgumentParser
import LedgerRows
import Platform
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
            begin now, and what happens while no watch runs is not told. Each has a `position`: \
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
            unit: ledger.units,
            clock: ledger.clock,
            runner: runner
        )
        try loop.run(isOnce: once)
        if once, loop.hasFailed { throw ExitCode(1) }
    }
}

/// Kinds of notifications, separated by commas, as in `trip_started,trip_ended`.
struct NotificationChoice: ExpressibleByArgument {
    /// Every name, as the help shows them.
    static let names = LedgerNotification.Kind.allCases.map(\.rawValue).sorted()

    /// The kinds.
    let kinds: Set<LedgerNotification.Kind>

    init?(argument: String) {
        var kinds: Set<LedgerNotification.Kind> = []
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = LedgerNotification.Kind(rawValue: String(name)) else { return nil }
            kinds.insert(kind)
        }
        self.kinds = kinds
    }
}

/// The loop of `ledger watch` until the user interrupts it: it looks, tells and waits.
struct WatchLoop: ~Copyable {
    /// How long it waits before it looks again.
    private static let pauseMilliseconds: Int64 = 250

    private var watch: LedgerWatch
    private let kinds: Set<LedgerNotification.Kind>?
    private let unit: DistanceUnit
    private let clock: LocalDay?
    private var runner: NotificationRunner?
    private var signals = SignalWait()
    private let output = Output.standard

    /// Prepares a loop.
    ///
    /// - Parameters:
    ///   - watch: where notifications come from.
    ///   - kinds: those that are told; `nil` for all.
    ///   - unit: the unit of distances.
    ///   - clock: tells times.
    ///   - runner: what runs for each; `nil` to print them.
    init(
        _ watch: consuming LedgerWatch,
        kinds: Set<LedgerNotification.Kind>?,
        unit: DistanceUnit,
        clock: LocalDay?,
        runner: NotificationRunner?
    ) {
        self.watch = watch
        self.kinds = kinds
        self.unit = unit
        self.clock = clock
        self.runner = runner
    }

    /// Whether the command failed for a notification.
    var hasFailed: Bool { runner?.hasFailed ?? false }

    /// Tells notifications until it is interrupted or, if asked for one only, has told it.
    mutating func run(isOnce: Bool) throws {
        while true {
            let count = try tell(atMost: isOnce ? 1 : .max)
            runner?.advance(now: WallClock.now)
            if isOnce, count > 0 { break }
            let pause = watch.isCaughtUp ? Self.pauseMilliseconds : 0
            if signals.wait(milliseconds: pause) == .interruption {
                dropWaiting()
                break
            }
        }
        finish()
    }

    /// Tells what has come about since the last time, and returns how many notifications that were.
    private mutating func tell(atMost limit: Int) throws -> Int {
        let found = try watch.notifications(asOf: WallClock.now)
            .filter { kinds?.contains($0.kind) ?? true }
            .prefix(limit)
        for notification in found {
            let shown = NotificationMessage(notification, unit: unit, clock: clock)
            if runner == nil { try output.writeLine(shown.json) }
            runner?.add(shown)
        }
        try output.flush()
        return found.count
    }

    /// Says which notifications were not delivered.
    private mutating func dropWaiting() {
        guard let dropped = runner?.dropWaiting(), let first = dropped.first else { return }
        let count = Count.text(dropped.count, "notification was", "notifications were")
        Diagnostic.say(
            "ledger: \(count) not handed over; `ledger watch --since \(first.position)` begins "
                + "there.\n"
        )
    }

    /// Waits for the command that runs, unless the user interrupts again.
    private mutating func finish() {
        while let runner, !runner.isIdle {
            if signals.wait(milliseconds: Self.pauseMilliseconds) == .interruption {
                self.runner?.kill()
            }
            self.runner?.advance(now: WallClock.now)
        }
    }
}
