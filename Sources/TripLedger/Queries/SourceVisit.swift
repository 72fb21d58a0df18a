public import Projections

/// A visit, and whose it was.
public struct SourceVisit: Hashable, Sendable {
    /// The source's name.
    public var source: String

    /// The visit.
    public var visit: Visit
}
