/// A routine, which is a template for trips, was made or changed.
public struct RoutineSaved: Hashable, Sendable {
    /// The name of the routine.
    public var routine: String

    /// The details that it gives to trips.
    public var details: TripDetails

    /// The pattern of the trips to which it applies by itself.
    public var pattern: TripPattern

    /// Creates the content of the event.
    public init(
        routine: String,
        details: TripDetails = TripDetails(),
        pattern: TripPattern = TripPattern()
    ) {
        self.routine = routine
        self.details = details
        self.pattern = pattern
    }
}

extension RoutineSaved: EventPayload {
    static var blank: RoutineSaved { RoutineSaved(routine: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.routine, &routine)
        try details.visit(&visitor)
        try pattern.visit(&visitor)
    }

    func check() throws(Rejection) {
        try pattern.check()
    }
}

/// A routine was removed.
public struct RoutineRemoved: Hashable, Sendable {
    /// The name of the routine.
    public var routine: String

    /// Creates the content of the event.
    public init(routine: String) {
        self.routine = routine
    }
}

extension RoutineRemoved: EventPayload {
    static var blank: RoutineRemoved { RoutineRemoved(routine: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.routine, &routine)
    }
}

/// A routine was applied to a trip.
public struct RoutineApplied: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// The name of the routine.
    public var routine: String

    /// Creates the content of the event.
    public init(trip: TripID, tripStartedAt: EventTime? = nil, routine: String) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.routine = routine
    }
}

extension RoutineApplied: EventPayload {
    static var blank: RoutineApplied { RoutineApplied(trip: .blank, routine: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.required(.routine, &routine)
    }
}
