/// What bringing the views up to date meant.
public struct ProjectionReport: Hashable, Sendable {
    /// Entries read.
    public var read: UInt64 = 0

    /// Events of kinds that this program does not know: kept, counted, passed over.
    public var unknown: UInt64 = 0

    /// Sources that were folded again because of late events.
    public var refoldedSources = 0

    /// Whether the views were made anew.
    public var isRebuilt = false

    /// Why they were, if nobody asked for it.
    public var rebuiltBecause: String?

    /// The log's size that the views know now.
    public var size: UInt64 = 0

    /// Creates a report of nothing done.
    public init() {}
}
