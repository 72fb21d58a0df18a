import Projections
import TripEvents

extension LedgerError {
    /// Says that a decision is refused: it would not mean what it says.
    ///
    /// - Parameters:
    ///   - obstacle: Why.
    ///   - trip: The trip that is in the way.
    ///   - kind: The kind of the event that says the decision.
    init(_ obstacle: DecisionObstacle, about trip: TripID, deciding kind: EventKind) {
        let code: Code =
            switch kind {
            case .tripsMerged: .notMergeable
            case .tripSplit: .notSplittable
            default: .notExcludable
            }
        self.init(
            code,
            at: Self.tripPlace + trip.shortText,
            cause: obstacle.cause(by: nil),
            hint: obstacle.hint(about: trip, deciding: kind)
        )
    }

    /// Refuses to merge trips, given in order of their starts, or returns `nil` if they can be one.
    init?(merging trips: [BookedTrip]) {
        guard let found = DecisionObstacle.toMerging(trips.map { MergePart($0) }) else {
            return nil
        }
        self.init(found.obstacle, about: found.trip, deciding: .tripsMerged)
    }

    /// Refuses to split a trip at any time, or returns `nil` if nothing is known that hinders it.
    init?(splitting booked: BookedTrip) {
        guard let obstacle = DecisionObstacle.toSplitting(booked) else { return nil }
        self.init(obstacle, about: booked.id, deciding: .tripSplit)
    }

    /// Refuses to exclude anything from a trip, or returns `nil` if nothing is known that hinders
    /// it.
    init?(excludingFrom booked: BookedTrip) {
        guard let obstacle = DecisionObstacle.toExcluding(from: booked) else { return nil }
        self.init(obstacle, about: booked.id, deciding: .stretchExcluded)
    }
}
