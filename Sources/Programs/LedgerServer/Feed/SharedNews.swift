import LedgerHTTP
import LedgerRows
import Platform
import Synchronization
import Tables
import TripEvents
import TripLedger

/// The news that was found last for a follower of the stream.
///
/// Nearly all followers know the same and get the same, so the ledger is read once for all.
final class SharedNews: Sendable {
    /// The part of a source's status whose change is worth another event: everything that does not
    /// change with time alone.
    struct StatusKey: Hashable, Sendable {
        /// How many events the source has.
        var events: UInt64

        /// Whether it is under way.
        var phase: String

        /// The trip in progress.
        var trip: String?

        /// Whether its driver is asked if the trip is still going on.
        var asks: Bool

        /// The time of its last position.
        var positionAt: Timestamp?

        /// Whether it is sent to a follower who knows nothing of the source yet: a follower who may
        /// see only the present learns of a source by its trip, and then of the trip's end.
        var isFirstWord: Bool { readsPast || trip != nil }

        /// Whether the follower may see the past.
        var readsPast: Bool
    }

    /// The status of a source.
    struct Status: Sendable {
        /// The source.
        var source: NameKey

        /// The part whose change is worth another event.
        var key: StatusKey

        /// The event.
        var message: [UInt8]
    }

    /// The changes since a number.
    struct Changes: Sendable {
        /// The events.
        var messages: [UInt8]

        /// The number up to which they go; `nil` if they are too many to be sent.
        var known: UInt64?
    }

    private struct State {
        var size: UInt64 = 0
        var second: Int64 = 0
        var presentVersion: UInt64 = 0
        var statuses: [Status]?
        var head: FeedHead?
        var known: UInt64 = 0
        var changes: Changes?
    }

    private let state = Mutex(State())

    /// Whether followers may see what is over, and sources without a trip in progress.
    private let readsPast: Bool

    private let present: PresentPositions

    init(readsPast: Bool, present: PresentPositions) {
        self.readsPast = readsPast
        self.present = present
    }

    /// Returns the status of every source that may be read, which is the same for a second, or
    /// until the log grows or an app reports its current position.
    ///
    /// - Throws: `LedgerError`.
    func statuses(in snapshot: borrowing Snapshot) throws -> [Status] {
        let now = WallClock.now
        let (size, second) = (snapshot.head.size, now.milliseconds / 1_000)
        let version = present.version
        let found = state.withLock { state in
            state.size == size && state.second == second && state.presentVersion == version
                ? state.statuses : nil
        }
        if let found { return found }
        let made = try statuses(of: .readable, in: snapshot, asOf: now)
        state.withLock { state in
            (state.size, state.second, state.statuses) = (size, second, made)
            state.presentVersion = version
        }
        return made
    }

    /// Returns the status of some sources.
    ///
    /// - Throws: `LedgerError`.
    func statuses(
        of sources: SourceSelection,
        in snapshot: borrowing Snapshot,
        asOf now: Timestamp
    ) throws -> [Status] {
        var status = try snapshot.status(asOf: now, of: sources)
        present.show(in: &status)
        if !readsPast { status.sources = status.sources.map(\.present) }
        let clock = snapshot.clock
        return LedgerGlance(status, asOf: EventTime(now)).activities
            .map { activity in
                var message = Array("event: status\ndata: ".utf8)
                SourceActivity.columns.appendJSON(activity, to: &message, by: clock)
                message += "\n\n".utf8
                return Status(
                    source: NameKey(activity.source.name),
                    key: StatusKey(
                        events: activity.source.events,
                        phase: activity.live.phase.rawValue,
                        trip: activity.live.trip?.id.description,
                        asks: activity.live.asksStillRecording,
                        positionAt: activity.source.lastPosition?.at,
                        readsPast: readsPast
                    ),
                    message: message
                )
            }
    }

    /// Returns the changes since a number, which are cached until something else changes.
    ///
    /// - Parameters:
    ///   - known: The number.
    ///   - head: How far the feed is.
    ///   - make: Reads it.
    /// - Returns: The changes, read at most once for all who ask.
    func changes(
        after known: UInt64,
        upTo head: FeedHead,
        make: () throws -> Changes
    ) rethrows -> Changes {
        let found = state.withLock { state in
            state.head == head && state.known == known ? state.changes : nil
        }
        if let found { return found }
        let made = try make()
        state.withLock { state in (state.head, state.known, state.changes) = (head, known, made) }
        return made
    }
}

/// The latest news for those who follow the stream, by what they see.
final class NewsOfSights: Sendable {
    private let found = Mutex(PerSight<SharedNews>())
    private let readsPast: Bool
    private let present: PresentPositions

    init(readsPast: Bool, present: PresentPositions) {
        self.readsPast = readsPast
        self.present = present
    }

    /// Returns what is shared by all who see the same.
    func news(seenBy sight: Sight) -> SharedNews {
        found.withLock { found in
            if let news = found[sight] { return news }
            let news = SharedNews(readsPast: readsPast, present: present)
            found[sight] = news
            return news
        }
    }
}
