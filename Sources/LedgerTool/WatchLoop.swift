import Platform
import TripEvents
import TripLedger

/// What `ledger watch` does until the user interrupts it: it looks, tells and waits.
struct WatchLoop: ~Copyable {
    /// How long it waits before it looks again.
    private static let pauseMilliseconds: Int64 = 250

    private var watch: LedgerWatch
    private let kinds: Set<LedgerNotification.Kind>?
    private let unit: DistanceUnit
    private var runner: NotificationRunner?
    private var signals = SignalWait()
    private let output = Output.standard

    /// Prepares a loop.
    ///
    /// - Parameters:
    ///   - watch: where notifications come from.
    ///   - kinds: those that are told; `nil` for all.
    ///   - unit: the unit of distances.
    ///   - runner: what runs for each; `nil` to print them.
    init(
        _ watch: consuming LedgerWatch,
        kinds: Set<LedgerNotification.Kind>?,
        unit: DistanceUnit,
        runner: NotificationRunner?
    ) {
        self.watch = watch
        self.kinds = kinds
        self.unit = unit
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
            let shown = ShownNotification(notification, unit: unit)
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
