public import RowCoding

/// Makes one view: a pure function of the booked trips and routines.
///
/// Implementations MUST obey the laws in `ProjectorLaws`. A ``TripBook`` returns each change once.
/// The rows of the book and of the views are committed together, so that a run that was killed goes
/// on with both as they were.
public protocol Projector: Sendable {
    /// What the view consists of.
    associatedtype Row: ViewRow

    /// The name of the view, which is also its table's.
    static var name: String { get }

    /// The version of the view; a stored view of another version is rebuilt.
    static var version: UInt32 { get }

    /// Changes the rows as a change of the book demands.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    func evolve<Rows: RowStore & ~Copyable>(
        _ change: BookChange,
        in rows: inout Rows
    ) throws
}

/// A row of a view.
public protocol ViewRow: Hashable, Sendable {
    /// What the row is found by: the bytes of its name, unique in its view.
    var key: [UInt8] { get }

    /// Where the row stands in listings: rows are in ascending order of these bytes, which are
    /// unique in the view too, and may change as events arrive.
    var orderKey: [UInt8] { get }

    /// The row as bytes: a version byte, then its content.
    var value: [UInt8] { get }

    /// The row without the facts that depend on the order of arrival, for comparing views.
    var withoutArrival: Self { get }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version; the view is then rebuilt.
    init(decoding value: [UInt8]) throws(RowCodingError)
}

/// What changed in the book: the input of every projector.
public enum BookChange: Hashable, Sendable {
    /// A trip was added, changed or removed.
    case trip(TripChange)

    /// A routine was added, changed or removed.
    case routine(RoutineChange)
}

/// One booked trip before and after a change.
public struct TripChange: Hashable, Sendable {
    /// The trip as it was; `nil` if there was none.
    public let old: BookedTrip?

    /// The trip as it is; `nil` if there is none any more.
    public let new: BookedTrip?

    /// Creates a change.
    public init(old: BookedTrip?, new: BookedTrip?) {
        self.old = old
        self.new = new
    }
}

/// One routine before and after a change.
public struct RoutineChange: Hashable, Sendable {
    /// The name of the routine.
    public let name: String

    /// The routine as it was; `nil` if there was none.
    public let old: Routine?

    /// The routine as it is; `nil` if it was removed.
    public let new: Routine?

    /// Creates a change.
    public init(name: String, old: Routine?, new: Routine?) {
        self.name = name
        self.old = old
        self.new = new
    }
}
