public import ActiveTripProjection
public import Projections
public import TripEvents
public import TripTracking

/// A ledger at a glance.
public struct LedgerStatus: Sendable {
    /// A source with what it is doing.
    public struct Source: Sendable {
        /// Its name.
        public var name: String

        /// The number of its events.
        public var events: UInt64

        /// When the latest of its events that arrived in order happened.
        public var latestAt: Timestamp

        /// The instant that it is looked at: the one that was asked for, or its latest event if
        /// that is later.
        public var instant: Timestamp

        /// What its tracker is doing at that instant.
        public var live: LiveStatus

        /// What people said about the trip that goes on; `nil` between trips.
        public var said: ActiveTripRow?

        /// The trip that has ended and waits for its purpose.
        public var awaited: BookedTrip?

        /// The trip that time alone has ended since the latest event: as far as the views know, it
        /// goes on.
        public var endedByTime: BookedTrip?

        /// The trip that goes on, with what people said about it.
        public var bookedTrip: BookedTrip? { live.trip.map { LedgerSnapshot.booked($0, said) } }
    }

    /// The event that began the ledger.
    public var founding: LedgerCreated

    /// The log's size and root.
    public var head: LedgerHead

    /// Entries that the views had not read before they were brought up to date for this; `nil` if
    /// there were no usable views.
    public var lag: UInt64?

    /// The sources in order of their first event.
    public var sources: [Source]
}
