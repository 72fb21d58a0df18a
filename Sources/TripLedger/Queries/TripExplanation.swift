public import Projections
public import TripTracking
public import TripsProjection

/// A trip computed again from the log, event by event.
public struct TripExplanation: Sendable {
    /// The trip as it comes out now.
    public var trip: Trip

    /// The trip as the view has it.
    public var row: TripRow

    /// What makes the trip, in event order.
    ///
    /// These are the events of its source from its start to its end; of a reported trip, the
    /// report; of a merged trip, what makes each part. A part of a trip that was split begins or
    /// ends with the event that splits.
    public var events: [ExplainedEvent]

    /// Every change that people made to the trip, in event order.
    public var amendments: [TripAmendment]

    /// Whether the view says what comes out now.
    public var isConfirmed: Bool { row.trip == trip }
}
