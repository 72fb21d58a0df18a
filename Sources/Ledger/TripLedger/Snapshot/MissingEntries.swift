import EventStore
import Projections
public import TripEvents

/// The entries of a log whose content is not in this copy of it: figures that are made from the
/// others may be less than what was recorded.
public struct MissingEntries: Hashable, Sendable {
    /// The most ranges and trips that are named.
    private static let maximumNames = 20

    /// How many entries were withheld from this copy.
    public private(set) var withheldCount: UInt64 = 0

    /// The first of them: ranges as people write page numbers, such as `12-40`.
    public private(set) var withheldPositions: [String] = []

    /// How many entries were erased.
    public private(set) var erasedCount: UInt64 = 0

    /// The first of them.
    public private(set) var erasedPositions: [String] = []

    /// The first trips that lost events by that and are still there.
    public private(set) var erasedTrips: [TripID] = []

    /// Whether there are more such trips than are named.
    package private(set) var hasMoreTrips = false

    /// Whether more was withheld than is named.
    package private(set) var hasMoreWithheld = false

    /// Whether more was erased than is named.
    package private(set) var hasMoreErased = false

    /// Whether nothing is missing.
    public var isEmpty: Bool { withheldCount == 0 && erasedCount == 0 }

    /// Says that nothing is missing.
    package init() {}

    fileprivate init(_ withheld: WithheldEntries?, _ erased: RangeSet<UInt64>, _ trips: Set<TripID>)
    {
        if let withheld {
            withheldCount = withheld.count
            withheldPositions = Array(withheld.first.texts.prefix(Self.maximumNames))
        }
        let ranges = FirstRanges(erased)
        erasedCount = ranges.count
        erasedPositions = Array(ranges.texts.prefix(Self.maximumNames))
        erasedTrips = Array(trips.sorted().prefix(Self.maximumNames))
        hasMoreTrips = trips.count > erasedTrips.count
        if let first = withheld?.first {
            hasMoreWithheld = !first.isWhole || first.ranges.count > Self.maximumNames
        }
        hasMoreErased = !ranges.isWhole || ranges.ranges.count > Self.maximumNames
    }
}

extension Snapshot {
    /// Returns which entries of the log have no content here; for an asker who may not see
    /// everything, those that were erased from trips that are seen; for a group that is looked at
    /// alone, those that its sources had reported.
    ///
    /// It takes one look-up, and one more for each event that says that entries were erased; with a
    /// group, one for each erased entry.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func missingEntries() throws(LedgerError) -> MissingEntries {
        try asking {
            var positions = RangeSet<UInt64>()
            var trips = Set<TripID>()
            try eachErasure { erased in
                guard let erased = try selected(erased) else { return }
                let named = try (erased.erasedFrom ?? [])
                    .filter { try !store.sight.isWalled || store.tripRow($0) != nil }
                guard !store.sight.isWalled || !named.isEmpty else { return }
                positions.formUnion(erased.positions.set)
                trips.formUnion(named)
            }
            return MissingEntries(try log.withheldEntries(), positions, trips)
        }
    }

    /// Returns what was erased as far as it concerns the group that is looked at alone, if one is;
    /// `nil` if it does not.
    ///
    /// If entries of others were erased together with its own, their trips are left out.
    func selected(_ erased: EntriesErased) throws -> EntriesErased? {
        guard store.sight.selection != nil else { return erased }
        var names = SourceNames(log)
        var (own, others) = (false, false)
        for range in erased.positions.set.ranges {
            try log.eachEntry(in: range) { entry, position in
                let source = try names.source(of: entry.source, at: position)
                if store.sight.sees(source.name, of: source.group) {
                    own = true
                } else {
                    others = true
                }
            }
        }
        guard own else { return nil }
        guard others else { return erased }
        var selected = erased
        selected.erasedFrom = try erased.erasedFrom?.filter { try store.tripRow($0) != nil }
        return selected
    }

    /// Returns which entries that a group's trips were made of have no content here.
    ///
    /// - Parameter group: The group, or the owner; `nil` for all that the asker sees, and of no
    ///   effect for one who does not see everything.
    /// - Returns: The entries.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func missingEntries(
        of group: GroupSelection?
    ) throws(LedgerError) -> MissingEntries {
        guard let group, !sight.isWalled else { return try missingEntries() }
        return try selecting(group).missingEntries()
    }

    /// Returns the positions of the entries that were erased by events from a position on.
    func erasedPositions(recordedFrom start: UInt64) throws -> RangeSet<UInt64> {
        var positions = RangeSet<UInt64>()
        try eachErasure(from: start) { positions.formUnion($0.positions.set) }
        return positions
    }

    /// Returns the trips that lost events, and stayed then, by the erasures that events from a
    /// position on record.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func tripsShortened(
        byErasuresFrom start: UInt64
    ) throws(LedgerError) -> Set<TripID> {
        try asking {
            var trips = Set<TripID>()
            try eachErasure(from: start) { trips.formUnion($0.erasedFrom ?? []) }
            return trips
        }
    }

    /// Hands over the events that say what was erased, the last one first.
    private func eachErasure(
        from start: UInt64 = 0,
        _ body: (EntriesErased) throws -> Void
    ) throws {
        var next = try log.lastErasure()
        while let position = next, position >= start {
            let stored = try log.withEntry(at: position) {
                try StoredEvent($0, at: position, source: .ledger)
            }
            guard case .entriesErased(let erased)? = stored?.event.body,
                erased.previousErasure.map({ $0 < position }) ?? true
            else {
                throw EventLogError.damaged(
                    position: position,
                    "it does not say which entries were erased"
                )
            }
            try body(erased)
            next = erased.previousErasure
        }
    }
}
