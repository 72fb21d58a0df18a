public import Projections
public import TripTracking

/// A book and one view made of it, both in memory.
public struct BookedRows<Made: Projector> {
    /// The book's rows.
    public private(set) var book = MemoryRows()

    /// The view's rows.
    public private(set) var rows = MemoryRows()

    private let projector: Made

    /// Creates a book without trips and the view of a projector.
    public init(_ projector: Made) {
        self.projector = projector
    }

    /// Takes what a tracker derived.
    public mutating func take(_ step: TripStep) throws {
        for change in try TripBook().evolve(step, in: &book) {
            try projector.evolve(change, in: &rows)
        }
    }

    /// Takes a decision.
    public mutating func take(_ decision: Decision) throws {
        for change in try TripBook().decide(decision, in: &book) {
            try projector.evolve(change, in: &rows)
        }
    }

    /// Returns the rows of the view in order.
    public func decoded() throws -> [Made.Row] {
        try rows.inOrder.map { try Made.Row(decoding: $0.value) }
    }
}
