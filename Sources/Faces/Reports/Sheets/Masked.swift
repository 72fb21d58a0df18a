import Projections
import Tables
import TripEvents
import TripLedger

/// A row of a report, with the values that are left out because they would reveal where, when or
/// for what a private trip was.
package struct Masked<Row: Sendable>: Sendable {
    /// The row.
    let row: Row

    /// The columns that have no value, by their names.
    private(set) var leftOut: Set<String> = []

    /// The days that replace times that are left out, by the names of their columns.
    private(set) var days: [String: CivilDate] = [:]

    /// Takes over a row; nothing of it is left out yet.
    init(_ row: Row) {
        self.row = row
    }

    /// Leaves out columns.
    mutating func leaveOut(_ names: String...) {
        leftOut.formUnion(names)
    }

    /// Leaves out a time, but not its day.
    mutating func leaveOut(_ name: String, on day: CivilDate) {
        leftOut.insert(name)
        days[name] = day
    }
}

extension Columns where Row: Sendable {
    /// The columns of rows that may have parts left out.
    ///
    /// A value that is left out is null for programs, and marked as left out for people; if only
    /// the day of a time stays, the day replaces the time.
    var masked: [Column<Masked<Row>>] {
        all.map { column in
            column.of(lending: { masked, use in use(masked.row) }).masked()
        }
    }
}

extension Column {
    /// The same column, empty where it is left out.
    fileprivate func masked<Inner>() -> Column where Row == Masked<Inner> {
        let (name, cell, shown) = (name, cell, shownCell)
        return Column(name, title, kind, inner: inner) { masked in
            guard masked.leftOut.contains(name) else { return cell(masked) }
            return masked.days[name].map { .day($0) } ?? .none
        }
        .placed(as: self)
        .shown(as: { masked in
            guard masked.leftOut.contains(name) else { return shown(masked) }
            if let day = masked.days[name] { return .day(day) }
            return cell(masked).isNone ? .none : .phrase(.leftOut)
        })
    }
}

extension HiddenTrips {
    /// The fact above a report that leaves out the details of private trips.
    static let fact = ReportFact(.privateTrips, .kilometersOnly)

    /// Notes the private trips of a ledger, whenever they were.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - visitShown: Is called with each trip that is shown.
    /// - Throws: `LedgerError`, or what `visitShown` throws.
    init(
        _ snapshot: borrowing Snapshot,
        visitShown: (borrowing BookedTrip) -> Void = { _ in }
    ) throws {
        self.init()
        var hidden = HiddenTrips()
        let filter = TripFilter(includesUncounted: true, isOldestFirst: true)
        try snapshot.readTrips(filter) { row in
            hidden.note(row.booked)
            if !hidden.contains(row.booked.id) { visitShown(row.booked) }
            return true
        }
        self = hidden
    }

    /// Whether an expense is of a hidden trip, or was paid on one.
    func contains(_ recorded: RecordedExpense) -> Bool {
        if let trip = recorded.expense.trip { return contains(trip) }
        return recorded.expense.day == nil && areUnderWay(at: recorded.paidAt.timestamp)
    }
}
