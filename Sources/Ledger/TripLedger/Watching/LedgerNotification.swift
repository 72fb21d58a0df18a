public import Geodesy
public import Projections
public import TripEvents
import TripTracking

/// News about a trip or a place that people may want to hear at once.
///
/// It is derived and not stored: late data may prove it wrong, and then another one says so.
public struct LedgerNotification: Sendable {
    /// The kind of a notification; the raw value is its name in JSON.
    public enum Kind: String, CaseIterable, Sendable {
        /// A trip that was reported does not exist after all: late data changed its start.
        case tripWithdrawn = "trip_withdrawn"

        /// A trip has started.
        case tripStarted = "trip_started"

        /// A trip has ended, or its end differs from the one reported before; the last notification
        /// counts.
        case tripEnded = "trip_ended"

        /// A trip that had ended goes on after all.
        case tripResumed = "trip_resumed"

        /// A trip goes on without a signal.
        case signalLost = "signal_lost"

        /// Nothing has moved for so long that the driver should be asked.
        case stillRecording = "still_recording"

        /// A recorder is back from a silence with its trip still open.
        case recovering

        /// A source has entered a place that asks for a notification.
        case placeEntered = "place_entered"

        /// A source has left a place that asks for a notification.
        case placeLeft = "place_left"

        /// A source says nothing on a day on which it always drives.
        case sourceSilent = "source_silent"

        /// A drive that only an odometer saw: the difference of two readings is more than the trips
        /// between them explain.
        case odometerOnly = "odometer_only"

        /// A trip has waited for its class or purpose so long that its entry is late soon.
        case purposeWaiting = "purpose_waiting"

        /// The odometer of a vehicle is to be read again.
        case readingDue = "reading_due"

        /// A table of rates ends, and no other goes on.
        case ratesEnd = "rates_end"

        /// The last backup is old.
        case backupDue = "backup_due"

        /// The last head that a witness cosigned is old.
        case witnessDue = "witness_due"

        /// Whether it reminds of what a person is to do, and holds until that is done.
        public var isReminder: Bool {
            switch self {
            case .tripWithdrawn, .tripStarted, .tripEnded, .tripResumed, .signalLost,
                .stillRecording, .recovering, .placeEntered, .placeLeft:
                false
            case .sourceSilent, .odometerOnly, .purposeWaiting, .readingDue, .ratesEnd, .backupDue,
                .witnessDue:
                true
            }
        }
    }

    /// The subject of the notification.
    public enum Subject: Sendable {
        /// A trip as it is then; a withdrawn one, as it was.
        case trip(BookedTrip)

        /// A visit of a place.
        case visit(SourceVisit)

        /// What a person is to do.
        case reminder(Reminder)
    }

    /// What a person is to do, apart from trips.
    public struct Reminder: Hashable, Sendable {
        /// The source, vehicle or table of rates that it is about; `nil` for the ledger.
        public var about: String?

        /// The distance that only an odometer saw.
        public var distance: Distance?

        /// The last day of a table of rates.
        public var lastDay: CivilDate?

        /// The command that does it.
        public var command: String

        /// Creates a reminder.
        package init(
            about: String? = nil,
            distance: Distance? = nil,
            lastDay: CivilDate? = nil,
            command: String
        ) {
            self.about = about
            self.distance = distance
            self.lastDay = lastDay
            self.command = command
        }
    }

    /// The kind of the notification.
    public var kind: Kind

    /// When it came about, by the source's clock; for trips that were withdrawn or resumed, when
    /// that was found.
    public var at: EventTime

    /// When it was found.
    public var foundAt: Timestamp

    /// The subject of the notification.
    public var subject: Subject

    /// The size of the log before the entries that it follows from: a watch from there on gives it
    /// again.
    public var position: UInt64

    /// Its place among all notifications; `nil` for a reminder, which holds until it is followed.
    ///
    /// A watch after it gives what comes after this one.
    public internal(set) var cursor: WatchCursor?

    /// The trip, if it is about one.
    public var trip: BookedTrip? {
        guard case .trip(let trip) = subject else { return nil }
        return trip
    }

    /// The source that it is about.
    public var source: String {
        switch subject {
        case .trip(let booked): booked.trip.source
        case .visit(let visit): visit.source
        case .reminder: Self.ledgersOwnSource
        }
    }

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public var group: String? {
        switch subject {
        case .trip(let booked): booked.trip.group
        case .visit(let visit): visit.group
        case .reminder: nil
        }
    }

    /// The source of what the ledger says of itself.
    private static let ledgersOwnSource = "ledger"

    /// The name of a reminder's task, which stays the same until the task is done.
    package var reminderName: String { "\(kind.rawValue) \(at.timestamp.milliseconds) \(about)" }

    /// What it is about: the trip's id, or a name.
    private var about: String {
        switch subject {
        case .trip(let booked): "\(booked.id)"
        case .visit: source
        case .reminder(let reminder): reminder.about ?? ""
        }
    }

    /// What sets it apart from the others that follow from the same entries.
    var name: String {
        guard case .visit(let visit) = subject else { return "\(kind.rawValue) \(about)" }
        let entered = visit.visit.enteredAt.timestamp.milliseconds
        return "\(kind.rawValue) \(entered) \(about) \(visit.visit.place.name)"
    }
}

extension LedgerNotification {
    /// Creates a reminder.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - at: Since when it is due.
    ///   - now: When that was found.
    ///   - subject: What it is about.
    ///   - position: The size of the log then.
    package init(
        reminding kind: Kind,
        since at: EventTime,
        foundAt now: Timestamp,
        _ subject: Subject,
        position: UInt64
    ) {
        self.init(kind: kind, at: at, foundAt: now, subject: subject, position: position)
    }

    /// Returns the kinds of notifications about a trip that has changed.
    ///
    /// People's decisions give no notifications, because people know them: details, merges, voided
    /// trips, and trips that were reported as a whole.
    static func kinds(from old: BookedTrip?, to new: BookedTrip?) -> [Kind] {
        guard let known = new ?? old, known.trip.startedBy != .report else { return [] }
        guard let new else { return [.tripWithdrawn] }
        let isOver = new.trip.status != .active
        guard let old else { return isOver ? [.tripStarted, .tripEnded] : [.tripStarted] }
        switch (old.trip.status != .active, isOver) {
        case (false, false): return []
        case (false, true): return [.tripEnded]
        case (true, false): return [.tripResumed]
        case (true, true): return hasSameEnd(old, new) ? [] : [.tripEnded]
        }
    }

    private static func hasSameEnd(_ old: BookedTrip, _ new: BookedTrip) -> Bool {
        old.parts != new.parts
            || old.trip.status == new.trip.status && old.trip.endedAt == new.trip.endedAt
                && old.trip.distance == new.trip.distance && old.trip.gaps == new.trip.gaps
    }

    /// Returns the time of what a notification about a changed trip reports.
    static func time(of kind: Kind, _ trip: Trip, foundAt: Timestamp) -> EventTime {
        switch kind {
        case .tripStarted: trip.startedAt
        case .tripEnded: trip.endedAt ?? trip.startedAt
        default: EventTime(foundAt, utcOffset: trip.startedAt.utcOffset)
        }
    }
}
