import Projections
import TripTracking
import TripsProjection

/// Every view with its projector: what one step changes.
struct ViewSet: Sendable {
    /// The versions of the views, as this program makes them.
    static let versions = [TripsProjector.name: TripsProjector.version]

    /// The rows of the view of trips.
    private(set) var trips: ViewRows

    private let tripsProjector = TripsProjector()

    init(over store: ViewStore?) {
        trips = ViewRows(.trips, inOrder: .tripsInOrder, over: store)
    }

    /// Tells every projector of a step.
    mutating func evolve(_ step: TripStep) throws {
        try tripsProjector.evolve(step, in: &trips)
    }

    /// What is to be committed.
    var buffers: [ViewBuffer] { [trips.rows, trips.order] }
}
