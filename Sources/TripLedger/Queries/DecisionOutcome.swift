public import Projections
public import TripEvents

/// What a decision did to a trip, as the trip's history says.
public struct DecisionOutcome: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// What was decided.
    public var kind: EventKind

    /// The fields that are others than before; none if the decision says what was so already.
    public var changes: [FieldChange]

    /// The trip that shows this one, if it is a part; the decision is then about that one.
    public var mergedInto: TripID?
}
