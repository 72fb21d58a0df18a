import ArgumentParser
import Geodesy
import LedgerRows
import Platform
import Projections
import Reports
import SystemPackage
import Tables
import TripEvents
import TripLedger
import TripTracking

/// The command `ledger status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what is in the ledger and whether a trip is going on.",
        discussion: """
            Sources are shown as they are now, or at the moment that --as-of names: whether the \
            signal is lost, and what has ended because nothing was reported. Nothing of that is \
            stored. What was reported later than that moment is left out; what people said about \
            trips is shown as it is known now. The average speed is that of the time in motion, \
            without gaps. Of more than 1,000 sources those are shown that have a trip, then those \
            that reported last.

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

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(
        help: ArgumentHelp(
            "The moment to look at: \(TypedTime.forms) (default: now).",
            valueName: "time"
        )
    )
    var asOf: TypedTime?

    @Option(help: "Show only this source.", completion: .source)
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
        let instant = try asOf?.time(in: ledger) ?? EventTime(WallClock.now)
        let (status, fixes, missing, hasOnlyWays) = try ledger.readNow { snapshot in
            if let source { try snapshot.requireSource(named: source) }
            let status = try snapshot.status(asOf: instant.timestamp, of: selection)
            return (
                status, try snapshot.latestFixes(of: recordingSources(in: status)),
                try snapshot.missingEntries(),
                // Only people see this, and only if they did not ask for one source.
                try options.format == .text && source == nil && snapshot.hasOnlyInferredWays()
            )
        }
        var shown = StatusPage(status, asOf: instant, of: ledger)
        shown.hasOnlyInferredWays = hasOnlyWays
        if options.format == .text, source == nil, asOf == nil {
            // The count is not a part of the status, which can be for another moment.
            shown.waitingCount = try ledger.readNow { try InboxCommand.count(in: $0) }
        }
        try Output.standard.writing { output in
            switch options.format {
            case .json:
                try output.write(
                    [shown.glance],
                    LedgerGlance.columns.noting(missing),
                    as: .json,
                    style: .screen(for: ledger)
                )
            case .text, .csv, .ids:
                try output.writeHead(missing)
                try shown.writeText(to: output, style: .screen(for: ledger))
            }
        }
        for (name, fixes) in fixes.sorted(by: { $0.key < $1.key }) {
            guard let complaint = RecordingQuality(fixes).complaint else { continue }
            Diagnostic.note("\(name.name): \(complaint)")
        }
    }

    /// Returns the sources for which a warning is shown if their fixes cannot carry a distance:
    /// those that record now.
    ///
    /// Only people see the warnings.
    private func recordingSources(in status: LedgerStatus) -> Set<NameKey> {
        guard options.format == .text, asOf == nil else { return [] }
        let recent = WallClock.now.advanced(byMilliseconds: -Self.recentMilliseconds)
        return Set(status.sources.filter { $0.latestAt > recent }.map { NameKey($0.name) })
    }

    /// The silence after which a source no longer counts as recording.
    private static let recentMilliseconds = 7 * Timestamp.millisecondsPerDay

    private var selection: SourceSelection { source.map { .named($0) } ?? .readable }

    private func follow(_ ledger: Ledger) throws {
        if let source { try ledger.readNow { try $0.requireSource(named: source) } }
        let watch = StatusWatch(ledger, selection, on: .standard)
        if options.format == .text, every == nil, Terminal.isStandardOutput {
            try watch.draw()
        } else {
            try watch.report(every: every)
        }
    }
}

/// A ledger at a glance.
struct StatusPage {
    /// The status for programs.
    let glance: LedgerGlance

    /// Whether there is no trip, although another app inferred ways from positions.
    var hasOnlyInferredWays = false

    /// How many trips need a class or a purpose.
    var waitingCount = 0

    private let path: FilePath

    /// The clock by which all times are told, wherever they come from: that of the ledger's zone,
    /// which the page names once; `nil` if this machine does not know the zone.
    private let clock: LocalDay?

    init(_ status: LedgerStatus, asOf instant: EventTime, of ledger: Ledger) {
        glance = LedgerGlance(status, asOf: instant)
        let all = glance.activities
        // People decide long after their trips, which does not mean that a recorder is active.
        let last =
            all.filter { !Self.isOfDecisions($0.source.name) }.map(\.source.latestAt).max()
            ?? instant.timestamp
        activities = all.filter { !Self.isLongSilent($0, last: last) }
        silent = all.filter { Self.isLongSilent($0, last: last) }
        path = ledger.path
        clock = ledger.clock.map { LocalDay(zone: $0.zone, usesOwnOffsets: false) }
    }

    private var status: LedgerStatus { glance.status }

    /// The sources without those that have long been silent, and the silent ones.
    private let activities: [SourceActivity]
    private let silent: [SourceActivity]

    /// The number of days of silence, while others report, after which a source is left out.
    private static let longSilenceDays: Int64 = 90

    private static func isOfDecisions(_ source: String) -> Bool {
        source == Ledger.decisionSource || source.hasPrefix(Ledger.decisionSource + "/")
    }

    /// Whether a source without a trip that goes on has reported nothing for long, by the moment
    /// that is looked at and by the recorder that reported last.
    private static func isLongSilent(_ activity: SourceActivity, last: Timestamp) -> Bool {
        guard [.idle, .details].contains(activity.live.phase) else { return false }
        let end = min(last, activity.source.instant)
        return end.milliseconds(since: activity.source.latestAt)
            > longSilenceDays * Timestamp.millisecondsPerDay
    }

    /// A line about the sources that are not shown; empty if all are shown.
    private var silenceText: String {
        let silent = silent.filter { !$0.source.hasOnlyBeginnings }
        guard let first = silent.first else { return "" }
        let which =
            silent.count == 1
            ? "\(Excerpt.escaped(first.source.name)) has" : "\(silent.count) sources have"
        return "… and \(which) been silent for more than \(Self.longSilenceDays) days; `ledger "
            + "status --source NAME` shows one.\n"
    }

    /// Writes it for people: the current activity, and below it the ledger.
    func writeText(to output: Output, style: TextStyle) throws {
        try output.write(liveText)
        try output.write("\n" + FactSheet(facts).text(width: Screen.columnCount))
        // Settings from the beginning are no news, unless they are asked for by name.
        let shown =
            activities.count == 1 ? activities : activities.filter { !$0.source.hasOnlyBeginnings }
        guard !shown.isEmpty else { return }
        var style = style
        style.clock = clock
        try output.write("\n")
        try output.write(shown, SourceActivity.columns, as: .text, style: style)
        try output.writeSentences(silenceText, style)
        // A source that was requested by name is shown alone.
        if status.otherSourceCount > 0, status.sources.count > 1 {
            let others = Count.text(status.otherSourceCount, "more source", "more sources")
            let one = ProgramName.shown("`ledger status --source NAME` shows one")
            try output.write("… and \(others); \(one).\n")
        }
        try output.writeZone(of: SourceActivity.columns, style)
    }

    /// The sentence that names the clock of times; empty if each time has its own offset.
    var zoneText: String { clock.map { "Times in \(Excerpt.escaped($0.zone.words))." } ?? "" }

    /// The text about the current activity: a paragraph for each source with a trip that is in
    /// progress or waits for its purpose.
    var liveText: String {
        let shown = activities.filter(\.isWorthALook)
        guard !shown.isEmpty else {
            if hasOnlyInferredWays {
                let facts = [
                    ("Now", "No trip is going on, and there is none yet"),
                    (
                        "Ways",
                        ProgramName.shown(
                            "Another app inferred some; `ledger inferences` lists them"
                        )
                    ),
                    ("Next", ProgramName.shown(command: "ledger inferences --make-trips")),
                ]
                return FactSheet(facts).text(width: Screen.columnCount)
            }
            let next = SuggestedCommand.shown(amongIdle: activities)
            let facts = [("Now", "No trip is going on"), ("Next", next)]
            return FactSheet(facts).text(width: Screen.columnCount)
        }
        return shown.map { FactSheet($0.labelled(by: clock)).text(width: Screen.columnCount) }
            .joined(separator: "\n")
    }

    private var facts: [(label: String, fact: String)] {
        inbox + [
            ("Ledger", "\(status.founding.ledger) in \(Excerpt.escaped(path.string))"),
            ("Time zone", Excerpt.escaped(status.timeZone)),
            ("Units", status.units.rawValue),
            ("Rules", status.founding.rulesVersion),
            ("Entries", String(status.head.size)),
            ("Root", status.head.root),
            ("Views", views),
        ]
    }

    private var inbox: [(label: String, fact: String)] {
        guard waitingCount > 0 else { return [] }
        let verb = waitingCount == 1 ? "needs" : "need"
        let trips = Count.text(waitingCount, "trip", "trips")
        let what = "\(trips) \(verb) a class or a purpose: `ledger inbox`"
        return [("Inbox", ProgramName.shown(what))]
    }

    private var views: String {
        switch status.lag {
        case nil: "were made anew"
        case 0: "up to date"
        case .some(let lag): "were \(Count.text(lag, "entry", "entries")) behind; up to date now"
        }
    }
}

/// The status of a ledger, shown again and again until the user interrupts it.
struct StatusWatch {
    /// How long it waits before it looks again.
    private static let pauseMilliseconds: Int64 = 1_000

    /// The part of a status whose change is worth another line: everything that does not change
    /// constantly with time alone.
    private struct Change: Equatable {
        struct Source: Equatable {
            var phase: TrackerPhase
            var trip: TripID?
            var asksStillRecording: Bool
        }

        var head: LedgerHead
        var sources: [Source]

        init(_ status: LedgerStatus) {
            head = status.head
            sources = status.sources.map {
                Source(
                    phase: $0.live.phase,
                    trip: $0.live.trip?.id ?? $0.awaited?.id,
                    asksStillRecording: $0.live.asksStillRecording
                )
            }
        }
    }

    private let ledger: Ledger
    private let selection: SourceSelection
    private let output: Output

    init(_ ledger: Ledger, _ selection: SourceSelection, on output: Output) {
        self.ledger = ledger
        self.selection = selection
        self.output = output
    }

    /// Redraws the status in place on a terminal once a second.
    func draw() throws {
        var lineCount = 0
        try output.write("\u{1B}[?25l")
        // The cursor is hidden while lines are redrawn, and shown again however this ends.
        defer {
            try? output.write("\u{1B}[?25h")
            try? output.flush()
        }
        try follow { status, now in
            let page = StatusPage(status, asOf: EventTime(now), of: ledger)
            var lines = page.liveText.split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
            let end = [page.zoneText, "Ctrl-C ends."].filter { !$0.isEmpty }.joined(separator: " ")
            lines += ["", end[...]]
            let shown = lines.prefix(max(1, (Terminal.lineCount ?? .max) - 1))
            // Lines that are longer than the screen is wide are cut off and not wrapped, so that
            // their number stays what it is.
            let up = lineCount > 0 ? "\u{1B}[\(lineCount)A\r" : ""
            lineCount = shown.count
            let text = shown.map { $0 + "\n" }.joined()
            try output.write("\u{1B}[?7l\(up)\u{1B}[J\(text)\u{1B}[?7h")
            try output.flush()
        }
    }

    /// Writes the status as a line of JSON whenever it changes, and at least as often as asked.
    ///
    /// - Parameter seconds: The longest time between two lines; `nil` for any.
    /// - Throws: `LedgerError`, or `OutputError`.
    func report(every seconds: Int64?) throws {
        var latest: (change: Change, at: Timestamp)?
        try follow { status, now in
            let change = Change(status)
            if let latest, latest.change == change,
                seconds.map({ now.milliseconds(since: latest.at) < $0 * 1_000 }) ?? true
            {
                return
            }
            latest = (change, now)
            let shown = StatusPage(status, asOf: EventTime(now), of: ledger)
            try output.writeLine(json: shown.glance, by: ledger.clock)
            try output.flush()
        }
    }

    /// Hands over the status now and then; the views are looked at only when the log has grown.
    private func follow(_ body: (LedgerStatus, Timestamp) throws -> Void) throws {
        var signals = SignalWait()
        var known: StatusBasis?
        repeat {
            let head = try ledger.head()
            let current = known.flatMap { $0.head == head ? $0 : nil }
            let basis = try current ?? ledger.readNow { try $0.statusBasis(of: selection) }
            known = basis
            let now = WallClock.now
            try body(try basis.status(asOf: now), now)
        } while signals.wait(milliseconds: Self.pauseMilliseconds) == .timeout
    }
}
