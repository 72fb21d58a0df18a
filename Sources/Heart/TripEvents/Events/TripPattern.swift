/// The trips to which a routine applies by itself: the places between which they go, and their
/// days.
///
/// Without a place it is the pattern of no trip.
public struct TripPattern: Hashable, Sendable {
    /// The place at which they start; anywhere if it is left out.
    public var from: String?

    /// The place at which they end; anywhere if it is left out.
    public var to: String?

    /// Whether they may go the other way, too.
    public var goesBothWays: Bool?

    /// The days of the week on which they start, by the trip's own clock; every day if left out.
    public var days: [Weekday]?

    /// The instant from which on they start; that of the event if it is left out.
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

    /// Whether it is the pattern of no trip.
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
