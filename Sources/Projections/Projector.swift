public import TripTracking

/// Makes one view: a pure function of the steps that the trackers derive from the log.
///
/// Implementations MUST obey the laws in `ProjectorLaws`; in particular the same step given again
/// changes nothing, for a run that was cut off begins again at its last commit.
public protocol Projector: Sendable {
    /// What the view consists of.
    associatedtype Row: ViewRow

    /// The name of the view, which is also its table's.
    static var name: String { get }

    /// The version of the view; a stored view of another version is rebuilt.
    static var version: UInt32 { get }

    /// Changes the rows as a step demands.
    ///
    /// - Throws: only what the store throws.
    func evolve<Rows: RowStore & ~Copyable>(
        _ step: TripStep,
        in rows: inout Rows
    ) throws(Rows.Failure)
}
