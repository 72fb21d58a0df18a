/// A person found that the metres of a trip in some stretch of its time do not count as distance:
/// on a ferry, say, or on a car train.
public struct StretchExcluded: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// Where the stretch begins.
    public var from: EventTime

    /// Where the stretch ends.
    public var to: EventTime

    /// The reason, in the words of the person who decided.
    public var why: String

    /// Creates the content of the event.
    public init(
        trip: TripID,
        tripStartedAt: EventTime? = nil,
        from: EventTime,
        to: EventTime,
        why: String
    ) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.from = from
        self.to = to
        self.why = why
    }
}

extension StretchExcluded: EventPayload {
    static var blank: StretchExcluded {
        StretchExcluded(trip: .blank, from: .blank, to: .blank, why: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.required(.fromTime, &from)
        try visitor.required(.toTime, &to)
        try visitor.required(.why, &why)
    }

    func check() throws(Rejection) {
        try FieldName.checkOrder(from, to)
    }
}

extension FieldName {
    /// Refuses a range of times that is empty or ends before it begins.
    static func checkOrder(_ from: EventTime, _ to: EventTime) throws(Rejection) {
        guard from.timestamp < to.timestamp else {
            throw Rejection(
                .invalidValue,
                field: FieldName.toTime.jsonName,
                sentence: "to_time must be later than from_time."
            )
        }
    }
}
