public import TripEvents

/// What an erasure would do.
public struct ErasurePlan: Hashable, Sendable {
    /// What one event can name.
    private static let rangesPerEvent = 100
    private static let tripsPerEvent = 100

    /// One event's share of the erasure.
    struct Part: Hashable {
        var positions = RangeSet<UInt64>()
        var trips = Set<TripID>()
    }

    /// The positions of the entries whose content goes; none that has gone already.
    public private(set) var positions = RangeSet<UInt64>()

    /// The trips that go with all that was recorded of them.
    public private(set) var lostTrips = Set<TripID>()

    /// The trips that lose events and stay, with smaller figures.
    public private(set) var shortenedTrips = Set<TripID>()

    /// What each event is to say.
    private(set) var parts: [Part] = []

    /// How many entries lose their content.
    public var count: UInt64 {
        positions.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    }

    init(lostTrips: Set<TripID>) {
        self.lostTrips = lostTrips
    }

    /// Adds an entry; positions MUST ascend.
    mutating func add(_ position: UInt64, concerning trips: Set<TripID>) {
        // One event of the log may name a hundred trips, and lie in the time of one more.
        let staying = Set(trips.subtracting(lostTrips).sorted().prefix(Self.tripsPerEvent))
        var part = Part()
        if let last = parts.last, last.positions.ranges.count < Self.rangesPerEvent,
            last.trips.union(staying).count <= Self.tripsPerEvent
        {
            part = last
            parts.removeLast()
        }
        part.positions.insert(contentsOf: position..<position + 1)
        part.trips.formUnion(staying)
        parts.append(part)
        positions.insert(contentsOf: position..<position + 1)
        shortenedTrips.formUnion(staying)
    }
}
