/// Trips were found to be one.
public struct TripsMerged: Hashable, Sendable {
    /// The trips, 2 … 100.
    public var trips: [TripID]

    /// Why, in the words of the person who decided.
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
