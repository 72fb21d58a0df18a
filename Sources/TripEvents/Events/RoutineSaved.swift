/// A routine, which is a template for trips, was made or changed.
public struct RoutineSaved: Hashable, Sendable {
    /// The name of the routine.
    public var routine: String

    /// What the trips that it makes say about themselves.
    public var details: TripDetails

    /// Creates the content of the event.
    public init(routine: String, details: TripDetails = TripDetails()) {
        self.routine = routine
        self.details = details
    }
}

extension RoutineSaved: EventPayload {
    static var blank: RoutineSaved { RoutineSaved(routine: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.routine, &routine)
        try details.visit(&visitor)
    }
}
