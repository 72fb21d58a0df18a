/// Makes one view: a pure function of the booked trips and routines.
///
/// Implementations MUST obey the laws in `ProjectorLaws`. A ``TripBook`` tells each change once;
/// the book's rows and those of the views are committed together, so that a run that was cut off
/// goes on with both as they were.
public protocol Projector: Sendable {
    /// What the view consists of.
    associatedtype Row: ViewRow

    /// The name of the view, which is also its table's.
    static var name: String { get }

    /// The version of the view; a stored view of another version is rebuilt.
    static var version: UInt32 { get }

    /// Changes the rows as a change of the book demands.
    ///
    /// - Throws: what the store throws, or `StateError` if a row is damaged.
    func evolve<Rows: RowStore & ~Copyable>(
        _ change: BookChange,
        in rows: inout Rows
    ) throws
}
