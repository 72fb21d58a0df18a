public import Projections
public import TripEvents
import TripTracking

/// The events that were appended after some entries, for a reader who knows the earlier ones.
///
/// A trip is an earlier one if it started before ``before``. Lists begin with what was stored last.
public struct LedgerChanges: Sendable {
    /// The size and root that the log had.
    public var since: LedgerHead

    /// The size and root of the log that was read.
    public var until: LedgerHead

    /// The instant before which earlier trips started: the one asked for, or just after the last of
    /// the earlier entries was stored; `nil` if there are no earlier entries.
    public var before: Timestamp?

    /// How many entries of each type were appended, in order of the types' names.
    public var entryCounts: [(type: String, count: UInt64)] = []

    /// Trips that had ended and have changed since, or got fixes that came late.
    public var changedTrips: [ChangedTrip] = []

    /// Earlier trips that did not follow from the earlier entries alone.
    public var addedTrips: [BookedTrip] = []

    /// How many trips have started since.
    public var laterTripCount: UInt64 = 0

    /// The decisions about earlier trips, each with its position.
    public var amendments: [(position: UInt64, amendment: TripAmendment)] = []

    /// How many decisions have no effect.
    public var withoutEffect = 0

    /// The events that say what was erased.
    public var erasures: [StoredEvent] = []

    /// The events by which tracking rules were adopted.
    public var rules: [StoredEvent] = []

    /// The events that say how the clocks of sources were wrong.
    public var clockShifts: [StoredEvent] = []

    /// The events that gave new sources their numbers; of more than a thousand, the last thousand.
    public var sources: [StoredEvent] = []

    /// How many sources are new.
    public var newSourceCount: UInt64 {
        entryCounts.first { $0.type == EventKind.sourceRegistered.name }?.count ?? 0
    }

    /// How many entries were appended.
    public var entryCount: UInt64 { until.size - since.size }

    /// Creates changes about which nothing is known yet.
    init(since: LedgerHead, until: LedgerHead, before: Timestamp?) {
        self.since = since
        self.until = until
        self.before = before
    }

    /// Returns whether a trip is an earlier one.
    func isEarlier(_ trip: BookedTrip) -> Bool {
        before.map { trip.trip.startedAt.timestamp < $0 } ?? false
    }
}

/// A trip that had ended, and that has changed since.
public struct ChangedTrip: Hashable, Sendable {
    /// The trip as the earlier entries gave it.
    public var before: BookedTrip

    /// The trip as it is now; `nil` if it no longer exists.
    public var now: BookedTrip?

    /// How many fixes between its start and its end came in since.
    public var lateFixes: UInt64

    /// Whether times, distances, status or class have changed.
    var hasOtherFigures: Bool {
        guard let now else { return true }
        return before.trip.startedAt != now.trip.startedAt
            || before.trip.endedAt != now.trip.endedAt
            || before.trip.distance != now.trip.distance
            || before.trip.gaps != now.trip.gaps
            || before.claimedDistance != now.claimedDistance
            || before.status != now.status
            || before.mergedInto != now.mergedInto
            || before.tripClass != now.tripClass
    }
}

/// The point from which on the changes of a ledger are looked at.
public enum ChangesStart: Hashable, Sendable {
    /// After this number of entries.
    case size(UInt64)

    /// After the entries of a head that was kept outside; the log MUST begin with them.
    case head(LedgerHead)

    /// From the first entry that the ledger stored at an instant or later.
    case instant(Timestamp)
}
