import Platform
import Projections
import RowFormats
import TripEvents
import TripLedger
import TripTracking

/// The status of a ledger, shown again and again until the user interrupts it.
struct StatusWatch {
    /// How long it waits before it looks again.
    private static let pauseMilliseconds: Int64 = 1_000

    /// What makes a status worth another line: everything that time alone does not change all the
    /// time.
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
    private let source: String?
    private let output: Output

    init(_ ledger: Ledger, source: String?, on output: Output) {
        self.ledger = ledger
        self.source = source
        self.output = output
    }

    /// Redraws the status in place on a terminal once a second.
    func draw() throws {
        var lineCount = 0
        try output.write("\u{1B}[?25l")
        // Hidden while it would only jump about; whatever happens, the driver gets it back.
        defer {
            try? output.write("\u{1B}[?25h")
            try? output.flush()
        }
        try follow { status, now in
            var lines = ShownStatus(status, asOf: EventTime(now), path: ledger.path).liveText
                .split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
            lines += ["", "Ctrl-C ends."]
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
            let shown = ShownStatus(status, asOf: EventTime(now), path: ledger.path)
            try output.writeLine(json: shown)
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
            let basis = try current ?? ledger.read { try $0.statusBasis() }
            known = basis
            let now = WallClock.now
            var status = try basis.status(asOf: now)
            try status.keep(source: source, at: ledger.path)
            try body(status, now)
        } while signals.wait(milliseconds: Self.pauseMilliseconds) == .timeout
    }
}
