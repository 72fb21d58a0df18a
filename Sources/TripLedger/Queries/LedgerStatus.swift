public import TripEvents
public import TripTracking

/// A ledger at a glance.
public struct LedgerStatus: Sendable {
    /// A source with what it is doing.
    public struct Source: Hashable, Sendable {
        /// Its name.
        public var name: String

        /// The number of its events.
        public var events: UInt64

        /// When the latest of its events that arrived in order happened.
        public var latestAt: Timestamp

        /// What its tracker is doing at the instant that was asked for.
        public var live: LiveStatus
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
