import EventStore
public import Projections
public import TripEvents
import TripTracking

extension Snapshot {
    /// Returns the visits of places, newest first, found anew in all fixes of the log.
    ///
    /// The rules that are in force for a source decide which fixes are usable, and the whole book
    /// of places decides what is a place. Memory grows with the visits, and not with the log.
    ///
    /// - Parameters:
    ///   - filter: Which visits.
    ///   - onProgress: Told now and then how many entries have been read, and of how many.
    /// - Returns: The visits.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func visits(
        _ filter: VisitFilter = VisitFilter(),
        onProgress: (_ read: UInt64, _ size: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> [SourceVisit] {
        try asking {
            let places = try places()
            guard !places.isEmpty else { return [] }
            var runner = runner()
            var search = VisitSearch(
                places,
                filter,
                seenBy: store.sight,
                rules: rules,
                adoptions: try runner.adoptions(),
                clocks: try runner.clocks(),
                upTo: head.size,
                in: log
            )
            return try search.visits(onProgress)
        }
    }
}

/// A choice of visits.
public struct VisitFilter: Hashable, Sendable {
    /// The name of the only place; `nil` for all.
    public var place: String?

    /// The name of the only source; `nil` for all.
    public var source: String?

    /// The only group of sources; `nil` for all.
    public var group: GroupSelection?

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
        group: GroupSelection? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        limit: Int? = nil
    ) {
        self.place = place
        self.source = source
        self.group = group
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// Returns whether a visit is listed, without regard to the limit.
    func allows(_ visit: Visit) -> Bool {
        if let place, !place.hasSameBytes(as: visit.place.name) { return false }
        if let to, visit.enteredAt.timestamp >= to { return false }
        if let from, let leftAt = visit.leftAt, leftAt.timestamp < from { return false }
        return true
    }
}

/// A visit, and whose it was.
public struct SourceVisit: Hashable, Sendable {
    /// The source's name.
    public var source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public var group: String?

    /// The visit.
    public var visit: Visit
}
