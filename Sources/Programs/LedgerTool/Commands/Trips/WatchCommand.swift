import ArgumentParser
import LedgerKeeping
import LedgerRows
import Platform
import TripEvents
import TripLedger

/// The command `ledger watch`.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tells what happens to trips and at places, here, to a command or to others.",
        discussion: """
            Goes on until Ctrl-C. With --exec, the command runs in the shell once for each \
            notification, in order, and reads one JSON object from its standard input. If it \
            fails, that is said and the next one runs.

            Notifications are derived from the log and the time. Without --since they begin now. \
            Each has a `position` and a `cursor`: --since with the position tells that one again \
            and everything after it, with the cursor what comes after it. \
            When late data proves one wrong, another one says so: trip_ended again, trip_resumed \
            or trip_withdrawn. signal_lost, still_recording and recovering are told only while \
            they hold. place_entered and place_left are told of places that were saved so, by \
            fixes that come in order.

            --post and --mail tell others, by `ledger-sync`, which stands beside `ledger`. How \
            far they have told is kept: each notice is told once, or twice after a kill, and with \
            the same X-Ledger-Notice. What is not taken is sent again, after 1 s up to 5 min. \
            They also remind: source_silent, odometer_only, purpose_waiting, reading_due, \
            rates_end, backup_due, witness_due; here that takes --on.

            Examples:
              ledger watch --on trip_ended --exec 'jq -r .message >> trips.txt'
              ledger watch --on trip_started,trip_ended --since 1041
              ledger watch --post https://ntfy.example/car --form ntfy --token-file ~/.ntfy
              ledger watch --post https://home.example/hook --secret-file ~/.hook
              ledger watch --mail me@example.org --on purpose_waiting,backup_due --once
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(help: ArgumentHelp("Run this command of the shell each time.", valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "Tell only these, separated by commas: "
                + NotificationChoice.names.joined(separator: ", ") + ".",
            valueName: "event,…"
        )
    )
    var on: NotificationChoice?

    @Flag(help: "End after the first one, or when all were posted.")
    var once = false

    /// Where a watch begins.
    enum Start: ExpressibleByArgument {
        case entries(UInt64)
        case notice(WatchCursor)

        init?(argument: String) {
            if let size = UInt64(argument) {
                self = .entries(size)
            } else if let cursor = WatchCursor(argument) {
                self = .notice(cursor)
            } else {
                return nil
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            "Begin after so many entries, or after a notice (default: now).",
            valueName: "position|cursor"
        )
    )
    var since: Start?

    @Option(
        help: ArgumentHelp(
            "Give up a command, post or letter that takes longer.",
            valueName: "seconds"
        )
    )
    var timeout: Int64 = 60

    @OptionGroup var receiver: NoticeReceiver

    func validate() throws {
        guard (1...86_400).contains(timeout) else {
            throw ValidationError("--timeout takes 1 to 86400 seconds.")
        }
        if receiver.isNamed, case .notice = since {
            throw ValidationError(
                "--post and --mail know what they have told: --since takes a position with them."
            )
        }
        guard exec == nil || !receiver.isNamed else {
            throw ValidationError("--exec runs a command here, and --post and --mail tell others.")
        }
    }

    func run() throws {
        if let address = receiver.address { throw try tell(address) }
        let ledger = try options.open()
        defer { ledger.close() }
        let runner = exec.map { NotificationRunner($0, timeoutSeconds: timeout) }
        var loop = WatchLoop(
            try begin(in: ledger),
            reminders: ReminderLook(ledger),
            kinds: on?.kinds ?? NotificationChoice.news,
            unit: ledger.units,
            clock: ledger.clock,
            language: try ledger.settings().language(at: WallClock.now),
            runner: runner
        )
        try loop.run(isOnce: once)
        if once, loop.hasFailed { throw ExitCode(1) }
    }

    private func begin(in ledger: Ledger) throws -> LedgerWatch {
        switch since {
        case .entries(let size): try LedgerWatch(ledger, since: size)
        case .notice(let cursor): try LedgerWatch(ledger, after: cursor)
        case nil: try LedgerWatch(ledger)
        }
    }

    /// Becomes the program that notifies an address; returns the error if that fails.
    private func tell(_ address: String) throws -> LedgerError {
        let path = try options.path
        try Ledger.requireLog(at: path)
        var words = [path.string, address, "notices=true", "timeout=\(timeout)"] + receiver.words
        if let on { words.append("on=" + on.kinds.map(\.rawValue).sorted().joined(separator: ",")) }
        if case .entries(let size) = since { words.append("since=\(size)") }
        if once { words.append("once=true") }
        return try NeighbourProgram.becomeSync(words, for: "telling others")
    }
}

/// The options for the receiver of notifications, and their form.
struct NoticeReceiver: ParsableArguments {
    /// The form of what is posted; the raw value is its name.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case json
        case ntfy
        case apprise
    }

    @Option(help: ArgumentHelp("Post each notification to this address.", valueName: "URL"))
    var post: String?

    @Option(help: "The form of what is posted: as it is, or as ntfy or Apprise take it.")
    var form: Form?

    @Option(
        help: ArgumentHelp("Sign by the key in this file: HMAC-SHA256.", valueName: "file"),
        completion: .file()
    )
    var secretFile: String?

    @Option(
        help: ArgumentHelp("Send the token in this file.", valueName: "file"),
        completion: .file()
    )
    var tokenFile: String?

    @Option(help: ArgumentHelp("Send each notification to this mailbox.", valueName: "address"))
    var mail: String?

    @Option(
        help: ArgumentHelp(
            "What takes letters (default: /usr/sbin/sendmail).",
            valueName: "program"
        ),
        completion: .file()
    )
    var sendmail: String?

    /// Whether a receiver is named.
    var isNamed: Bool { post != nil || mail != nil }

    /// The address as `ledger-sync` takes it.
    var address: String? { post ?? mail.map { "mailto:\($0)" } }

    /// The words that `ledger-sync` takes beside it.
    var words: [String] {
        [
            form.map { "form=\($0.rawValue)" }, secretFile.map { "secret-file=\($0)" },
            tokenFile.map { "token-file=\($0)" }, sendmail.map { "mailer=\($0)" },
        ]
        .compactMap(\.self)
    }

    func validate() throws {
        guard post == nil || mail == nil else {
            throw ValidationError("--post and --mail are two receivers: watch for each.")
        }
        if let post, !post.hasPrefix("https://"), !post.hasPrefix("http://") {
            throw ValidationError("--post takes an address such as https://home.example/hook.")
        }
        guard post != nil || (form == nil && secretFile == nil && tokenFile == nil) else {
            throw ValidationError("--form, --secret-file and --token-file go with --post.")
        }
        guard mail != nil || sendmail == nil else {
            throw ValidationError("--sendmail goes with --mail.")
        }
        if let mail {
            let isOneWord = mail.unicodeScalars.allSatisfy { $0.value > 32 && $0.value != 127 }
            guard isOneWord, mail.dropFirst().dropLast().contains("@"), !mail.hasPrefix("-") else {
                throw ValidationError("--mail takes an address such as me@example.org.")
            }
        }
    }
}

/// Kinds of notifications, separated by commas, as in `trip_started,trip_ended`.
struct NotificationChoice: ExpressibleByArgument {
    /// Every name, as the help shows them.
    static let names = LedgerNotification.Kind.allCases.map(\.rawValue).sorted()

    /// The kinds that are shown here by default: all but reminders.
    static let news = Set(LedgerNotification.Kind.allCases.filter { !$0.isReminder })

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
    private var reminders: ReminderLook
    private let kinds: Set<LedgerNotification.Kind>
    private let unit: DistanceUnit
    private let clock: LocalDay?
    private let language: String?
    private var runner: NotificationRunner?
    private var signals = SignalWait()
    private let output = Output.standard

    /// Prepares a loop.
    ///
    /// - Parameters:
    ///   - watch: where notifications come from.
    ///   - reminders: where reminders come from.
    ///   - kinds: those that are shown.
    ///   - unit: the unit of distances.
    ///   - clock: tells times.
    ///   - language: the language of sentences (BCP 47); `nil` for English.
    ///   - runner: what runs for each; `nil` to print them.
    init(
        _ watch: consuming LedgerWatch,
        reminders: ReminderLook,
        kinds: Set<LedgerNotification.Kind>,
        unit: DistanceUnit,
        clock: LocalDay?,
        language: String?,
        runner: NotificationRunner?
    ) {
        self.watch = watch
        self.reminders = reminders
        self.kinds = kinds
        self.unit = unit
        self.clock = clock
        self.language = language
        self.runner = runner
    }

    /// Whether the command failed for a notification.
    var hasFailed: Bool { runner?.hasFailed ?? false }

    /// Shows notifications until it is interrupted or, if asked for only one, has shown it.
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

    /// Shows the notifications since the last time, and returns their number.
    private mutating func tell(atMost limit: Int) throws -> Int {
        let now = WallClock.now
        var news = try watch.notifications(asOf: now)
        if kinds.contains(where: \.isReminder) { news += try reminders.news(asOf: now) }
        let found = news.filter { kinds.contains($0.kind) }.prefix(limit)
        for notification in found {
            let shown = NotificationMessage(
                notification,
                unit: unit,
                clock: clock,
                language: language
            )
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
