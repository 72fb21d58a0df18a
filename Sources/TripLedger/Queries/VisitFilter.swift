import Projections
public import TripEvents

/// Which visits are listed.
public struct VisitFilter: Hashable, Sendable {
    /// The name of the only place; `nil` for all.
    public var place: String?

    /// The name of the only source; `nil` for all.
    public var source: String?

    /// Visits that ended before this instant are left out.
    public var from: Timestamp?

    /// Visits that began at this instant or after it are left out.
    public var to: Timestamp?

    /// The most visits, newest first; `nil` for all.
    public var limit: Int?

    /// Creates a filter; without arguments it lets every visit through.
    public init(
        place: String? = nil,
        source: String? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        limit: Int? = nil
    ) {
        self.place = place
        self.source = source
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// Returns whether a visit is listed, whatever the limit.
    func allows(_ visit: Visit) -> Bool {
        if let place, !place.utf8.elementsEqual(visit.place.name.utf8) { return false }
        if let to, visit.enteredAt.timestamp >= to { return false }
        if let from, let leftAt = visit.leftAt, leftAt.timestamp < from { return false }
        return true
    }
}
