/// What became of one routine.
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
