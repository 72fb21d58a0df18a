/// Which trips are listed.
public struct TripFilter: Hashable, Sendable {
    /// The most trips, newest first; `nil` for all.
    public var limit: Int?

    /// Whether trips that came to nothing are listed too.
    public var includesAbandoned: Bool

    /// Creates a filter; without arguments it lets every trip through that came to something.
    public init(limit: Int? = nil, includesAbandoned: Bool = false) {
        self.limit = limit
        self.includesAbandoned = includesAbandoned
    }
}
