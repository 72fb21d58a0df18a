public import TripTracking
public import TripsProjection

/// A trip computed again from the log, event by event.
public struct TripExplanation: Sendable {
    /// The trip as it comes out now.
    public var trip: Trip

    /// The trip as the view has it.
    public var row: TripRow

    /// Every event of the source from the trip's start to its end, in event order.
    public var events: [ExplainedEvent]

    /// Whether the view says what comes out now.
    public var isConfirmed: Bool { row.trip == trip }
}
