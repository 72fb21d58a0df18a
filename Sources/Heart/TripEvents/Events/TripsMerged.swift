/// Trips were found to be one.
public struct TripsMerged: Hashable, Sendable {
    /// The trips, 2 … 100.
    public var trips: [TripID]

    /// The reason, in the words of the person who decided.
    public var why: String?

    /// Creates the content of the event.
    public init(trips: [TripID], why: String? = nil) {
        self.trips = trips
        self.why = why
    }
}

extension TripsMerged: EventPayload {
    static var blank: TripsMerged { TripsMerged(trips: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trips, &trips)
        try visitor.optional(.why, &why)
    }
}

/// A trip was found to be two.
public struct TripSplit: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// Where the second one starts.
    public var splitAt: EventTime

    /// The reason, in the words of the person who decided.
    public var why: String?

    /// Creates the content of the event.
    public init(
        trip: TripID,
        tripStartedAt: EventTime? = nil,
        splitAt: EventTime,
        why: String? = nil
    ) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.splitAt = splitAt
        self.why = why
    }
}

extension TripSplit: EventPayload {
    static var blank: TripSplit { TripSplit(trip: .blank, splitAt: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.required(.splitAt, &splitAt)
        try visitor.optional(.why, &why)
    }
}

/// A person found that a trip is not a trip.
public struct TripVoided: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// The reason, in the words of the person who decided.
    public var why: String?

    /// Creates the content of the event.
    public init(trip: TripID, tripStartedAt: EventTime? = nil, why: String? = nil) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.why = why
    }
}

extension TripVoided: EventPayload {
    static var blank: TripVoided { TripVoided(trip: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.optional(.why, &why)
    }
}

/// A person restored a trip, which takes back decisions such as voiding or merging it.
public struct TripRestored: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// The reason, in the words of the person who decided.
    public var why: String?

    /// Creates the content of the event.
    public init(trip: TripID, tripStartedAt: EventTime? = nil, why: String? = nil) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.why = why
    }
}

extension TripRestored: EventPayload {
    static var blank: TripRestored { TripRestored(trip: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.optional(.why, &why)
    }
}

/// The distance of a trip was set by a person; the measured one is kept beside it.
public struct DistanceAdjusted: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// The distance in metres, not negative.
    public var distanceMeters: ExactDecimal

    /// The reason, in the words of the person who decided.
    public var why: String

    /// Creates the content of the event.
    public init(
        trip: TripID,
        tripStartedAt: EventTime? = nil,
        distanceMeters: ExactDecimal,
        why: String
    ) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.distanceMeters = distanceMeters
        self.why = why
    }
}

extension DistanceAdjusted: EventPayload {
    static var blank: DistanceAdjusted {
        DistanceAdjusted(trip: .blank, distanceMeters: .blank, why: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.required(.distance, &distanceMeters)
        try visitor.required(.why, &why)
    }
}
