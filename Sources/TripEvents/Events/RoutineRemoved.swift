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
