import ActiveTripProjection
import Projections
import RoutinesProjection
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection
import VisitsProjection

/// The changes of one table of the views, to be committed.
typealias TableChanges = (table: ViewTable, rows: RowTable)

/// The book and every view: what changes in the book, and what fixes show of visits, makes their
/// rows.
struct ViewSet: Sendable {
    /// A view with the rows that it has.
    private struct View {
        let projector: any Projector
        let keys: ViewTable?
        let inOrder: ViewTable
        var rows: ViewRows

        init(_ projector: any Projector, _ keys: ViewTable?, inOrder: ViewTable) {
            self.projector = projector
            self.keys = keys
            self.inOrder = inOrder
            rows = ViewRows()
        }

        /// Returns the view with the rows that are stored.
        func over(_ store: ReadableViews?) -> View {
            var view = self
            view.rows = ViewRows(
                keys: keys.map { RowTable($0, over: store) },
                inOrder: RowTable(inOrder, over: store)
            )
            return view
        }

        /// The tables to commit.
        var tables: [TableChanges] {
            var tables: [TableChanges] = []
            if let keys, let rows = rows.keys { tables.append((keys, rows)) }
            return tables + [(inOrder, rows.inOrder)]
        }
    }

    /// The views: a new one needs a line here, and its tables in ``ViewTable``.
    private static let all = [
        View(TripsProjector(), .trips, inOrder: .tripsInOrder),
        View(TotalsProjector(), .totals, inOrder: .totalsInOrder),
        View(RoutinesProjector(), .routines, inOrder: .routinesInOrder),
        View(ActiveTripProjector(), .activeTrips, inOrder: .activeTripsInOrder),
        View(TripEndsProjector(), nil, inOrder: .tripEnds),
        View(VisitsProjector(), .visits, inOrder: .visitsInOrder),
    ]

    /// The versions of the views, as this program makes them.
    static let versions: [String: UInt32] = {
        var versions = [
            TripBook.name: TripBook.version, FeedProjection.name: FeedProjection.version,
        ]
        for view in all {
            let made = type(of: view.projector)
            versions[made.name] = made.version
        }
        return versions
    }()

    /// The book.
    var book: TripBook

    /// The changes of trips, in order; `nil` if they are not recorded.
    var tripChanges: [TripChange]?

    private var views: [View]

    init(over store: ReadableViews?) {
        book = TripBook(over: store)
        views = Self.all.map { $0.over(store) }
    }

    /// Writes the decisions, and steps from trackers, so that the book can be read.
    mutating func write(_ steps: [TripStep]) throws {
        for step in steps { try book.note(step) }
        try book.write()
    }

    /// Takes a decision, to be booked by ``bookCheapTrips()``.
    mutating func decide(_ decision: Decision) throws {
        try book.note(decision)
    }

    /// Keeps an inference of another program.
    mutating func note(_ inference: ReportedInference) {
        book.note(inference)
    }

    /// Books what was written, and gives every projector the changes; the book's rows say which
    /// trips that take much work are still due.
    mutating func bookCheapTrips() throws {
        try book.bookCheapTrips()
        try show(book.takeChanges())
    }

    /// Books trips that are due, until about `limit` have changed, and returns whether none is due
    /// any more.
    mutating func bookTrips(upTo limit: Int) throws -> Bool {
        let isDone = try book.bookTrips(upTo: limit)
        try show(book.takeChanges())
        return isDone
    }

    /// Gives every projector what became known of a visit.
    mutating func note(_ news: VisitNews) throws {
        try show([.visit(news)])
    }

    /// The visits, to go on from.
    var visits: StoredVisits {
        StoredVisits(views.first { $0.projector is VisitsProjector }?.rows ?? ViewRows())
    }

    private mutating func show(_ changes: [BookChange]) throws {
        for change in changes {
            for index in views.indices {
                try views[index].projector.evolve(change, in: &views[index].rows)
            }
            if case .trip(let change) = change { tripChanges?.append(change) }
        }
    }

    /// The tables to commit, once all steps are booked.
    var tables: [TableChanges] {
        [(.book, book.rows)] + views.flatMap(\.tables)
    }
}
