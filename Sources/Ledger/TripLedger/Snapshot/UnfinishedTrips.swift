public import TripEvents

/// Trips that go on, which is why no sum counts them yet.
public struct UnfinishedTrips: Hashable, Sendable {
    /// A trip that goes on.
    public struct Named: Hashable, Sendable {
        /// The id of the trip.
        public let id: TripID

        /// The source that records it, and whose STOP ends it.
        public let source: String

        fileprivate let startedAt: Timestamp

        /// Whether it comes before another one, by start.
        fileprivate func precedes(_ other: Named) -> Bool {
            (startedAt, id) < (other.startedAt, other.id)
        }
    }

    /// The most trips that are named: a ledger can have a million sources.
    private static let maximumNames = 3

    /// How many there are.
    public private(set) var count = 0

    /// The first of them, by start.
    public private(set) var first: [Named] = []

    /// Creates an empty list.
    package init() {}

    /// Adds a trip.
    package mutating func add(_ id: TripID, of source: String, from start: EventTime) {
        count += 1
        insert(Named(id: id, source: source, startedAt: start.timestamp))
    }

    /// Adds the trips of another list.
    package mutating func add(_ other: UnfinishedTrips) {
        count += other.count
        for trip in other.first { insert(trip) }
    }

    private mutating func insert(_ trip: Named) {
        let index = first.firstIndex { trip.precedes($0) } ?? first.endIndex
        first.insert(trip, at: index)
        if first.count > Self.maximumNames { first.removeLast() }
    }
}
