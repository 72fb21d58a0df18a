import ActiveTripProjection
import Projections
import RoutinesProjection
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

/// Every view with its projector: what one step changes.
struct ViewSet: Sendable {
    /// The versions of the views, as this program makes them.
    static let versions = [
        TripBook.name: TripBook.version, TripsProjector.name: TripsProjector.version,
        TotalsProjector.name: TotalsProjector.version,
        RoutinesProjector.name: RoutinesProjector.version,
        ActiveTripProjector.name: ActiveTripProjector.version,
    ]

    /// The rows of the book.
    private(set) var bookRows: BookRows

    /// The rows of the view of trips.
    private(set) var trips: ViewRows

    /// The rows of the view of totals.
    private(set) var totals: ViewRows

    /// The rows of the view of routines.
    private(set) var routines: ViewRows

    /// The rows of the view of trips that are going on.
    private(set) var activeTrips: ViewRows

    /// What became of trips, in order; `nil` if that is not to be recorded.
    var tripChanges: [TripChange]?

    /// What trackers derived and is not booked yet: the last step of each trip.
    private var steps: [TripID: TripStep] = [:]

    private let store: ViewStore?
    private let book = TripBook()
    private let tripsProjector = TripsProjector()
    private let totalsProjector = TotalsProjector()
    private let routinesProjector = RoutinesProjector()
    private let activeTripProjector = ActiveTripProjector()

    init(over store: ViewStore?) {
        self.store = store
        bookRows = BookRows(over: store)
        trips = ViewRows(.trips, inOrder: .tripsInOrder, over: store)
        totals = ViewRows(.totals, inOrder: .totalsInOrder, over: store)
        routines = ViewRows(.routines, inOrder: .routinesInOrder, over: store)
        activeTrips = ViewRows(.activeTrips, inOrder: .activeTripsInOrder, over: store)
    }

    /// Takes what a tracker derived, to be booked by ``bookSteps()``.
    ///
    /// The book is a function of the trips as they are, so of each trip only the last step counts:
    /// most begin and end between two commits.
    mutating func evolve(_ step: TripStep) {
        steps[step.trip] = step
    }

    /// Books what trackers derived, and tells every projector of what that changes.
    mutating func bookSteps() throws {
        guard !steps.isEmpty else { return }
        let ordered = steps.sorted { $0.key < $1.key }.map(\.value)
        steps.removeAll(keepingCapacity: true)
        for step in ordered { try show(try book.evolve(step, in: &bookRows)) }
    }

    /// Books a decision, and tells every projector of what that changes.
    mutating func decide(_ decision: Decision) throws {
        try bookSteps()
        try show(try book.decide(decision, in: &bookRows))
    }

    private mutating func show(_ changes: [BookChange]) throws {
        for change in changes {
            try tripsProjector.evolve(change, in: &trips)
            try totalsProjector.evolve(change, in: &totals)
            try routinesProjector.evolve(change, in: &routines)
            try activeTripProjector.evolve(change, in: &activeTrips)
            if case .trip(let change) = change { tripChanges?.append(change) }
        }
    }

    /// What is to be committed, once all steps are booked.
    var buffers: [ViewBuffer] {
        [
            bookRows.rows, trips.keys, trips.rows, totals.keys, totals.rows, routines.keys,
            routines.rows, activeTrips.keys, activeTrips.rows,
        ]
    }
}
