/// Which trips are listed.
public struct TripFilter: Hashable, Sendable {
    /// The most trips, newest first; `nil` for all.
    public var limit: Int?

    /// Whether trips are listed too that came to nothing, were voided or are parts of others.
    public var includesUncounted: Bool

    /// Creates a filter; without arguments it lets every trip through that counts, or
    /// will.
    public init(limit: Int? = nil, includesUncounted: Bool = false) {
        self.limit = limit
        self.includesUncounted = includesUncounted
    }
}
