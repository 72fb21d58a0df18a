public import TripEvents

/// A visit as the fixes of its source show it.
public struct FoundVisit: Hashable, Sendable {
    /// The visit.
    public let visit: Visit

    /// Its beginning.
    public let entrance: Entrance

    /// Whether the last fix was within the radius; meaningless once the visit is over.
    public let isWithinRadius: Bool

    /// The instant of the fix that ended the visit, which is later than the end if the place was
    /// removed; `nil` while the visit goes on.
    public let endedBy: Timestamp?

    /// Creates a visit with what is needed to go on from it.
    package init(
        visit: Visit,
        entrance: Entrance,
        isWithinRadius: Bool = false,
        endedBy: Timestamp? = nil
    ) {
        self.visit = visit
        self.entrance = entrance
        self.isWithinRadius = isWithinRadius
        self.endedBy = endedBy
    }
}

/// The beginning of a visit among the visits of its source.
public struct Entrance: Hashable, Sendable {
    /// The instant of the fix that began the visit.
    public let at: Timestamp

    /// How many visits of the source began before it at the same instant.
    public let number: UInt32

    /// The last instant, up to the beginning of the visit, before which the source had left all
    /// places: its visits from then on follow from its fixes from then on alone.
    public let chainFrom: Timestamp

    /// Creates a beginning, before which the source had left all places unless said otherwise.
    package init(at instant: Timestamp, number: UInt32 = 0, chainFrom: Timestamp? = nil) {
        at = instant
        self.number = number
        self.chainFrom = chainFrom ?? instant
    }
}

/// A change in what is known of one visit.
public struct VisitNews: Hashable, Sendable {
    /// The number of the source that made it.
    public let source: UInt32

    /// Its beginning.
    public let entrance: Entrance

    /// The visit as it is; `nil` if it is to be found anew.
    public let found: FoundVisit?

    /// Says what a visit is.
    package init(_ found: FoundVisit, of source: UInt32) {
        self.source = source
        entrance = found.entrance
        self.found = found
    }

    /// Says that a visit is to be found anew.
    package init(forgetting entrance: Entrance, of source: UInt32) {
        self.source = source
        self.entrance = entrance
        found = nil
    }
}
