public import Projections
public import TripEvents
public import TripsProjection

/// What a decision changed: the ledger's answer to ``Ledger/decide(_:by:at:id:from:now:)``.
///
/// Everything but the receipt is read from one snapshot after the append.
public struct DecisionOutcome: Sendable {
    /// The event that says the decision; of a duplicate, as it was stored first.
    public var event: TripEvent

    /// The answer to the event.
    public var receipt: Receipt

    /// The trip that the decision is about, of several the first; `nil` if it is about none, or was
    /// not stored.
    public var trip: TripID?

    /// The fields of that trip that are others than before; none if the decision says what was so
    /// already, or was not appended now.
    public var changes: [FieldChange] = []

    /// The trip that shows that one, if it is a part of a merged trip; the decision is then about
    /// that one.
    public var mergedInto: TripID?

    /// The trips that show what was decided, in order of their starts: the trip, or the one that it
    /// is a part of; after a split, its parts.
    public var trips: [TripRow] = []

    /// The places at which these trips may start and end.
    public var places = PlaceBook()
}
