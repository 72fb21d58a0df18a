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
        TripEndsProjector.name: TripEndsProjector.version,
        VisitView.name: VisitView.version,
        FeedProjection.name: FeedProjection.version,
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

    /// The rows of the view of the ends of trips.
    private(set) var tripEnds: OrderedViewRows

    /// The changes of trips, in order; `nil` if they are not recorded.
    var tripChanges: [TripChange]?

    /// The steps from trackers that are not booked yet: the last one of each trip.
    private var steps: [TripID: TripStep] = [:]

    /// Changes of the book that are not written yet.
    private var draft = BookDraft()

    private let store: ReadableViews?
    private let book = TripBook()
    private let tripsProjector = TripsProjector()
    private let totalsProjector = TotalsProjector()
    private let routinesProjector = RoutinesProjector()
    private let activeTripProjector = ActiveTripProjector()
    private let tripEndsProjector = TripEndsProjector()

    init(over store: ReadableViews?) {
        self.store = store
        bookRows = BookRows(over: store)
        trips = ViewRows(.trips, inOrder: .tripsInOrder, over: store)
        totals = ViewRows(.totals, inOrder: .totalsInOrder, over: store)
        routines = ViewRows(.routines, inOrder: .routinesInOrder, over: store)
        activeTrips = ViewRows(.activeTrips, inOrder: .activeTripsInOrder, over: store)
        tripEnds = OrderedViewRows(.tripEnds, over: store)
    }

    /// Takes what a tracker derived, to be booked by ``bookSteps()``.
    ///
    /// The book is a function of the trips as they are, so of each trip only the last step counts:
    /// most begin and end between two commits.
    mutating func evolve(_ step: TripStep) {
        steps[step.trip] = step
    }

    /// Writes the steps and decisions, so that the book can be read.
    mutating func writeSteps() throws {
        for step in steps.sorted(by: { $0.key < $1.key }).map(\.value) {
            try book.note(step, &draft, in: &bookRows)
        }
        steps.removeAll(keepingCapacity: true)
        try book.write(&draft, to: &bookRows)
    }

    /// Takes a decision, to be booked by ``bookSteps()``.
    mutating func decide(_ decision: Decision) throws {
        try book.note(decision, &draft, in: &bookRows)
    }

    /// Keeps an inference of another program.
    mutating func note(_ inference: ReportedInference) throws {
        try book.note(inference, in: &bookRows)
    }

    /// Books the steps and decisions, and gives every projector the changes; the book's rows say
    /// which trips that take much work are still due.
    mutating func bookSteps() throws {
        try writeSteps()
        try book.bookCheapTrips(&draft, in: &bookRows)
        try show(book.changes(of: &draft))
    }

    /// Books trips that are due, until about `limit` have changed, and returns whether none is due
    /// any more.
    mutating func bookTrips(upTo limit: Int) throws -> Bool {
        try writeSteps()
        let isDone = try book.book(&draft, upTo: limit, in: &bookRows)
        try show(book.changes(of: &draft))
        return isDone
    }

    /// Whether trips are due, or splits to be settled, that were left for the end of the run.
    var hasLeftWork: Bool { draft.hasLeftWork }

    /// Returns some of the trips, those after one in order of their ids, whose splits may take
    /// effect elsewhere than before, or not any more.
    func unsettledTrips(after trip: TripID?) throws -> [TripID] {
        try book.unsettledTrips(after: trip, limit: 64, in: bookRows)
    }

    /// Returns the facts that decide which splits of a trip stand, and which source's tracker they
    /// concern.
    mutating func splitTrip(_ trip: TripID) throws -> SplitTrip {
        try book.splitTrip(trip, &draft, in: bookRows)
    }

    /// Notes that the splits of a trip, if there are any, may take effect elsewhere.
    mutating func noteUnsettled(_ trip: TripID) throws {
        try book.noteUnsettled(trip, &draft, in: &bookRows)
    }

    /// Notes that it is known where the splits of a trip take effect.
    mutating func noteSettled(_ trip: TripID) throws {
        try book.noteSettled(trip, in: &bookRows)
    }

    private mutating func show(_ changes: [BookChange]) throws {
        for change in changes {
            try tripsProjector.evolve(change, in: &trips)
            try totalsProjector.evolve(change, in: &totals)
            try routinesProjector.evolve(change, in: &routines)
            try activeTripProjector.evolve(change, in: &activeTrips)
            try tripEndsProjector.evolve(change, in: &tripEnds)
            if case .trip(let change) = change { tripChanges?.append(change) }
        }
    }

    /// The tables to commit, once all steps are booked.
    var buffers: [ViewBuffer] {
        [
            bookRows.rows, trips.keys, trips.rows, totals.keys, totals.rows, routines.keys,
            routines.rows, activeTrips.keys, activeTrips.rows, tripEnds.rows,
        ]
    }
}
