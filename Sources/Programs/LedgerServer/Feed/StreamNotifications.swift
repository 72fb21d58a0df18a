import LedgerRows
import Platform
import Synchronization
import TripEvents
import TripLedger

/// News about trips and places for those who follow the stream, as `ledger watch` tells them.
///
/// They begin with the first follower, and are forgotten with the last one: the views for them are
/// kept for followers alone.
final class StreamNotifications: Sendable {
    /// How many notifications are kept for followers who read late.
    private static let mostKept = 64

    /// The time for which a result counts as the newest, in milliseconds.
    private static let pause: Int64 = 500

    private final class Watching {
        var watch: LedgerWatch

        init(_ ledger: Ledger) throws(LedgerError) {
            watch = try LedgerWatch(ledger)
        }
    }

    /// A notification, and the source that it is about.
    private struct Kept {
        var source: String
        var group: String?
        var json: [UInt8]
    }

    private struct State {
        var watching: Watching?
        var lookedAt = Timestamp(milliseconds: 0)

        /// The number of notifications given; the last ones are kept.
        var count = 0
        var kept: [Kept] = []
    }

    private let ledger: Ledger
    private let state = Mutex(State())

    init(of ledger: Ledger) {
        self.ledger = ledger
    }

    /// Returns the notifications after those that a follower knows: `notification.v1.schema.json`
    /// each.
    ///
    /// It returns nothing while another thread looks for news.
    ///
    /// - Parameters:
    ///   - known: How many the follower knows; `nil` for one who begins.
    ///   - sight: The sources of which the follower is told.
    /// - Returns: The notifications, and how many the follower knows then.
    /// - Throws: `LedgerError`.
    func news(
        after known: Int?,
        seenBy sight: Sight
    ) throws -> (rows: [[UInt8]], known: Int?) {
        try state.withLockIfAvailable { state in
            try look(&state)
            let missed = min(state.count - (known ?? state.count), state.kept.count)
            let seen = state.kept.suffix(max(0, missed))
                .filter { sight.sees($0.source, of: $0.group) }
            return (seen.map(\.json), state.count)
        } ?? ([], known)
    }

    private func look(_ state: inout State) throws {
        let now = WallClock.now
        if state.watching == nil { state.watching = try Watching(ledger) }
        guard let watching = state.watching,
            now.milliseconds(since: state.lookedAt) >= Self.pause
        else { return }
        state.lookedAt = now
        for notification in try watching.watch.notifications(asOf: now) {
            let settings = try ledger.settings()
            let message = NotificationMessage(
                notification,
                unit: settings.units(at: now),
                clock: ledger.clock,
                language: settings.language(at: now)
            )
            state.count += 1
            state.kept.append(
                Kept(
                    source: notification.source,
                    group: notification.group,
                    json: message.json
                )
            )
        }
        state.kept.removeFirst(max(0, state.kept.count - Self.mostKept))
    }

    /// Forgets everything, when there are no followers any more.
    func forget() {
        state.withLock { state in
            state.watching = nil
            state.kept = []
        }
    }
}
