import Projections
import TripTracking
import TripsProjection

/// Every view with its projector: what one step changes.
struct ViewSet: Sendable {
    /// The versions of the views, as this program makes them.
    static let versions = [
        TripBook.name: TripBook.version, TripsProjector.name: TripsProjector.version,
    ]

    /// The rows of the book.
    private(set) var bookRows: BookRows

    /// The rows of the view of trips.
    private(set) var trips: ViewRows

    private let book = TripBook()
    private let tripsProjector = TripsProjector()

    init(over store: ViewStore?) {
        bookRows = BookRows(over: store)
        trips = ViewRows(.trips, inOrder: .tripsInOrder, over: store)
    }

    /// Books what a tracker derived, and tells every projector of what that changes.
    mutating func evolve(_ step: TripStep) throws {
        for change in try book.evolve(step, in: &bookRows) {
            try tripsProjector.evolve(change, in: &trips)
        }
    }

    /// Books a decision, and tells every projector of what that changes.
    mutating func decide(_ decision: Decision) throws {
        for change in try book.decide(decision, in: &bookRows) {
            try tripsProjector.evolve(change, in: &trips)
        }
    }

    /// What is to be committed.
    var buffers: [ViewBuffer] { [bookRows.rows, trips.rows, trips.order] }
}
