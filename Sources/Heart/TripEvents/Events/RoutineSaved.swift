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

/// The trips to which a routine applies by itself: the places between which they go, and their
/// days.
///
/// A pattern without a place matches no trip.
public struct TripPattern: Hashable, Sendable {
    /// The place at which they start; anywhere if it is left out.
    public var from: String?

    /// The place at which they end; anywhere if it is left out.
    public var to: String?

    /// Whether they may go the other way, too.
    public var goesBothWays: Bool?

    /// The days of the week on which they start, by the trip's own clock; every day if left out.
    public var days: [Weekday]?

    /// The earliest instant at which they start; the event's instant if it is left out.
    public var since: EventTime?

    /// Creates a pattern.
    public init(
        from: String? = nil,
        to: String? = nil,
        goesBothWays: Bool? = nil,
        days: [Weekday]? = nil,
        since: EventTime? = nil
    ) {
        self.from = from
        self.to = to
        self.goesBothWays = goesBothWays
        self.days = days
        self.since = since
    }

    /// Whether it matches no trip.
    public var isEmpty: Bool { from == nil && to == nil }
}

extension TripPattern {
    /// Shows each field to a visitor (see ``EventPayload``).
    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.fromPlace, &from)
        try visitor.optional(.toPlace, &to)
        try visitor.optional(.bothWays, &goesBothWays)
        try visitor.optional(.days, &days)
        try visitor.optional(.since, &since)
    }

    /// Refuses days and the like where there is no place.
    func check() throws(Rejection) {
        guard isEmpty else { return }
        let said: [(FieldName, Bool)] = [
            (.bothWays, goesBothWays != nil), (.days, days != nil), (.since, since != nil),
        ]
        guard let name = said.first(where: \.1)?.0.jsonName else { return }
        throw Rejection(
            .missingField,
            field: FieldName.fromPlace.jsonName,
            sentence:
                "\(name) is about trips to which the routine applies by itself: say from_place "
                + "or to_place, too."
        )
    }
}
