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

    mutating func visit(_ visitor: inout some FieldVisitor) throws(Rejection) {
        try visitor.required(.routine, &routine)
    }
}
