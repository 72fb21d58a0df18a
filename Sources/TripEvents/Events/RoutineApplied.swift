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
